/* Lights what answers to each other, finds exact words, remembers switches. No ampersand and no less-than sign in this
   file: it stands in XML as it is. Without it the page can be read, switched and followed all the same. */
'use strict';
(function () {
  const say = document.getElementById('say');

  /* Switches are remembered where the browser lets a local file remember anything. */
  const store = {
    read() { try { return JSON.parse(localStorage.getItem('zhushu')) || {}; } catch { return {}; } },
    write(all) { try { localStorage.setItem('zhushu', JSON.stringify(all)); } catch { /* not remembered */ } },
  };
  const inputs = Array.from(document.querySelectorAll('.bar input'));
  const known = store.read();
  for (const input of inputs) if (input.id in known) input.checked = known[input.id];
  for (const form of document.querySelectorAll('.bar')) form.addEventListener('change', () => {
    const all = store.read();
    for (const input of inputs) all[input.id] = input.checked;
    store.write(all);
  });

  /* Beads: what answers to each other bears the same key. */
  const beads = new Map();
  for (const element of document.querySelectorAll('[data-b]')) {
    for (const key of element.dataset.b.split(' ')) {
      if (!beads.has(key)) beads.set(key, []);
      beads.get(key).push(element);
    }
  }
  let lit = [];
  function light(element) {
    for (const e of lit) e.classList.remove('lit');
    const keys = element ? element.dataset.b.split(' ') : [];
    lit = keys.flatMap(key => beads.get(key));
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
  function ranges(words) {
    const place = parse(words);
    if (!place) return [];
    const layer = place.from.dataset.l;
    const all = Array.from(document.querySelectorAll('.p[data-l="' + layer + '"]'));
    const first = all.indexOf(place.from), last = all.indexOf(place.to);
    const elements = last >= first ? all.slice(first, last + 1) : [place.from];
    return elements.flatMap(element => {
      const from = offset(element, element === place.from ? place.start : 0, false);
      const to = element === place.to ? offset(element, place.end, true) : offset(element, Infinity, true);
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

  function tell(element) {
    const words = element ? element.title : '';
    say.textContent = words;
    say.hidden = !words;
  }

  function near(event, selector) {
    return event.target.closest ? event.target.closest(selector) : null;
  }
  for (const type of ['mouseover', 'focusin']) document.addEventListener(type, event => {
    light(near(event, '[data-b]'));
    const words = near(event, '[data-w]');
    mark('hint', words ? words.dataset.w : '');
    const titled = near(event, 'main [title]');
    if (type === 'focusin') if (titled) if (titled.matches(':focus-visible')) tell(titled);
  });
  document.addEventListener('click', event => {
    const words = near(event, 'a[data-w]');
    if (words) mark('hit', words.dataset.w);
    if (near(event, 'a')) return tell(null);
    tell(near(event, 'main [title]:not(.cited)'));
  });
  document.addEventListener('keydown', event => { if (event.key === 'Escape') tell(null); });

  /* Arriving: the words meant, and whatever is folded around them opened. */
  function arrive() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    if (target) target.scrollIntoView({ block: 'center' });
  }
  mark('hit', new URLSearchParams(location.search).get('w'));
  addEventListener('hashchange', arrive);
  if (location.hash) arrive();
})();
