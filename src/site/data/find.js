/* Evaluates queries, as src/search/eval/ does. A hit is { text, start, len }: positions in a text. */
(function (zhushu) {
  'use strict';

  const after = (a, b) => a.text.n - b.text.n || a.start - b.start || a.len - b.len;

  /* Hits in order, each once. */
  function merged(lists) {
    const all = lists.flat().sort(after);
    return all.filter((hit, i) => i === 0 || after(all[i - 1], hit) !== 0);
  }

  /* The regions that a part of a query searches. */
  class Scope {
    constructor(layers = null, filters = [], byUnit = false) { Object.assign(this, { layers, filters, byUnit }); }
    within(layers) {
      const both = this.layers ? new Set([...this.layers].filter(l => layers.has(l))) : layers;
      return new Scope(both, this.filters, true);
    }
    filtered(nodes) {
      const filters = nodes.flatMap(n => {
        if (n.kind === 'filter') return [[n, true]];
        return n.kind === 'not' && n.node.kind === 'filter' ? [[n.node, false]] : [];
      });
      return new Scope(this.layers, [...this.filters, ...filters], this.byUnit);
    }
    allows(text, region) {
      if (this.layers && !this.layers.has(region.layer) && !this.layers.has(region.sub)) return false;
      return this.filters.every(([filter, wanted]) => holds(filter, text, region) === wanted
        || filter.field === 'by' && units(text, region).some(u => u.speeches.some(s => named(filter, text.speakers[s[2]]) === wanted)));
    }
    /* The hits that the speakers whom the scope names say: of `whole` units those that report them too. */
    said(hits, whole) {
      const by = this.filters.filter(([filter]) => filter.field === 'by');
      return by.length === 0 ? hits : hits.filter(hit => by.every(([filter, wanted]) => {
        const { text } = hit, unit = text.unitAt(hit.start), who = text.said(hit), author = holds(filter, text, unit);
        if (whole) return (author || unit.speeches.some(s => named(filter, text.speakers[s[2]]))) === wanted;
        return (who === null ? author : named(filter, who)) === wanted;
      }));
    }
    regions(text) { return text.regions.filter(r => this.allows(text, r)); }
  }

  /* The names that a filter compares with. */
  function names(field, text, region) {
    const m = text.meta, author = text.by(region.sub) || text.by(region.layer);
    return {
      by: author ? [author[1], author[2]] : [],
      work: [m.work, m.work_key, m.work ? null : m.title],
      chapter: [m.chapter, m.chapter ? null : m.title],
      witness: [m.siglum, m.edition, m.id],
    }[field].filter(Boolean);
  }
  function holds(filter, text, region) {
    const wanted = zhushu.keyWords(filter.value);
    /* 鄉射禮 is also yili.05, the beginning of its loci; that must match as a whole. */
    const [, work, chapter] = /^([^.]+)\.(\d+)$/.exec(filter.value) || [];
    if (filter.field === 'chapter' && work && work + '.' + chapter.padStart(2, '0') === text.meta.locus) return true;
    return wanted !== '' && names(filter.field, text, region).some(name => zhushu.keyWords(name).includes(wanted));
  }

  /* True if a filter names a speaker. */
  function named(filter, who) {
    const wanted = zhushu.keyWords(filter.value);
    return wanted !== '' && zhushu.keyWords(who).includes(wanted);
  }

  /* True if a query means a name: by its words or a part of them, by an id with its authority or by the id alone. */
  function isCalled([kind, words, ids], { of, value }) {
    if (kind !== of) return false;
    const low = value.toLowerCase(), wanted = zhushu.keyWords(value);
    if (ids.some(id => [id, id.slice(id.lastIndexOf(':') + 1)].some(i => i.toLowerCase() === low))) return true;
    return !value.includes(':') && wanted !== '' && zhushu.keyWords(words).includes(wanted);
  }

  class Evaluator {
    /* `options`: folding (full, script, exact), crossing. */
    constructor(options) { this.options = options; }

    node(node, scope) {
      switch (node.kind) {
        case 'words': return this.each(scope, (text, region) => this.words(node, text, region));
        case 'pattern': return this.each(scope, (text, region) => this.scan(node.of[this.options.folding], text, region));
        case 'any': return this.each(scope, (text, region) => units(text, region).map(u => ({ text, start: u.first, len: u.len })), true);
        case 'marked': return this.each(scope, (text, region) => this.marked(node, text, region));
        case 'in': return this.node(node.node, scope.within(node.layers));
        case 'all': return this.all(node.nodes, scope);
        case 'either': return merged(node.nodes.map(n => this.node(n, scope)));
        case 'near': return this.near(this.node(node.left, scope), this.node(node.right, scope), node.n);
        case 'relation': return zhushu.related(this.node(node.left, scope), this.node(node.right, scope), !node.without);
        default: return this.all([node], scope);
      }
    }

    each(scope, look, whole = false) {
      return scope.said(zhushu.texts.flatMap(text => scope.regions(text).flatMap(region => look(text, region))), whole);
    }

    /* Where the source marks a name. */
    marked(node, text, region) {
      const called = text.names.map(name => isCalled(name, node));
      return units(text, region).flatMap(u => u.names.filter(n => called[n[2]]).map(([from, to]) => ({ text, start: u.first + from, len: to - from })))
        .sort(after).filter((hit, i, all) => i === 0 || after(all[i - 1], hit) !== 0);
    }

    words(node, text, region) {
      const { codes, typed } = node, { chars } = text, len = codes.length, hits = [];
      next: for (let start = region.first; start + len <= region.end; start += 1) {
        for (let i = 0; i < len; i += 1) {
          const c = chars[start + i];
          const fits = codes[i] === 0 || codes[i] === c || text.isRead(start + i, codes[i]);
          if (c === zhushu.BREAK || !fits) continue next;
        }
        if (!this.options.crossing && text.unitAt(start).end < start + len) continue;
        if (this.options.folding !== 'full' && !this.agrees(typed, text, start)) continue;
        hits.push({ text, start, len });
      }
      return hits;
    }

    /* True if the text at `start` is as it was typed. */
    agrees(typed, text, start) {
      const same = this.options.folding === 'exact' ? (a, b) => a === b : (a, b) => scripts(a) === scripts(b);
      return typed.every((words, i) => {
        if (words === null) return true;
        const unit = text.unitAt(start + i), at = unit.laid()[start + i - unit.first];
        return same(unit.words.slice(at.from, at.to), words);
      });
    }

    scan(pattern, text, region) {
      const hits = [];
      for (const unit of units(text, region)) {
        const words = this.own(unit);
        for (const found of words.matchAll(pattern)) {
          if (found[0] === '') continue;
          const start = unit.first + Array.from(words.slice(0, found.index)).length;
          hits.push({ text, start, len: Array.from(found[0]).length });
        }
      }
      return hits;
    }

    /* The text of a unit, folded as the options say. */
    own(unit) {
      const { folding } = this.options, { folded } = unit;
      if (folding === 'full') return folded;
      const codes = Array.from(folded);
      return unit.laid().map(({ from, to }, i) => {
        const words = unit.words.slice(from, to), own = words.startsWith('&') ? codes[i] : Array.from(words)[0];
        return folding === 'script' ? zhushu.foldScript(own) : own;
      }).join('');
    }

    all(nodes, outer) {
      const scope = outer.filtered(nodes), found = [], not = [];
      for (const node of nodes) {
        if (node.kind === 'filter' || (node.kind === 'not' && node.node.kind === 'filter')) continue;
        if (node.kind === 'not') not.push(this.node(node.node, scope)); else found.push(this.node(node, scope));
      }
      if (found.length === 0) found.push(this.node({ kind: 'any' }, scope));
      if (found.length === 1 && not.length === 0) return found[0];
      const where = hit => {
        const unit = hit.text.unitAt(hit.start);
        return scope.byUnit ? hit.text.n + ' ' + unit.n : hit.text.n + ':' + unit.group;
      };
      const places = found.map(hits => new Set(hits.map(where))), excluded = new Set(not.flat().map(where));
      const kept = hit => places.every(p => p.has(where(hit))) && !excluded.has(where(hit));
      return merged(found.map(hits => hits.filter(kept)));
    }

    near(a, b, n) {
      const longest = Math.max(0, ...a.map(h => h.len), ...b.map(h => h.len)), found = [];
      let from = 0;
      for (const x of a) {
        const least = { text: x.text, start: Math.max(0, x.start - n - longest), len: 0 };
        while (from < b.length && after(b[from], least) < 0) from += 1;
        for (let i = from; i < b.length && b[i].text === x.text && b[i].start <= x.start + x.len + n; i += 1) {
          const [first, second] = x.start <= b[i].start ? [x, b[i]] : [b[i], x];
          const gap = second.start - first.start - first.len, end = second.start + second.len;
          if (gap >= 0 && gap <= n && x.text.unbroken(first.start, end)) found.push({ text: x.text, start: first.start, len: end - first.start });
        }
      }
      return merged([found]);
    }
  }

  const scripts = words => Array.from(words, zhushu.foldScript).join('');
  const units = (text, region) => text.units.slice(region.unit, region.unitEnd);

  /* All hits of a query, in order. */
  zhushu.find = (query, options) => new Evaluator(options).node(query, new Scope());
  zhushu.names = names;
  zhushu.holds = holds;
  zhushu.named = named;
})(window.zhushu);
