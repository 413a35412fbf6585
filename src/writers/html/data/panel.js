/* The panel beside the text: what there is about the sentence that one points at. All of it is taken from the page, so it works from
   a folder. No ampersand and no less-than sign in this file: it is embedded in XML unescaped. */
(function () {
  const page = window.zhushuPage, panel = document.getElementById('panel'), main = document.getElementById('text');
  /* A review has a panel of its own. */
  if (!page || !panel || !main || document.getElementById('review-data')) return;
  const body = document.getElementById('panel-body'), tabs = Array.from(panel.querySelectorAll('[role=tab]'));
  const place = panel.querySelector('.place > span'), quoted = panel.querySelector('blockquote'), doubts = panel.querySelector('.doubts');
  let about = null, chosen = 'said';

  function make(name, words, ...children) {
    const element = document.createElement(name);
    if (words) element.textContent = words;
    element.append(...children);
    return element;
  }
  /* A copy for the panel: without ids, and without what belongs to the place in the text. */
  const OF_THE_PLACE = '.q, .cited, .n, .pop';
  function copy(node) {
    const made = node.cloneNode(true);
    if (!made.querySelectorAll) return made;
    if (made.matches(OF_THE_PLACE)) return '';
    for (const e of made.querySelectorAll(OF_THE_PLACE)) e.remove();
    for (const e of [made, ...made.querySelectorAll('[id]')]) e.removeAttribute('id');
    for (const e of [made, ...made.querySelectorAll('.lit')]) e.classList.remove('lit');
    return made;
  }
  /* Words under a heading, with a link to where they are. */
  function entry(who, layer, nodes, where) {
    const made = make('section', ''), head = make('h3', who || '');
    made.className = 'entry ' + (layer || '');
    const go = where ? make('a', '\u2197') : null;
    if (go) { go.href = '#' + where.id; go.title = document.getElementById('go').textContent; head.append(' ', go); }
    made.append(head, make('p', '', ...nodes));
    return made;
  }
  function layerOf(block) { const p = block.querySelector('.p[data-l]'); return p ? p.dataset.l : ''; }
  function firstOf(block) { return block.matches('.p[id]') ? block : block.querySelector('.p[id]'); }

  /* Notes inside the classic, up to the next sentence. */
  function inside(sentence) {
    const all = [];
    for (let e = sentence.nextElementSibling; e; e = e.nextElementSibling) {
      if (e.matches('.p.s')) break;
      if (e.matches('.in')) all.push(e);
    }
    return all;
  }
  /* Sub-commentaries of the passage: those that name the sentence; if none does, those that name nothing. */
  function commentaries(element) {
    const passage = element.closest('.jie');
    const all = passage ? Array.from(passage.querySelectorAll('.shuo > details')).filter(d => !d.contains(element)) : [];
    const links = d => Array.from(d.querySelectorAll('summary [data-w]'));
    const naming = all.filter(d => links(d).some(a => page.covers(a.dataset.w, element)));
    return naming.length || element.closest('.shuo') ? naming : all.filter(d => !links(d).length);
  }
  function notes(sentence) {
    if (!sentence.closest('.wen')) return inside(sentence);
    const following = page.said(sentence).slice(1).filter(e => e.matches('p:not(.translation)'));
    return [...inside(sentence), ...following];
  }
  const PARTS = {
    said(element) {
      const own = notes(element).map(e => entry(e.dataset.who, layerOf(e), page.whole(e).map(copy), firstOf(e)));
      const late = commentaries(element).map(d => {
        const words = Array.from(d.querySelectorAll(':scope > p')).flatMap(p => page.whole(p).map(copy));
        const head = make('b', '', ...Array.from(d.querySelector('summary').childNodes, copy));
        return entry(d.querySelector('summary').dataset.who, layerOf(d), [head, ' ', ...words], firstOf(d));
      });
      return [...own, ...late];
    },
    beside(element) {
      const keys = (element.dataset.b || '').split(' ').filter(Boolean), texts = new Map();
      for (const key of keys) for (const e of main.querySelectorAll('.bead[data-b~="' + CSS.escape(key) + '"]')) {
        const from = e.parentNode.querySelector('.from'), name = from ? from.title : '';
        if (!texts.has(name)) texts.set(name, []);
        if (!texts.get(name).some(known => known === e)) texts.get(name).push(e);
      }
      const own = element.closest('.wen') ? page.said(element).filter(e => e.matches('p.translation')) : [];
      return [...own.map(e => entry('', 'translation', page.whole(e).map(copy), firstOf(e))), ...Array.from(texts, ([name, all]) => {
        const made = entry(name, 'translation', all.map(copy), null);
        made.lang = all[0].closest('[lang]').lang;
        return made;
      })];
    },
    from(element) {
      const list = document.getElementById(element.id + '-in');
      const all = list ? Array.from(list.querySelectorAll('ul > li:not(.app, .low)')) : [];
      return all.map(li => {
        const link = li.querySelector('a'), made = make('section', '', ...Array.from(li.childNodes, copy));
        made.className = 'entry';
        const there = link ? (link.hash ? document.getElementById(decodeURIComponent(link.hash.slice(1))) : null) : null;
        const own = there ? there.closest('main') : null;
        if (own) made.prepend(make('h3', speaker(there)));
        if (own) made.append(around(there));
        return made;
      });
    },
    to(element) {
      const from = [element, ...notes(element)], seen = new Set();
      return from.flatMap(e => Array.from(e.querySelectorAll('a.ref'))).filter(a => !seen.has(a) ? seen.add(a) : false).map(a => {
        const words = page.told(a), made = make('section', '', make('h3', speaker(a)), copy(a), ' ', make('small', a.title));
        made.className = 'entry';
        if (words) made.append(make('p', words));
        return made;
      });
    },
    read(element) {
      const list = document.getElementById(element.id + '-in');
      const all = list ? Array.from(list.querySelectorAll('ul > li:is(.app, .low)')) : [];
      const noted = all.map(li => { const made = make('section', '', ...Array.from(li.childNodes, copy)); made.className = 'entry'; return made; });
      const marked = Array.from(element.querySelectorAll('.fix, .var, .made')).filter(e => e.title).map(e => {
        const made = make('section', e.title);
        made.className = 'entry';
        return made;
      });
      return [...noted, ...marked];
    },
    cite(element) {
      const form = page.filled(numberOf(element));
      if (!form) return [];
      const made = form.cloneNode(true);
      for (const e of made.querySelectorAll('.done')) e.classList.remove('done');
      return [made];
    },
  };
  /* What notes say of words, from the data of the page; in a site also what the notes of all texts say of a character. */
  const glossData = document.getElementById('gloss-data');
  const glosses = glossData ? JSON.parse(glossData.dataset.glosses) : [];
  function ours(kind) { const known = panel.querySelector('#gloss-words [data-kind=' + kind + ']'); return known ? known.textContent : kind; }
  function gloss([kind, word, sense, who], layer, where) {
    const made = make('section', ''), head = make('h3', word + ' '), link = where ? make('a', '\u2197') : null;
    made.className = 'entry gloss ' + layer;
    head.append(make('small', ours(kind)));
    if (link) { link.href = where; link.title = document.getElementById('go').textContent; head.append(' ', link); }
    made.append(head, make('p', sense, ' ', make('small', who || '')));
    return made;
  }
  PARTS.gloss = element => {
    const own = glosses.filter(g => g[0] === element.id ? true : g[1] === element.id);
    const made = own.map(g => gloss(g.slice(2), g[6], '#' + g[1]));
    const more = glossData ? 'site' in glossData.dataset : false, worth = made.length ? true : element.matches('.p.s');
    return more ? (worth ? [...made, everywhere(element)] : made) : made;
  };
  const loaded = new Map(), MAX_GLOSSES = 200;
  function load(file) {
    if (!loaded.has(file)) loaded.set(file, new Promise((done, failed) => {
      const script = make('script', '');
      script.src = file;
      script.onload = done;
      script.onerror = () => { loaded.delete(file); failed(new Error(file)); };
      document.head.append(script);
    }));
    return loaded.get(file);
  }
  async function ofAll(character) {
    await load('index.glosses.js');
    const known = window.zhushuGlosses, key = known.fold[character] || character, n = key.codePointAt(0) % known.files;
    if (known.kept.includes(n)) await load('index.glosses.' + n + '.js');
    const all = known.all[key] || [], left = all.length - MAX_GLOSSES;
    const shown = all.slice(0, MAX_GLOSSES).map(([text, id, ...g]) => {
      const [page, title] = known.texts[text], made = gloss(g, '', page + '#' + id);
      made.append(make('small', title));
      return made;
    });
    return left > 0 ? [...shown, make('p', '\u2026 +' + left)] : shown;
  }
  /* A button for each character of the words, which shows what all texts say of it. */
  function everywhere(element) {
    const words = page.parts(element).flatMap(page.whole).map(copy).map(e => e.textContent || '').join('');
    const list = make('div', ''), bar = make('p', ''), made = make('section', '', make('h3', ours('all')), bar, list);
    made.className = 'entry everywhere';
    let turn = 0;
    list.setAttribute('role', 'status');
    for (const c of new Set(Array.from(words).filter(c => /\p{L}/u.test(c)))) {
      const button = make('button', c);
      button.type = 'button';
      button.setAttribute('aria-pressed', 'false');
      button.addEventListener('click', () => {
        for (const b of bar.children) b.setAttribute('aria-pressed', b === button);
        const now = ++turn, fill = all => { if (now === turn) list.replaceChildren(...(all.length ? all : [make('p', '\u2014')])); };
        ofAll(c).then(fill).catch(error => fill([make('p', error.message)]));
      });
      bar.append(button);
    }
    return made;
  }
  /* Who speaks where an element is: the label of its block. */
  function speaker(element) {
    const block = element.closest('[data-who], details'), summary = block ? (block.matches('details') ? block.querySelector('summary') : block) : null;
    return summary ? summary.dataset.who || '' : '';
  }
  const AROUND = 12;
  /* Words with those around them. */
  function around(element) {
    const block = element.closest('p, summary, h2'), made = make('p', '');
    if (!block) return made;
    const side = before => {
      const range = document.createRange();
      range.selectNodeContents(block);
      if (before) range.setEndBefore(element); else range.setStartAfter(element);
      const all = Array.from(range.toString());
      return before ? all.slice(-AROUND).join('') : all.slice(0, AROUND).join('');
    };
    made.className = 'around';
    made.append('\u2026' + side(true), make('mark', element.textContent), side(false) + '\u2026');
    return made;
  }
  function numberOf(element) {
    const before = element.previousElementSibling;
    return before ? (before.matches('.n[id]') ? before : null) : null;
  }
  /* What is doubtful about where it begins. */
  function doubtsOf(element) {
    const all = [];
    for (let e = element.previousElementSibling; e; e = e.previousElementSibling) {
      if (e.matches('.q')) all.push(e.title);
      if (!e.matches('.q, .n')) break;
    }
    return all.join(' ');
  }

  function listsOf(element) { return new Map(tabs.map(tab => [tab.id.slice(6), PARTS[tab.id.slice(6)](element)])); }
  function fill(lists) {
    if (!lists.get(chosen).length) chosen = tabs.map(t => t.id.slice(6)).find(id => lists.get(id).length) || 'said';
    for (const tab of tabs) {
      const id = tab.id.slice(6), list = lists.get(id), on = id === chosen;
      tab.querySelector('small').textContent = id === 'cite' ? '' : list.filter(e => !e.matches('.everywhere')).length;
      tab.hidden = !list.length;
      tab.setAttribute('aria-selected', on);
      tab.tabIndex = on ? 0 : -1;
      if (on) body.setAttribute('aria-labelledby', tab.id);
    }
    body.replaceChildren(...lists.get(chosen));
    body.scrollTop = 0;
  }
  let marked = null;
  /* What is cut into double rows is made again when the width changes: then its first part has the id. */
  function again(element) { return element.isConnected ? element : document.getElementById(element.id || element.dataset.part) || element; }
  function show(clicked) {
    const element = clicked.id ? clicked : document.getElementById(clicked.dataset.part) || clicked;
    /* A heading has nothing that a panel could show. */
    const lists = listsOf(element);
    if (!Array.from(lists.values()).some(list => list.length)) return;
    if (marked) for (const e of marked) e.classList.remove('at');
    const number = numberOf(element);
    marked = [element, ...(number ? [number] : [])];
    for (const e of marked) e.classList.add('at');
    about = element;
    page.at = element;
    place.textContent = (number ? number.id : '') + page.leaf(element).replace('\uff0c', ' ');
    quoted.replaceChildren(...page.parts(element).flatMap(page.whole).map(copy));
    doubts.textContent = doubtsOf(element);
    fill(lists);
    if (!panel.hidden) return;
    document.dispatchEvent(new Event('zhushu-panel'));
    panel.hidden = false;
    const before = element.getBoundingClientRect().top;
    document.documentElement.classList.add('with-panel');
    page.fit();
    refresh();
    /* The sentence stays where it was, or comes above the sheet. */
    const now = about.getBoundingClientRect(), room = panel.getBoundingClientRect();
    scrollBy({ top: now.top - before, behavior: 'instant' });
    if (room.left === 0) if (about.getBoundingClientRect().bottom > room.top) about.scrollIntoView({ block: 'nearest' });
  }
  function refresh() {
    about = page.at = again(about);
    marked = marked.map(again);
    for (const e of marked) e.classList.add('at');
  }
  function close() {
    if (panel.hidden) return false;
    const inside = panel.contains(document.activeElement);
    panel.hidden = true;
    document.documentElement.classList.remove('with-panel');
    page.fit();
    refresh();
    for (const e of marked) e.classList.remove('at');
    if (inside) if (about) { about.tabIndex = -1; about.focus({ preventScroll: true }); }
    return true;
  }
  function step(by) {
    const all = Array.from(main.querySelectorAll('.p.s')).filter(e => e.getClientRects().length), n = all.indexOf(about);
    /* From a note the next sentence is the one after it. */
    const after = all.findIndex(e => about.compareDocumentPosition(e) % 8 >= 4), from = after >= 0 ? after : all.length;
    const next = n >= 0 ? all[n + by] : all[by > 0 ? from : from - 1];
    if (next) { show(next); next.scrollIntoView({ block: 'center', inline: 'center' }); }
  }
  page.panel = { show, close, glosses, get open() { return !panel.hidden; }, again: () => { if (!panel.hidden) fill(listsOf(about)); } };

  document.getElementById('panel-close').addEventListener('click', close);
  document.getElementById('panel-before').addEventListener('click', () => step(-1));
  document.getElementById('panel-next').addEventListener('click', () => step(1));
  function choose(tab) { chosen = tab.id.slice(6); fill(listsOf(about)); }
  for (const tab of tabs) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', event => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const shown = tabs.filter(t => !t.hidden), next = shown[(shown.indexOf(tab) + by + shown.length) % shown.length];
      event.preventDefault();
      event.stopPropagation();
      choose(next);
      next.focus();
    });
  }
  /* A click on a sentence, but not on what has a meaning of its own, and not at the end of a selection. */
  document.addEventListener('click', event => {
    if (!event.target.closest || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (event.target.closest('a, button, summary, .fix, .var, .made, .name, abbr, .pop, .menu')) return;
    const element = event.target.closest('main .p:is([id], [data-part])');
    if (!element || !getSelection().isCollapsed) return;
    show(element);
  });
  document.addEventListener('focusin', event => {
    if (!panel.hidden) if (event.target.matches('main .p.s')) show(event.target);
  });
  document.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !event.target.matches('main .p.s')) return;
    event.preventDefault();
    show(event.target);
    panel.focus();
  });
})();
