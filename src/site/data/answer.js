/* Hits as answers, as in src/search/answer.rs, and suggestions if there are none. */
(function (zhushu) {
  'use strict';

  const INTERRUPTED = '‖';
  /* Characters of context that are compared when sorting. */
  const SORTED_BY = 8;
  /* Largest number of similar queries that are suggested. */
  const MAX_SUGGESTIONS = 6;

  /* A hit with the units around it that no break separates from it. */
  class Window {
    constructor(hit, context) {
      const { text } = hit, first = text.unitAt(hit.start);
      const units = [first];
      this.from = hit.start - first.first;
      while (units.at(-1).end < hit.start + hit.len) units.push(text.units[units.at(-1).n + 1]);
      this.last = units.length - 1;
      this.to = hit.start + hit.len - units[this.last].first;
      this.first = 0;
      for (let before = this.from; before < context && units[0].n > 0;) {
        const unit = text.units[units[0].n - 1];
        if (unit.endsRun) break;
        before += unit.len;
        units.unshift(unit);
        this.first += 1;
        this.last += 1;
      }
      for (let after = units[this.last].len - this.to; after < context && !units.at(-1).endsRun;) {
        units.push(text.units[units.at(-1).n + 1]);
        after += units.at(-1).len;
      }
      this.units = units.map(unit => ({ unit, words: unit.words, laid: unit.laid() }));
    }
    /* The text before character `to`, from character `from` on; from the beginning for 0. */
    static before({ words, laid }, from, to) {
      return words.slice(from === 0 ? 0 : laid[from].from, laid[to] ? laid[to].from : undefined);
    }
    /* The text after character `from - 1` up to character `to`; to the end for the last. */
    static after({ words, laid }, from, to) {
      return words.slice(from === 0 ? 0 : laid[from - 1].to, laid[to] ? laid[to].from : undefined);
    }
    hit() {
      const pieces = this.units.slice(this.first, this.last + 1);
      return pieces.map((piece, i) => {
        const first = i === 0, last = i === pieces.length - 1;
        const from = first ? piece.laid[this.from].from : 0;
        return piece.words.slice(from, last ? piece.laid[this.to - 1].to : undefined);
      }).join(INTERRUPTED);
    }
    left(n) {
      const { from } = this;
      let words = Window.before(this.units[this.first], Math.max(0, from - n), from), missing = Math.max(0, n - from);
      for (let i = this.first - 1; i >= 0 && n > 0 && missing > 0; i -= 1) {
        const len = this.units[i].laid.length;
        words = Window.before(this.units[i], Math.max(0, len - missing), len) + INTERRUPTED + words;
        missing = Math.max(0, missing - len);
      }
      return words;
    }
    right(n) {
      const last = this.units[this.last], rest = last.laid.length - this.to;
      let words = Window.after(last, this.to, this.to + n), missing = Math.max(0, n - rest);
      for (let i = this.last + 1; i < this.units.length && missing > 0; i += 1) {
        words += INTERRUPTED + Window.before(this.units[i], 0, missing);
        missing = Math.max(0, missing - this.units[i].laid.length);
      }
      return words;
    }
    /* The hit as pages address it, `x1.2:0-x1.4:7`, and its anchor. */
    place() {
      const start = this.units[this.first], end = this.units[this.last];
      const from = start.laid[this.from], to = end.laid[this.to - 1];
      const first = start.unit.elements[from.element], last = end.unit.elements[to.element];
      if (!first || !last || !first[0]) return { anchor: null, words: null };
      const { locus } = start.unit.text.meta;
      return { anchor: first[3] ? locus + '.' + first[3] : first[0], words: first[0] + ':' + from.before + '-' + last[0] + ':' + to.upto };
    }
  }

  function answer(hit, context) {
    const window = new Window(hit, context), { text } = hit, { unit } = window.units[window.first];
    const layer = unit.sub >= 0 ? unit.sub : unit.layer, author = text.by(layer) || text.by(unit.layer);
    const met = window.units.slice(window.first, window.last + 1);
    return {
      document: text.meta.id,
      work: text.meta.work,
      chapter: text.meta.chapter,
      layer: zhushu.layers[layer].names[0],
      leaf: leafOf(window),
      by: text.said(hit) || (author ? author[1] : null),
      certainty: Math.min(...met.map(({ unit }) => unit.cert)),
      left: window.left(context),
      hit: window.hit(),
      right: window.right(context),
      ...window.place(),
    };
  }

  zhushu.shownHit = answer;

  /* The leaf of the print that a hit begins on, if it is known. */
  function leafOf({ units, first, from }) {
    const { unit } = units[first], on = unit.leaves.findLast(([n]) => n <= from);
    return on ? unit.text.meta.leaves[on[1]][0] : null;
  }

  /* In the order of the corpus. */
  const byPlace = hits => ordered(hits, () => [0, 0]);
  /* The classics before all else, and in each text what has the characters of the query before its variants. */
  function byReading(hits, query, options) {
    const name = hit => hit.start + ' ' + hit.len, asked = new Map();
    const all = options.folding !== 'full' || hits.length < 2 ? [] : zhushu.find(query, { ...options, folding: 'script' });
    for (const hit of all) asked.set(hit.text, (asked.get(hit.text) || new Set()).add(name(hit)));
    const isLate = hit => all.length < hits.length && !asked.get(hit.text)?.has(name(hit));
    return ordered(hits, (hit, unit) => [unit.kind === 'base' ? 0 : 1, isLate(hit) ? 1 : 0]);
  }
  /* In the order of the corpus, but for what `keys` gives: what decides between texts, and within one. */
  function ordered(hits, keys) {
    const keyed = hits.map((hit, i) => {
      const unit = hit.text.unitAt(hit.start), [first, within] = keys(hit, unit);
      return [[first, hit.text.n, within, unit.start, i], hit];
    });
    keyed.sort(([a], [b]) => a.reduce((before, key, i) => before || key - b[i], 0));
    return keyed.map(([, hit]) => hit);
  }

  /* By the characters before the hit, the nearest first, or by those after it. */
  function byContext(hits, left) {
    const keyed = hits.map((hit, i) => {
      const codes = [], { text } = hit, end = hit.start + hit.len;
      let at = left ? hit.start - 1 : end;
      for (; codes.length < SORTED_BY && text.chars[at] > zhushu.BREAK; at += left ? -1 : 1) codes.push(text.chars[at]);
      return [codes, i, hit];
    });
    const compare = (a, b) => {
      for (let i = 0; i < Math.min(a.length, b.length); i += 1) if (a[i] !== b[i]) return a[i] - b[i];
      return a.length - b.length;
    };
    keyed.sort((a, b) => compare(a[0], b[0]) || a[1] - b[1]);
    return keyed.map(k => k[2]);
  }

  /* Counts by what a hit is of, largest first. */
  function counted(hits, of) {
    const counts = new Map();
    for (const hit of hits) counts.set(of(hit), (counts.get(of(hit)) || 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  }
  function countLayers(hits) {
    return counted(hits, hit => {
      const { sub, layer } = hit.text.unitAt(hit.start);
      return zhushu.layers[sub >= 0 ? sub : layer].zh;
    });
  }
  function countChapters(hits) {
    return counted(hits, ({ text: { meta } }) => (meta.work || meta.title) + (meta.chapter ? '・' + meta.chapter : ''));
  }

  /* The words of a query that has only words, perhaps within layers and filters. */
  function wordsOf(node) {
    if (node.kind === 'words') return { node, prefix: false };
    const inner = node.kind === 'in' ? [node.node] : node.kind === 'all' ? node.nodes.filter(n => n.kind !== 'filter') : [];
    const found = inner.length === 1 ? wordsOf(inner[0]) : null;
    return found ? { node: found.node, prefix: true } : null;
  }
  const isSaid = (filter, text) => filter.field === 'by' && text.speakers.some(who => zhushu.named(filter, who));
  const isName = filter => zhushu.texts.some(text => isSaid(filter, text) || text.regions.some(region => zhushu.holds(filter, text, region)));

  /* Other meanings of a query: a word that is a name, a layer in relation to another, words separated by punctuation. */
  function otherwise(query, q, options) {
    const parts = query.kind === 'all' ? query.nodes : [query], meant = [];
    const by = parts.some(p => p.kind === 'filter' && p.field === 'by');
    parts.forEach((part, i) => {
      if (part.kind === 'words') {
        const filters = ['by', 'chapter', 'work'].map(field => ({ kind: 'filter', field, value: spelled(part) }));
        for (const filter of filters.filter(isName)) meant.push({ kind: 'all', nodes: parts.with(i, filter) });
      } else if (part.kind === 'in' && by) {
        meant.push({ kind: 'relation', left: { kind: 'all', nodes: parts.with(i, { kind: 'any' }) }, right: part });
      }
    });
    const spaced = q.replace(/[、，,/／;；]/g, ' ');
    if (spaced !== q) try { meant.push(zhushu.parse(spaced)); } catch { /* It has no other meaning. */ }
    return meant.map(node => ({ query: written(node), total: zhushu.find(node, options).length })).filter(n => n.total > 0 && n.query !== null);
  }
  /* A query as it can be typed; null if it is not of a common kind. */
  function written(node) {
    const all = nodes => nodes.map(written), sound = words => words.includes(null) ? null : words;
    switch (node.kind) {
      case 'words': return spelled(node);
      case 'any': return '*';
      case 'filter': return node.field + ':' + node.value;
      case 'in': return sound(all([node.node])) && [...node.layers].sort((a, b) => a - b).map(l => zhushu.layers[l].zh).join('') + ':' + written(node.node);
      case 'all': return sound(all(node.nodes)) && all(node.nodes).join(' ');
      case 'relation': return node.without ? null : sound(all([node.left, node.right])) && written(node.left) + ' @ ' + written(node.right);
      default: return null;
    }
  }
  const spelled = node => node.typed.map(c => c === null ? '?' : c).join('');

  /* Queries similar to one that found nothing. */
  function near(query, q, options) {
    const found = wordsOf(query), all = otherwise(query, q, options);
    if (!found) return all;
    const count = (node, how) => {
      const total = node.codes.some(c => c !== 0) ? zhushu.find(node, how).length : 0;
      return total > 0 ? [{ query: spelled(node), total }] : [];
    };
    const full = { folding: 'full', crossing: true }, { node } = found;
    if (options.folding !== 'full' || !options.crossing) all.push(...count(node, full));
    if (found.prefix) all.push(...countLayers(zhushu.find(node, options)).map(([layer, total]) => ({ query: layer + ':' + spelled(node), total })));
    const others = new Map();
    const other = (codes, typed) => { for (const n of count({ kind: 'words', codes, typed }, options)) others.set(n.query + ' ' + n.total, n); };
    for (let i = 0; node.codes.length > 2 && i < node.codes.length; i += 1) {
      if (i > 0 && i + 1 < node.codes.length) other(node.codes.with(i, 0), node.typed.with(i, null));
      other(node.codes.toSpliced(i, 1), node.typed.toSpliced(i, 1));
    }
    all.push(...[...others.values()].sort((a, b) => b.total - a.total || (a.query < b.query ? -1 : 1)));
    return all.slice(0, MAX_SUGGESTIONS);
  }

  /* The names in a query that match nothing. */
  function unknown(node) {
    if (node.kind !== 'filter') return [node.node, node.left, node.right, ...(node.nodes || [])].filter(Boolean).flatMap(unknown);
    const all = zhushu.texts.flatMap(text => text.regions.map(region => [text, region]));
    if (isName(node)) return [];
    const speakers = node.field === 'by' ? zhushu.texts.flatMap(text => text.speakers) : [];
    const first = ([text, region]) => node.field === 'witness' ? text.meta.siglum || text.meta.id : node.field === 'by' ? (text.by(region.layer) || [])[1] : text.meta[node.field];
    return [{ name: node.value, known: [...new Set([...all.map(first).filter(Boolean), ...speakers])].sort() }];
  }

  /* Answers a query as the program's api/search does; `asked`: q, folding, crossing, sort, skip, limit, context. Throws a Wrong. */
  zhushu.search = function (asked) {
    const query = zhushu.parse(asked.q), options = { folding: asked.folding, crossing: asked.crossing };
    const hits = zhushu.find(query, options);
    const byWords = asked.sort === 'left' || asked.sort === 'right';
    const sorted = byWords ? byContext(hits, asked.sort === 'left') : asked.sort === 'reading' ? byReading(hits, query, options) : byPlace(hits);
    const shown = sorted.slice(asked.skip, asked.skip + asked.limit).map(hit => answer(hit, asked.context));
    const none = hits.length === 0 ? { unknown: unknown(query), near: near(query, asked.q, options) } : {};
    return { total: hits.length, skip: asked.skip, hits: shown, counts: { layer: countLayers(hits), chapter: countChapters(hits) }, ...none };
  };
})(window.zhushu);
