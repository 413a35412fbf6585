/* The search box: sends queries to a server, or searches the texts of the site itself, and shows the answers.
   Loaded when a reader first searches. */
(function (zhushu) {
  'use strict';

  const HITS_AT_A_TIME = 20, CONTEXT_CHARS = 12, TYPING_PAUSE_MS = 250, MAX_LEAVES = 12, FILES_AT_A_TIME = 6;
  const drawer = document.getElementById('drawer');
  const ask = document.getElementById('ask'), found = document.getElementById('found');
  let tables = null, metas = new Map(), turn = 0;

  zhushu.tables = function (all) {
    tables = all;
    metas = new Map(all.texts.map(t => [t.id, t]));
  };

  /* Of the version of this file. */
  const version = document.currentScript.src.replace(/^[^?]*/, '');
  function load(file) {
    return new Promise((done, failed) => {
      const script = document.createElement('script');
      script.src = file + version;
      script.onload = done;
      script.onerror = () => failed(Object.assign(new Error(file), { unavailable: true }));
      document.head.append(script);
    });
  }
  function make(name, about, ...children) {
    const element = Object.assign(document.createElement(name), about);
    element.append(...children);
    return element;
  }

  /* An element with our own words, which are written in the language of the page when they are shown. */
  function ours(template, name = 'span') {
    const element = document.createElement(name);
    element.dataset.m = template;
    return element;
  }
  /* A layer by its id or its Chinese name. */
  function layerName(name) {
    const layer = tables.layers.find(l => l.names[0] === name || l.zh === name);
    return layer ? '{layer-' + layer.names[0].replace('_', '-') + '}' : name;
  }

  /* Loads what a query needs. */
  let begun = null;
  function begin() {
    const all = () => load('index.endpoint.js').then(() => load('index.search.js')).then(() => zhushu.endpoint ? null : words());
    begun = begun || all().catch(e => { begun = null; throw e; });
    return begun;
  }
  /* Takes a text from its file: deflated, in base 64. */
  const taken = [];
  zhushu.packed = function (letters) { taken.push(unpacked(letters)); };
  async function unpacked(letters) {
    const bytes = Uint8Array.from(atob(letters), c => c.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    zhushu.words(await new Response(plain).json());
  }
  /* Without a server: loads all texts, a few at a time. */
  async function words() {
    await load('index.find.js');
    zhushu.takeUp(tables);
    let n = 0;
    const left = tables.texts.values();
    const reader = async () => {
      for (const text of left) {
        await load(text.words);
        await Promise.all(taken.splice(0));
        n += 1;
        say(ours(`{ask-reading n=${n} all=${tables.texts.length}}`));
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_A_TIME }, reader));
    say('');
  }

  /* What is put before a query to keep it to the chapter of the page. */
  function scope(asked) {
    const own = asked.here ? tables.texts.find(t => t.page === drawer.dataset.text) : null;
    return own ? 'chapter:' + own.locus + ' (' : '';
  }
  /* Answers a query; throws if there is an error in it. */
  async function answer(typed) {
    await begin();
    const before = scope(typed), asked = before ? { ...typed, q: before + typed.q + ')' } : typed;
    try {
      return await evaluate(asked);
    } catch (error) {
      if (error.column) error.column = Math.max(1, error.column - before.length);
      throw error;
    }
  }
  async function evaluate(asked) {
    if (!zhushu.endpoint) return zhushu.search(asked);
    const { q, skip, limit, context, sort } = asked, parameters = new URLSearchParams({ q, skip, limit, context, sort });
    if (asked.folding === 'exact') parameters.set('exact', 'true');
    if (asked.folding === 'script') parameters.set('no-variants', 'true');
    if (!asked.crossing) parameters.set('no-crossing', 'true');
    for (const by of ['layer', 'chapter']) parameters.append('by', by);
    const reply = await fetch(zhushu.endpoint + '?' + parameters);
    const result = await reply.json();
    if (result.error) throw Object.assign(new Error(result.error.message), result.error);
    return result;
  }
  zhushu.answer = answer;

  /* Options. */
  function choice(label, values) {
    const select = make('select', {}, ...values.map(([value, words]) => Object.assign(ours(words, 'option'), { value })));
    select.addEventListener('change', () => run());
    return [select, make('label', {}, ours(label), ' ', select)];
  }
  const [folding, foldingLabel] = choice('{ask-characters}', [['full', '{ask-variants}'], ['script', '{ask-scripts}'], ['exact', '{ask-typed}']]);
  const [order, orderLabel] = choice('{ask-order}', [['reading', '{ask-classics-first}'], ['place', '{ask-place}'], ['left', '{ask-left}'], ['right', '{ask-right}']]);
  const [within, withinLabel] = choice('{ask-within}', [['all', '{ask-everywhere}'], ['here', '{ask-here}']]);
  withinLabel.hidden = !(drawer && drawer.dataset.text);
  const crossing = make('input', { type: 'checkbox', checked: true });
  crossing.addEventListener('change', () => run());
  const EXAMPLES = [
    ['賢獲', '{ask-across}'], ['注:今文', '{ask-layer}'], ['by:鄭玄 今文', '{ask-by}'],
    ['注:(今文 AND 古文)', '{ask-both}'], ['坐 NEAR/5 獲', '{ask-near}'],
    ['今文?爲', '{ask-any}'], ['re:今文.{1,4}爲', '{ask-regex}'], ['注:今文 @ 經:射', '{ask-relation}'],
  ];
  const help = make('details', {}, ours('{ask-language}', 'summary'), make('ul', {}, ...EXAMPLES.map(([query, means]) => {
    return make('li', {}, again(query, query), ' ', ours(means, 'small'));
  })));
  const ways = make('div', { className: 'ways' }, withinLabel, foldingLabel, orderLabel, make('label', {}, crossing, ' ', ours('{ask-crossing}')), help);

  /* A button that runs another query. */
  function again(words, query) {
    const button = make('button', { type: 'button' }, words);
    button.addEventListener('click', () => { ask.value = query; run(); });
    return button;
  }

  const status = make('p', { id: 'total' }), shown = make('div', {});
  status.setAttribute('role', 'status');
  function say(...what) {
    status.replaceChildren(...what);
    zhushu.translate(status);
  }

  function row(hit) {
    const meta = metas.get(hit.document) || { page: '', title: hit.document, locus: '' };
    const link = make('a', {}, make('span', { className: 'l', textContent: hit.left }),
      make('span', { className: 'r' }, make('mark', { textContent: hit.hit }), hit.right));
    link.href = meta.page + (hit.words ? '?w=' + hit.words : '') + (hit.anchor ? '#' + encodeURIComponent(hit.anchor) : '');
    const passage = hit.anchor && hit.anchor.startsWith(meta.locus + '.') ? hit.anchor.slice(meta.locus.length + 1) : '';
    const sure = hit.certainty < .9 ? String(hit.certainty).replace(/^0/, '') : '';
    const where = [meta.title, passage, hit.leaf, ours(layerName(hit.layer)), hit.by, sure].filter(Boolean);
    return make('li', {}, link, make('small', {}, ...where.flatMap((part, n) => n > 0 ? [' · ', part] : [part])));
  }

  /* The chapter of a hit, as the counts name it. */
  function chapterOf(hit) {
    const work = hit.work || (metas.get(hit.document) || { title: hit.document }).title;
    return hit.chapter ? work + '・' + hit.chapter : work;
  }
  /* The hits in rows. In the order of the texts, each run of hits in a chapter has its name, and how many there are in all. */
  let chapter = null, chapters = new Map();
  function rows(asked, result) {
    const isByText = asked.sort === 'reading' || asked.sort === 'place';
    if (asked.skip === 0) [chapter, chapters] = [null, new Map(result.counts.chapter)];
    return result.hits.flatMap(hit => {
      const name = chapterOf(hit), isNew = isByText && name !== chapter;
      chapter = name;
      return isNew ? [make('li', { className: 'of' }, name, make('small', {}, ' ' + (chapters.get(name) || ''))), row(hit)] : [row(hit)];
    });
  }

  /* The leaves of the print that have this name: `SBCK 6-1b`, `006-1b`. Zeros before a number do not count, and a part of the edition's name is enough. */
  function leaves(q) {
    const words = q.toLowerCase().split(/[ _\u3000]/), number = n => n.replace(/^0+/, '');
    const last = number(words.pop());
    if (!tables || !/\d/.test(last)) return [];
    const isCalled = ([name]) => {
      const edition = name.toLowerCase().split(/[ _]/);
      return number(edition.pop()) === last && words.every(word => edition.includes(word));
    };
    return tables.texts.flatMap(text => (text.leaves || []).filter(isCalled).map(leaf => [text, leaf]));
  }
  /* A link to the first sentence on each. */
  function leafLinks(q) {
    const items = leaves(q).slice(0, MAX_LEAVES).map(([text, [name, locus]]) => {
      const link = make('a', {}, ours('{ask-leaf}'), ' ' + name);
      link.href = text.page + (locus ? '#' + encodeURIComponent(locus) : '');
      return make('li', {}, link, ' ', make('small', {}, text.title));
    });
    return items.length > 0 ? [make('ul', { className: 'leaves' }, ...items)] : [];
  }

  /* Counts by layer; each narrows the query to its layer. */
  function layers(counts, q) {
    const whole = /^[^\s()（）:：@＠"“「『]+$/u.test(q) ? q : '(' + q + ')';
    return counts.length > 1 ? counts.flatMap(([layer, n]) => [' ', again(ours(layerName(layer) + ' ' + n), layer + ':' + whole)]) : [];
  }

  function show(asked, result) {
    const list = asked.skip > 0 ? shown.querySelector('ol') : make('ol', {});
    const fresh = rows(asked, result);
    list.append(...fresh);
    const upto = asked.skip + result.hits.length;
    say(ours(result.total > 0 ? `{ask-shown n=${upto} all=${result.total}}` : '{ask-none}'), ...layers(result.counts.layer, asked.q));
    if (asked.skip === 0) shown.replaceChildren(...leafLinks(asked.q), ...(result.total > 0 ? [list] : nothing(result)));
    else shown.querySelector('.more').remove();
    if (upto < result.total) {
      const more = make('button', { type: 'button', className: 'more' }, ours('{ask-more}'));
      more.addEventListener('click', () => run(upto));
      shown.append(more);
    }
    zhushu.translate(shown);
    if (asked.skip > 0) fresh.map(item => item.querySelector('a')).find(Boolean)?.focus();
  }
  function nothing(result) {
    const names = result.unknown.map(u => make('li', {}, ours('{ask-no-such}'), u.name, ours(u.known.length > 0 ? '{ask-there-are}' : '{ask-no-others}'), ...u.known.flatMap((k, i) => i > 0 ? [', ', k] : [k])));
    const near = result.near.map(n => make('li', {}, again(n.query, n.query), ' ' + n.total));
    return names.length + near.length > 0 ? [make('ul', {}, ...names, ...near)] : [];
  }
  /* An error message, with its place in the query. */
  function complain(asked, error) {
    if (error.unavailable) say(ours('{ask-unavailable}'), error.message); else say(error.message);
    const lines = [];
    if (error.column) {
      const chars = Array.from(asked.q), from = error.column - 1, to = from + error.width;
      const mark = make('mark', { textContent: chars.slice(from, to).join('') || ' ' });
      lines.push(make('p', { className: 'wrong' }, chars.slice(0, from).join(''), mark, chars.slice(to).join('')));
    }
    if (error.hint) lines.push(make('p', {}, make('small', { textContent: error.hint })));
    shown.replaceChildren(...leafLinks(asked.q), ...lines);
    zhushu.translate(shown);
  }

  function run(skip = 0) {
    const q = ask.value.trim(), now = ++turn;
    if (!q) {
      say('');
      return shown.replaceChildren();
    }
    const asked = { q, skip, limit: HITS_AT_A_TIME, context: CONTEXT_CHARS, sort: order.value, folding: folding.value, crossing: crossing.checked, here: within.value === 'here' };
    return answer(asked).then(result => { if (now === turn) show(asked, result); }, e => { if (now === turn) complain(asked, e); });
  }

  zhushu.asking = { make, ours, row, ways, begin };
  found.replaceChildren(ways, status, shown);
  zhushu.translate(found);
  let soon = 0;
  ask.addEventListener('input', event => {
    clearTimeout(soon);
    if (!event.isComposing) soon = setTimeout(run, TYPING_PAUSE_MS);
  });
  ask.addEventListener('compositionend', () => { soon = setTimeout(run, TYPING_PAUSE_MS); });
  ask.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || event.isComposing) return;
    clearTimeout(soon);
    run();
  });
  begin().then(() => { if (ask.value) run(); }, e => complain({ q: '' }, e));
})(window.zhushu);
