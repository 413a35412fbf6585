/* Highlights corresponding elements, finds exact words, makes double rows. No ampersand and no less-than sign in this
   file: it is embedded in XML unescaped. The page also works without it: reading, switches and links. */
'use strict';
(function () {
  /* One sheet of a chapter may be added to another (sheets.js). */
  if (window.name === 'zhushu-sheet') if (location.protocol === 'file:') if (parent !== window) {
    const parts = document.querySelectorAll('#text, footer, #zi, #gloss-data');
    return parent.postMessage(Array.from(parts, e => e.outerHTML).join(''), '*');
  }
  if (window.zhushuFrame) zhushuFrame.add();
  const say = document.getElementById('say');

  const inputs = Array.from(document.querySelectorAll('.switches input'));
  for (const form of document.querySelectorAll('.switches')) form.addEventListener('change', () => set());
  function on(id) { const input = document.getElementById(id); return input ? input.checked : false; }

  const main = document.getElementById('text');

  /* Notes in double rows: each is cut into pieces that fit one line, and each piece is halved; reading order does not change. */
  const whole = new Map();
  const NOTE = '.run .wen > p:is(.every-note), .run .wen > p:is(.jing, .zhuan) > .in';
  function cut(from, count) {
    const range = document.createRange();
    const end = point(from, count);
    range.setStart(from, 0);
    if (end) range.setEnd(end[0], end[1]); else range.setEnd(from, from.childNodes.length);
    return range.extractContents();
  }
  function point(root, count) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let seen = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      let at = 0;
      for (const c of node.data) {
        if (seen === count) return [node, at];
        at += c.length;
        seen += 1;
      }
    }
    return null;
  }
  function row(piece) {
    const span = document.createElement('span');
    span.append(piece);
    return span;
  }
  /* No row begins with a closing mark. */
  const CLOSES = /[\u3001\u3002\uff0c\uff1b\uff1a\uff1f\uff01\u300d\u300f\uff09\u300b\u3009\u201d\u2019,.;:?!)]/;
  /* The rows of a note of which `left` characters fit into the line where it begins, and `full` into a whole line. */
  function rows(note, left, full) {
    const source = document.createElement('span');
    source.append(...Array.from(note.childNodes, node => node.cloneNode(true)));
    const words = Array.from(source.textContent), made = [];
    const upTo = end => { while (CLOSES.test(words[end] || '')) end += 1; return Math.min(end, words.length); };
    let at = 0, fits = left > 1 ? left : full;
    while (words.length > at) {
      const first = upTo(at + Math.min(fits, Math.ceil((words.length - at) / 2)));
      const second = upTo(Math.min(words.length, first + (first - at)));
      const pair = document.createElement('span');
      pair.className = 'jz';
      pair.append(row(cut(source, first - at)));
      if (second > first) pair.append(row(cut(source, second - first)));
      at = second;
      if (at === words.length) pair.lastChild.append(...source.childNodes);
      made.push(pair);
      fits = full;
    }
    return made;
  }
  function put(note, made) {
    whole.set(note, Array.from(note.childNodes));
    note.replaceChildren(...made);
    /* A cut through an element makes two elements: the first keeps the id, the others are marked as its parts. */
    const seen = new Set();
    for (const element of note.querySelectorAll('[id]')) {
      if (seen.has(element.id)) { element.dataset.part = element.id; element.removeAttribute('id'); } else seen.add(element.id);
    }
  }
  function shell(element, ...children) {
    const copy = element.cloneNode(false);
    copy.removeAttribute('id');
    copy.append(...children);
    return copy;
  }
  function copies(nodes) {
    return nodes.map(node => {
      const copy = node.cloneNode(true);
      if (copy.querySelectorAll) for (const e of [copy, ...copy.querySelectorAll('[id]')]) e.removeAttribute('id');
      return copy;
    });
  }
  /* Text without a break, with the notes in it. `wrap` puts something at the place of a note. */
  function runs(passages) {
    const all = [];
    let run = null, block = null;
    const words = nodes => { if (run) run.items.push({ nodes }); };
    const start = () => { if (!run) { run = { block, items: [] }; all.push(run); } };
    const shown = note => note.checkVisibility ? note.checkVisibility() : note.getClientRects().length > 0;
    const note = (element, wrap) => { if (shown(element)) run.items.push({ note: element, wrap }); };
    for (const jie of passages) {
      const own = jie.closest('.zhang') || main;
      if (own !== block || !jie.matches('.run')) run = null;
      block = own;
      if (!jie.matches('.run')) continue;
      for (const child of jie.querySelectorAll(':scope > .wen > *')) {
        if (!child.matches('p:not(.label)')) { run = null; continue; }
        start();
        if (child.matches(NOTE)) note(child, made => shell(child, ...made));
        else splitParagraph(child, words, note);
        words([' ']);
      }
    }
    return all;
  }
  /* A paragraph of the classic, split by the notes inside it. */
  function splitParagraph(paragraph, words, note) {
    let nodes = [];
    const flush = () => { if (nodes.length) words([shell(paragraph, ...copies(nodes))]); nodes = []; };
    for (const node of paragraph.childNodes) {
      if (node.nodeType === 1 ? !node.matches(NOTE) : true) { nodes.push(node); continue; }
      flush();
      note(node, made => shell(paragraph, shell(node, ...made)));
    }
    flush();
  }
  /* Where text ends is measured in a box beside the text, as wide as a line, so that the page itself is laid out only once. */
  function gauge(block, upright) {
    const make = (name, parent) => { const e = document.createElement('div'); e.className = name; parent.append(e); return e; };
    const style = getComputedStyle(block), line = block.getBoundingClientRect();
    const [start, end] = upright ? [style.paddingTop, style.paddingBottom] : [style.paddingLeft, style.paddingRight];
    const full = (upright ? line.height : line.width) - parseFloat(start) - parseFloat(end);
    const box = make('gauge', block), wen = make('wen', make('jie run', box));
    box.style.inlineSize = full + 'px';
    const blank = make('blank', wen), mark = make('blank', wen);
    return {
      full,
      /* Where a note begins after some text, which begins at `from`. */
      after(from, nodes, size) {
        blank.style.inlineSize = from + 'px';
        mark.style.inlineSize = 2 * size + 'px';
        wen.replaceChildren(...(from > 0 ? [blank] : []), ...nodes, mark);
        const all = box.getBoundingClientRect(), here = mark.getBoundingClientRect();
        return Math.max(0, upright ? here.top - all.top : here.left - all.left);
      },
      remove() { box.remove(); },
    };
  }
  function doubles(upright, passages) {
    const ready = [];
    let box = null, block = null;
    for (const run of runs(passages)) {
      if (!run.items.some(item => item.note)) continue;
      if (run.block !== block) { if (box) box.remove(); box = gauge(run.block, upright); }
      block = run.block;
      let at = 0, nodes = [];
      for (const item of run.items) {
        if (!item.note) { nodes.push(...item.nodes); continue; }
        const size = parseFloat(getComputedStyle(item.note).fontSize);
        at = box.after(at, nodes, size);
        const made = rows(item.note, Math.floor((box.full - at) / size - .6), Math.max(2, Math.floor(box.full / size - .6)));
        nodes = [item.wrap(copies(made))];
        ready.push([item.note, made]);
      }
    }
    if (box) box.remove();
    for (const [note, made] of ready) put(note, made);
  }
  function single() {
    for (const [note, nodes] of whole) note.replaceChildren(...nodes);
    whole.clear();
  }

  /* Script: the page's own table, character by character; the source's text is restored unchanged. */
  const zi = document.getElementById('zi');
  const table = new Map();
  function learn(pairs) {
    const all = Array.from(pairs);
    for (let i = 0; all.length > i; i += 2) table.set(all[i], all[i + 1]);
  }
  if (zi) {
    learn(zi.dataset.zi);
    zi.hidden = false;
  }
  let converted = [];
  function convert() {
    for (const [node, words] of converted) node.data = words;
    converted = [];
    const wanted = on('zi-jian') || on('zi-fan');
    if (zi) document.documentElement.classList.toggle('converted', wanted);
    if (!wanted) return;
    for (const root of document.querySelectorAll('main, h1, nav, .pop')) respell(root);
  }
  function respell(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentNode.dataset.m) continue;
      const words = Array.from(node.data, c => table.get(c) || c).join('');
      if (words !== node.data) { converted.push([node, node.data]); node.data = words; }
    }
  }

  /* Language of our own words. Elements keep their templates: `{key}`, or `{1F n=3}` with the place of a key; the words of another
     language are loaded when asked for. */
  const languages = document.getElementById('languages');
  const KEPT = [['mt', 'title'], ['ma', 'aria-label'], ['mw', 'data-who'], ['mo', 'data-more']];
  let spoken = document.documentElement.dataset.language;
  window.zhushuWords = window.zhushuWords || {};
  let keysOfWords = null;
  function fill(template, words) {
    keysOfWords = keysOfWords || Object.keys(words);
    return template.replace(/\{([\w-]+)((?: \w+=[^ {}]*)*)\}/g, (whole, name, given) => {
      const key = /^[0-9A-Z]+$/.test(name) ? keysOfWords[parseInt(name, 36)] : name;
      if (!Object.hasOwn(words, key)) return whole;
      const args = new Map(given.trim().split(' ').map(a => a.split('=')));
      const form = words[key], text = Array.isArray(form) ? form[args.get('n') === '1' ? 0 : 1] : form;
      return text.replace(/\{(\w+)\}/g, (hole, name) => args.has(name) ? args.get(name) : hole);
    });
  }
  function translate(root, words, language) {
    for (const e of [root, ...root.querySelectorAll('[data-m], [data-mt], [data-ma], [data-mw], [data-mo], [data-own], [data-in-en]')]) {
      if (e.dataset.m) e.textContent = fill(e.dataset.m, words);
      if (e.dataset.inEn) e.textContent = e.getAttribute('data-in-' + language.toLowerCase());
      for (const [kept, name] of KEPT) if (e.dataset[kept]) e.setAttribute(name, fill(e.dataset[kept], words));
      if (e.dataset.ma) if (e.matches('main button')) e.title = e.getAttribute('aria-label');
      if ('own' in e.dataset) e.lang = language;
      if (e.hasAttribute('xml:lang')) e.setAttribute('xml:lang', e.lang);
    }
    for (const e of root.querySelectorAll('abbr[data-u]')) e.title = e.dataset.u + ' ' + words[e.matches('.rare') ? 'char-rare' : 'char-private'];
    for (const e of root.querySelectorAll('main a.n')) e.title = e.id;
    for (const e of root.querySelectorAll('footer li > a[href^="#r"], .pop li > a:is([data-mt], [href^="#r"])')) repeat(e, words);
  }
  const SHOWN = 40;
  /* The lists of a page say what the references are that they list: its foot all that the text says, lists of what leads to a place the kind. */
  function repeat(link, words) {
    const place = link.dataset.mt ? link : document.getElementById(link.hash.slice(1));
    if (!place) return;
    const kind = link.closest('.pop') ? place.dataset.mt : '';
    if (kind) if (place !== link) {
      const letters = Array.from(place.textContent);
      link.textContent = letters.slice(0, SHOWN).join('') + (letters.length > SHOWN ? '\u2026' : '');
      link.title = place.title;
    }
    const next = link.nextElementSibling, small = next ? (next.matches('.why') ? next : null) : null;
    const why = small || document.createElement('small');
    why.className = 'why';
    why.textContent = ' ' + (kind ? fill(kind.slice(0, kind.indexOf('}') + 1), words) : place.title);
    if (!small) link.after(why);
  }
  const loading = new Map();
  function wordsOf(input) {
    if (!loading.has(input.value)) loading.set(input.value, new Promise((done, failed) => {
      const script = document.createElement('script');
      script.src = input.dataset.words;
      script.onload = () => done(window.zhushuWords[input.value]);
      script.onerror = () => { loading.delete(input.value); failed(new Error(input.dataset.words)); };
      document.head.append(script);
    }));
    return loading.get(input.value);
  }
  /* Writes our words in an element in the chosen language. */
  function speak(root) {
    const input = languages.querySelector('input:checked');
    return wordsOf(input).then(words => { if (input.checked) translate(root, words, input.value); });
  }
  /* For the review of a text, which has a program of its own. */
  window.zhushuSpeak = speak;
  /* The whole page in the chosen language; if that cannot be loaded, it stays as it is. */
  function language() {
    const input = languages.querySelector('input:checked');
    if (input.value === spoken) return null;
    return wordsOf(input).then(words => {
      if (!input.checked) return;
      if (whole.size) single();
      translate(document.documentElement, words, input.value);
      document.documentElement.dataset.language = spoken = input.value;
      now = '';
      set();
      if (pagePanel()) pagePanel().again();
    }, () => { document.getElementById('lang-' + spoken).checked = true; });
  }
  /* What is not text is written here, in the language of the page. */
  const own = zhushuWords[spoken];
  if (own) translate(document.documentElement, own, spoken);
  if (languages) {
    languages.hidden = false;
    languages.addEventListener('change', language);
  }

  let now = '';
  function set() {
    const upright = on('lay-zhi');
    const state = inputs.filter(i => i.checked).map(i => i.id).join(' ') + ' ' + innerWidth + ' ' + (upright ? innerHeight : 0);
    if (state === now) return;
    now = state;
    if (whole.size) single();
    convert();
    if (!main) return;
    if (upright || on('lay-jia')) doubles(upright, main.querySelectorAll('.jie'));
    mark('hit', wanted);
  }
  /* On paper, lines have another length. */
  function paper(is) {
    document.documentElement.classList.toggle('paper', is);
    now = '';
    set();
  }
  addEventListener('beforeprint', () => { if (whole.size) paper(true); });
  addEventListener('afterprint', () => { if (document.documentElement.matches('.paper')) paper(false); });
  let later = 0;
  addEventListener('resize', () => { clearTimeout(later); later = setTimeout(set, 150); });
  /* Rows are blocks, and a copy would have a line for each: instead the text is copied, as far as it is shown. */
  document.addEventListener('copy', event => {
    const selection = getSelection();
    if (!whole.size || selection.isCollapsed || !selection.rangeCount) return;
    const away = Array.from(main.querySelectorAll('*')).filter(e => getComputedStyle(e).display === 'none');
    for (const e of away) e.dataset.away = '';
    const copy = selection.getRangeAt(0).cloneContents();
    for (const e of away) delete e.dataset.away;
    for (const e of copy.querySelectorAll('[data-away]')) e.remove();
    if (on('sw-fix')) for (const e of copy.querySelectorAll('[data-c]')) e.textContent = e.dataset.c;
    event.clipboardData.setData('text/plain', copy.textContent);
    event.preventDefault();
  });
  /* What is copied is what is shown: repaired characters too. */
  document.addEventListener('copy', event => {
    const selection = getSelection();
    if (event.defaultPrevented || selection.isCollapsed || !on('sw-fix')) return;
    const repaired = Array.from(document.querySelectorAll('[data-c]')).filter(e => selection.containsNode(e, true));
    if (!repaired.length) return;
    const damaged = repaired.map(e => e.firstChild.data);
    for (const e of repaired) e.firstChild.data = e.dataset.c;
    event.clipboardData.setData('text/plain', selection.toString());
    repaired.forEach((e, n) => { e.firstChild.data = damaged[n]; });
    event.preventDefault();
  });
  if (main) main.addEventListener('wheel', event => {
    if (!on('lay-zhi') || event.ctrlKey || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    const before = main.scrollLeft;
    main.scrollLeft -= event.deltaY;
    if (main.scrollLeft !== before) event.preventDefault();
  }, { passive: false });

  /* Corresponding elements have the same key; a comment on a sentence follows it or names its words. */
  let lit = [];
  function said(sentence) {
    const block = sentence.closest('p'), passage = sentence.closest('.jie');
    if (!block || !passage || !sentence.matches('.s')) return [];
    const all = [sentence];
    for (let e = block.nextElementSibling; e; e = e.nextElementSibling) {
      if (e.matches('.jing, .zhuan, .label, .heading')) break;
      all.push(e);
    }
    for (const link of passage.querySelectorAll('.shuo [data-w]')) {
      const place = parse(link.dataset.w);
      if (place) if (within(place, sentence)) all.push(link);
    }
    return all;
  }
  /* There is no ampersand in this file. */
  function bit(mask, one) { return Math.floor(mask / one) % 2 === 1; }
  function within(place, element) {
    const before = Node.DOCUMENT_POSITION_PRECEDING, after = Node.DOCUMENT_POSITION_FOLLOWING;
    if (place.from === element || place.to === element) return true;
    return bit(element.compareDocumentPosition(place.from), before) ? bit(element.compareDocumentPosition(place.to), after) : false;
  }
  function light(element) {
    for (const e of lit) e.classList.remove('lit');
    lit = [];
    if (!element) return;
    const keys = element.dataset.b ? element.dataset.b.split(' ') : [];
    lit = keys.flatMap(key => Array.from(document.querySelectorAll('[data-b~="' + CSS.escape(key) + '"]')));
    if (element.matches('main .p')) lit.push(...said(element));
    const number = element.previousElementSibling;
    if (number) if (number.matches('main .n')) lit.push(number);
    for (const e of lit) e.classList.add('lit');
  }

  /* Exact words, as `x1.2:0-x1.4:7`: elements, and characters (white space not counted) before them. */
  function parse(words) {
    const m = /^([a-z][\d.]*):(\d+)-([a-z][\d.]*):(\d+)$/.exec(words || '');
    if (!m) return null;
    const from = document.getElementById(m[1]), to = document.getElementById(m[3]);
    return from ? to ? { from, start: Number(m[2]), to, end: Number(m[4]) } : null : null;
  }
  function offset(element, count, after) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let seen = 0, last = null;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      let at = 0;
      for (const c of node.data) {
        const blank = /\p{White_Space}/u.test(c);
        if (!blank) if (!after) if (seen === count) return [node, at];
        at += c.length;
        if (!blank) seen += 1;
        if (after) if (seen === count) return [node, at];
      }
      last = [node, at];
    }
    return last;
  }
  function parts(element) {
    return [element, ...document.querySelectorAll('[data-part="' + CSS.escape(element.id) + '"]')];
  }
  /* A place in an element that double rows may have cut into parts. */
  function seek(element, count, after) {
    let last = null, left = count;
    for (const part of parts(element)) {
      const long = part.textContent.replace(/\p{White_Space}/gu, '');
      const size = Array.from(long).length;
      last = part;
      if (after ? size >= left : size > left) return offset(part, left, after);
      left -= size;
    }
    return last ? offset(last, Infinity, true) : null;
  }
  function ranges(words) {
    const place = parse(words);
    if (!place) return [];
    const layer = place.from.dataset.l;
    const all = Array.from(document.querySelectorAll('.p[id][data-l="' + layer + '"]'));
    const first = all.indexOf(place.from), last = all.indexOf(place.to);
    const elements = last >= first ? all.slice(first, last + 1) : [place.from];
    return elements.flatMap(element => {
      const from = seek(element, element === place.from ? place.start : 0, false);
      const to = element === place.to ? seek(element, place.end, true) : seek(element, Infinity, true);
      if (!from || !to) return [];
      const range = document.createRange();
      range.setStart(from[0], from[1]);
      range.setEnd(to[0], to[1]);
      return [range];
    });
  }
  function mark(name, words) {
    if (!window.Highlight || !CSS.highlights) return;
    CSS.highlights.set(name, new Highlight(...ranges(words)));
  }

  /* What an element is, beside it; the details of its evidence are behind a word. */
  function describe(element) {
    if (!peek.showPopover) { say.textContent = element ? element.title : ''; say.hidden = !element; return; }
    if (peek.matches(':popover-open')) peek.hidePopover();
    if (!element) return;
    peek.replaceChildren();
    line('p', element.title);
    if (element.dataset.more) {
      const more = line('details', ''), head = document.createElement('summary'), rest = document.createElement('p');
      head.textContent = document.getElementById('more').textContent;
      rest.textContent = element.dataset.more;
      more.append(head, rest);
    }
    /* Not where something else is just opening and moved the focus. */
    try { peek.showPopover({ source: element }); } catch { return; }
  }

  function near(event, selector) {
    return event.target.closest ? event.target.closest(selector) : null;
  }
  for (const type of ['mouseover', 'focusin']) document.addEventListener(type, event => {
    light(near(event, '[data-b], main .p.s'));
    const words = near(event, '[data-w]');
    mark('hint', words ? words.dataset.w : '');
    const titled = near(event, 'main [title]:not([data-ask])');
    if (type === 'focusin') if (titled) if (!closing) if (titled.matches(':focus-visible')) describe(titled);
  });

  /* A reference opens in place; from there it can be followed. */
  const peek = document.createElement('div');
  peek.id = 'peek';
  peek.className = 'pop';
  peek.popover = 'auto';
  /* When it closes, the focus returns to what it was about, which is no reason to open it again. */
  let closing = false;
  peek.addEventListener('beforetoggle', event => { closing = event.newState === 'closed'; setTimeout(() => { closing = false; }); });
  document.body.append(peek);
  function line(name, words) {
    const element = document.createElement(name);
    element.textContent = words;
    peek.append(element);
    return element;
  }
  /* The words that a reference leads to, if the page knows them. */
  function told(link) {
    const place = parse(link.dataset.w);
    if (!place) return link.dataset.say || '';
    const passage = place.from.closest('.jie');
    const blocks = passage ? Array.from(passage.querySelectorAll('.wen > .b')).filter(b => b.contains(place.from) || b.contains(place.to)) : [];
    return (blocks.length ? blocks : [place.from]).map(b => b.textContent.trim()).join(' ');
  }
  function open(link) {
    let words = told(link);
    /* What has no place is in a list at the foot of the page, with the reason. */
    const listed = words ? null : document.getElementById(link.getAttribute('href').slice(1));
    if (listed) if (listed.matches('li')) words = listed.textContent.trim();
    if (!words || !peek.showPopover) return false;
    peek.replaceChildren();
    if (!listed) line('p', link.title);
    line('blockquote', words);
    const go = line('a', document.getElementById('go').textContent);
    go.href = link.getAttribute('href');
    if (link.dataset.w) go.dataset.w = link.dataset.w;
    peek.showPopover({ source: link });
    go.focus();
    return true;
  }
  document.addEventListener('click', event => {
    const reference = near(event, 'main a.ref, main a.lem');
    const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (reference) if (plain) if (open(reference)) {
      event.preventDefault();
      mark('hit', reference.dataset.w || '');
      return;
    }
    const words = near(event, 'a[data-w]');
    if (words) { wanted = words.dataset.w; mark('hit', wanted); }
    if (near(event, '#peek a')) { peek.hidePopover(); if (plain) follows(near(event, '#peek a')); }
    if (near(event, 'a')) return describe(null);
    if (!near(event, '#peek')) describe(near(event, 'main [title]:not(.cited, .said, [data-ask])'));
  });

  /* Where a reference led, the history says so, and Escape leads back; on another page of the site too. */
  const FOLLOWED = 'zhushu-followed';
  let coming = false;
  function follows(link) {
    const here = location.href.replace(/#.*/, '');
    if (link.href.replace(/#.*/, '') === here) { coming = link.href !== location.href; return; }
    try { sessionStorage.setItem(FOLLOWED, decodeURIComponent(link.hash)); } catch { /* Then Escape does nothing there. */ }
  }
  function arrived() {
    try {
      const hash = sessionStorage.getItem(FOLLOWED);
      if (hash !== null) if (hash === decodeURIComponent(location.hash)) coming = true;
      sessionStorage.removeItem(FOLLOWED);
    } catch { /* As above. */ }
    if (coming) history.replaceState({ followed: true }, '');
    coming = false;
  }

  function pagePanel() { return window.zhushuPage.panel || null; }
  /* Escape closes what is open; then it leads back from where a reference led, or from the search box. */
  let left = null;
  function back(event) {
    const box = near(event, '#search');
    if (box) {
      document.activeElement.blur();
      if (left !== null) scrollTo({ top: left, behavior: 'instant' });
      left = null;
    } else if (document.querySelector(':popover-open, dialog[open]')) describe(null);
    else if (pagePanel() ? pagePanel().close() : false) return;
    else if (coming || history.state?.followed) { coming = false; history.back(); }
    else describe(null);
  }

  let at = null;
  /* How to cite a sentence; each part can be copied. What the panel has a copy of is filled in the same way. */
  const form = document.getElementById('cite');
  const part = name => form.querySelector('[data-cite=' + name + ']');
  const record = form ? part('record') : null;
  if (record) if (window.zhushuFrame) {
    record.textContent = form.dataset.record || '';
    for (const e of [record.parentNode.previousElementSibling, record.parentNode]) e.hidden = !form.dataset.record;
  }
  const pattern = record ? record.textContent : '';
  const styleOf = form ? form.querySelector('.cite-style') : null;
  /* An attribute, so that a copy of the form has it too. */
  const choose = n => Array.from(styleOf.options).forEach((option, i) => option.toggleAttribute('selected', i === n));
  const styles = form ? (form.dataset.styles || '').split('\n').map(line => line.split('\t')) : [];
  if (styleOf) {
    styleOf.replaceChildren(...styles.map(style => new Option(style[0])));
    try { choose(Number(localStorage.getItem('zhushu-cite')) || 0); } catch { choose(0); }
    if (form.dataset.styles === undefined) styleOf.parentNode.hidden = styleOf.parentNode.nextElementSibling.hidden = true;
  }
  let citing = null;
  document.addEventListener('change', event => {
    if (!event.target.classList.contains('cite-style')) return;
    const n = event.target.selectedIndex;
    choose(n);
    styleOf.selectedIndex = n;
    try { localStorage.setItem('zhushu-cite', n); } catch { /* For this page only. */ }
    filled(citing);
    const shown = event.target.closest('dl').querySelector('[data-cite=style]');
    if (shown !== part('style')) shown.textContent = part('style').textContent;
  });
  function shownWords(element) {
    const copy = element.cloneNode(true);
    for (const e of copy.querySelectorAll('.q, .cited, .in')) e.remove();
    if (on('sw-fix')) for (const e of copy.querySelectorAll('[data-c]')) e.textContent = e.dataset.c;
    return copy.textContent.replace(/\s+/g, '');
  }
  /* The leaf of the print on which a sentence begins. */
  function leafOf(sentence) {
    const all = sentence ? Array.from(document.querySelectorAll('main .leaf')) : [];
    const begun = all.filter(l => l === sentence.firstChild || bit(l.compareDocumentPosition(sentence), Node.DOCUMENT_POSITION_FOLLOWING));
    return begun.length > 0 ? '\uff0c\u8449' + begun.at(-1).dataset.n : '';
  }
  function filled(number) {
    if (!form || !number) return null;
    citing = number;
    const locus = number.id, known = form.dataset, sentence = number.nextElementSibling;
    const url = location.href.replace(/[?#].*$/, '') + '#' + encodeURI(locus);
    const chosen = String(getSelection()).replace(/\s+/g, '');
    const words = chosen || (sentence ? shownWords(sentence) : '');
    part('words').textContent = '\u300c' + words + '\u300d\uff08' + known.title + ' ' + locus + leafOf(sentence) + '\uff09';
    part('urn').textContent = known.urn + locus.slice(known.locus.length + 1);
    part('link').textContent = url;
    const leaf = leafOf(sentence).slice(2), urn = part('urn').textContent, values = { locus: locus.slice(known.locus.length + 1), leaf, urn, url };
    const style = (styles[styleOf.selectedIndex] || [])[1] || '';
    const kept = style.replace(/\u27e6([^\u27e7]*)\u27e7/g, (whole, words) => leaf ? words : '');
    part('style').textContent = kept.replace(/\u27e8(\w+)\u27e9/g, (whole, name) => values[name]);
    if (record) record.textContent = pattern.replace('\u27e8locus\u27e9', locus).replace('\u27e8url\u27e9', url);
    for (const button of form.querySelectorAll('button')) button.classList.remove('done');
    return form.querySelector('dl');
  }
  /* What the form is about, for those who collect. */
  function cited() {
    const sentence = citing ? citing.nextElementSibling : null, page = decodeURI(location.pathname.split('/').at(-1));
    return sentence ? { locus: citing.id, title: form.dataset.title, words: shownWords(sentence), page } : null;
  }
  function cite(number) {
    if (!form || !form.showPopover) return false;
    filled(number);
    form.showPopover({ source: number });
    form.querySelector('button').focus();
    return true;
  }
  /* Without the right to write to the clipboard the words are selected, to be copied by hand. */
  function copy(button) {
    const from = button.closest('dl').querySelector('[data-cite=' + button.dataset.copy + ']');
    const done = () => { button.classList.add('done'); say.textContent = from.textContent; };
    const select = () => { getSelection().selectAllChildren(from); if (document.execCommand('copy')) done(); };
    if (navigator.clipboard) navigator.clipboard.writeText(from.textContent).then(done, select); else select();
  }
  /* The place of what is selected, or of the sentence that the keys are at. */
  function here() {
    const selection = getSelection(), from = selection.isCollapsed ? at : selection.anchorNode;
    if (!from) return null;
    const before = Array.from(document.querySelectorAll('main .n[id]')).filter(n => bit(n.compareDocumentPosition(from), Node.DOCUMENT_POSITION_FOLLOWING));
    return before.at(-1) || null;
  }
  document.addEventListener('click', event => {
    const number = near(event, 'main a.n'), button = near(event, '[data-copy]');
    if (button) copy(button);
    if (!number || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    history.replaceState(history.state, '', '#' + encodeURI(number.id));
    if (cite(number)) event.preventDefault();
  });

  /* Keys; the foot of the page lists them. */
  const keys = document.getElementById('keys');
  if (keys) keys.hidden = false;
  /* In place, as references are; Escape returns to what had the focus. */
  const list = document.createElement('div');
  list.id = 'help';
  list.className = 'pop';
  list.popover = 'auto';
  list.tabIndex = -1;
  document.body.append(list);
  function help() {
    if (!keys) return;
    if (!list.showPopover) { keys.open = true; return keys.scrollIntoView(); }
    const head = document.createElement('h2');
    head.textContent = keys.querySelector('summary').textContent;
    list.replaceChildren(head, keys.querySelector('dl').cloneNode(true));
    list.showPopover();
    list.focus();
  }
  function step(by) {
    const all = Array.from(document.querySelectorAll('main .p.s')).filter(e => e.getClientRects().length);
    if (!all.length) return;
    let n = all.indexOf(at);
    if (0 > n) n = all.findIndex(e => e.getBoundingClientRect().bottom > 80) - (by > 0 ? 1 : 0);
    at = all[Math.max(0, Math.min(all.length - 1, n + by))];
    at.tabIndex = -1;
    at.focus({ preventScroll: true });
    at.scrollIntoView({ block: 'center', inline: 'center' });
  }
  function press(id) { const input = document.getElementById(id); if (input) input.click(); }
  function follow(rel) { const link = document.querySelector('a[rel=' + rel + ']'); if (link) link.click(); }
  /* Keys go along vertical text, which scrolls sideways; at its ends they scroll the page, as elsewhere. */
  const ALONG = { ArrowLeft: 60, ArrowDown: 60, ArrowRight: -60, ArrowUp: -60, PageDown: 'page', ' ': 'page', PageUp: '-page', End: Infinity, Home: -Infinity };
  function along(event) {
    const by = ALONG[event.key];
    if (by === undefined || !on('lay-zhi') || !main || near(event, 'input, select, textarea, button, summary, dialog, [popover], #panel, #leaf-image')) return false;
    const page = main.clientWidth * .9, before = main.scrollLeft;
    const far = by === 'page' ? (event.shiftKey ? -page : page) : by === '-page' ? -page : by;
    /* The right end is 0, the left end negative. */
    const end = main.clientWidth - main.scrollWidth;
    main.scrollTo({ left: Math.max(end, Math.min(0, before - far)), behavior: 'instant' });
    if (main.scrollLeft === before) return false;
    event.preventDefault();
    return true;
  }
  const LAYOUTS = ['lay-jing', 'lay-jia', 'lay-xia', 'lay-lan', 'lay-zhi', 'lay-ge'];
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape') return back(event);
    if (event.ctrlKey || event.metaKey || event.altKey || near(event, 'input[type=search]')) return;
    if (along(event)) return;
    const does = {
      j: () => step(1), k: () => step(-1), '[': () => follow('prev'), ']': () => follow('next'),
      y: () => { const number = here(); if (number) { event.preventDefault(); cite(number); } },
      c: () => { event.preventDefault(); contents(); },
      f: () => press(on('zi-yuan') ? (document.getElementById('zi-jian') ? 'zi-jian' : 'zi-fan') : 'zi-yuan'),
      '/': () => { event.preventDefault(); contents(); },
      s: () => { event.preventDefault(); askFor(''); },
      '?': help,
    }[event.key];
    if (does) return does();
    const layout = near(event, '#panel') ? null : LAYOUTS[Number(event.key) - 1];
    if (layout) press(layout);
  });

  /* The contents of a site, in a drawer. Their program is loaded when it is first opened. */
  const drawer = document.getElementById('drawer'), opener = document.getElementById('open-contents');
  function load(file) {
    const script = document.createElement('script');
    script.src = file;
    document.head.append(script);
  }
  function contents() {
    if (!drawer) return;
    drawer.showModal();
    drawer.querySelector('input').focus();
    if (window.zhushuDrawer) window.zhushuDrawer();
    else if (!('asked' in drawer.dataset)) load(drawer.dataset.script);
    drawer.dataset.asked = '';
  }
  /* Another text beside this one: the program of both is loaded when it is asked for, and in the frame that shows it. */
  const besides = document.getElementById('besides'), framed = parent !== window;
  if (besides) {
    besides.hidden = framed;
    const beside = search => {
      const first = !('asked' in besides.dataset);
      besides.dataset.asked = search;
      if (window.zhushuBeside) zhushuBeside(); else if (first) load(besides.dataset.script);
    };
    besides.addEventListener('click', event => {
      const link = near(event, 'a');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      beside(link.search);
    });
    if (framed || new URLSearchParams(location.search).has('beside')) beside(location.search);
  }
  if (drawer) {
    if (opener) {
      opener.hidden = false;
      opener.removeAttribute('popovertarget');
      opener.setAttribute('aria-haspopup', 'dialog');
      opener.addEventListener('click', contents);
    }
    drawer.querySelector('button').addEventListener('click', () => drawer.close());
    drawer.querySelector('.texts').addEventListener('click', () => { const words = drawer.querySelector('input').value.trim(); drawer.close(); askFor(words); });
  }

  /* Search has its own program, which is loaded on first use. */
  const box = document.getElementById('search');
  function search() {
    if (window.zhushu) return;
    window.zhushu = { translate: speak };
    load(box.dataset.script);
  }
  if (box) {
    box.hidden = false;
    const ask = document.getElementById('ask');
    for (const type of ['focus', 'input']) ask.addEventListener(type, search);
    /* An address may contain a query: index.html?q=注:今文. */
    const asked = new URLSearchParams(location.search).get('q');
    if (asked) ask.value = asked;
    if (asked || document.activeElement === ask) search();
  }

  /* Goes to the search box, with words to look for. Escape leads back. */
  function askFor(words) {
    const ask = document.getElementById('ask');
    if (!ask || ask.closest('[hidden]')) return;
    left = scrollY;
    ask.focus();
    if (!words) return;
    ask.value = words;
    ask.dispatchEvent(new Event('input'));
  }

  /* On arrival: shows the addressed words and opens what is folded around them; follows an address to another sheet. */
  function arrive() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = document.getElementById(id);
    for (let e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    if (target) for (const list of target.querySelectorAll(':scope > details')) if (target.matches('nav')) list.open = true;
    if (!target) {
      const sheet = sheetOf(id);
      if (sheet >= 0) return location.replace(main.dataset.file + (sheet ? '.' + (sheet + 1) : '') + '.html' + location.search + '#' + encodeURIComponent(id));
    }
    arrived();
    if (target) target.scrollIntoView(target === main ? { block: 'start' } : { block: 'center', inline: 'center' });
  }
  /* The sheet that a locus or an id is on, -1 for none: known are the first and last of each ascending run on each sheet.
     If several may have it and it is not on this one, the next of them is tried. */
  function sheetOf(id) {
    const known = main ? main.dataset : {};
    if (!known.sheets) return -1;
    const own = id.startsWith(known.text + '.');
    const m = (own ? /^()(\d+)(?:\.(\d+))?/ : /^([a-z])(\d+)(?=\.|$)/).exec(own ? id.slice(known.text.length + 1) : id);
    if (!m) return -1;
    const read = end => { const p = /^([a-z]?)(\d+)(?:\.(\d+))?$/.exec(end); return { kind: p[1], at: Number(p[2]) * 1e6 + Number(p[3] || 0) }; };
    const from = Number(m[2]) * 1e6 + Number(m[3] || 0), to = m[3] === undefined ? from + 999999 : from;
    const holds = run => { const [a, b] = run.split('-').map(read); return a.kind === m[1] ? (to >= a.at ? b.at >= from : false) : false; };
    const all = known.sheets.split('|').map(runs => runs ? runs.split(' ').some(holds) : false);
    const here = Number(known.sheet);
    return all.indexOf(true, all[here] ? here + 1 : 0);
  }
  /* For the panel, which has a program of its own. */
  window.zhushuPage = {
    said, told, filled, parts, cited,
    get at() { return at; },
    set at(element) { at = element; },
    leaf: leafOf,
    sheet: sheetOf,
    covers: (words, element) => { const place = parse(words); return place ? within(place, element) : false; },
    /* What is in an element, as it is without double rows. */
    whole: element => whole.get(element) || Array.from(element.childNodes),
    /* The width of the text has changed. */
    fit: () => { now = ''; set(); },
    /* What another sheet has was added: its words are written in the language of the page, and it is laid out. */
    added: (other, roots) => {
      const more = other.getElementById('zi'), said = other.getElementById('gloss-data');
      if (more) learn(more.dataset.zi);
      if (said) if (pagePanel()) pagePanel().glosses.push(...JSON.parse(said.dataset.glosses));
      for (const root of roots) translate(root, zhushuWords[spoken], spoken);
      if (on('zi-jian') || on('zi-fan')) for (const root of roots) respell(root);
      const upright = on('lay-zhi'), passages = roots.flatMap(e => e.matches('.jie') ? [e] : Array.from(e.querySelectorAll('.jie')));
      /* What is laid out stays as it is: only the new passages are. */
      if (upright || on('lay-jia')) doubles(upright, passages);
      mark('hit', wanted);
      document.dispatchEvent(new Event('zhushu-added'));
    },
  };
  let wanted = new URLSearchParams(location.search).get('w');
  set();
  if (languages) language();
  mark('hit', wanted);
  addEventListener('hashchange', arrive);
  if (location.hash) arrive(); else arrived();
})();
