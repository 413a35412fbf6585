/* The contents of a site in a drawer, and the jump to a place by words or locus. */
(function () {
  'use strict';
  const drawer = document.getElementById('drawer'), nav = drawer.querySelector('nav'), jump = drawer.querySelector('input');
  /* The file of this text, whichever of its sheets is open. */
  const here = drawer.dataset.text;
  const texts = [];

  function make(parent, name, words) {
    const element = document.createElement(name);
    if (words) element.textContent = words;
    parent.append(element);
    return element;
  }
  function link(parent, words, href) {
    const a = make(parent, 'a', words);
    a.href = href;
    return a;
  }
  function folded(parent, words, open) {
    const details = make(parent, 'details');
    details.open = open;
    make(details, 'summary', words);
    return details;
  }

  function text(list, [title, file, locus, sections]) {
    const item = make(list, 'li'), own = file === here;
    const a = link(item, title, file);
    texts.push({ title, file, locus, own });
    if (own) a.setAttribute('aria-current', 'page');
    if (!sections.length) return;
    const all = make(own ? item : folded(item, '§ ' + sections.length, false), 'ol');
    for (const [n, name] of sections) {
      const section = make(all, 'li');
      section.value = n;
      link(section, name || '§ ' + n, file + '#' + locus + '.' + n).dataset.section = own ? n : '';
    }
  }
  function work([title, chapters], open) {
    const root = title ? folded(nav, title, open) : nav;
    const list = make(root, 'ol');
    let before = null;
    for (const [n, name, members, group] of chapters) {
      if (group && group !== before) make(list, 'li', group).className = 'group';
      before = group;
      const item = make(list, 'li'), mine = members.some(m => m[1] === here);
      if (n) item.value = n; else item.className = 'unnumbered';
      const chapter = name ? folded(item, name, mine || chapters.length === 1) : item;
      const all = make(chapter, 'ul');
      for (const one of members) text(all, one);
    }
  }

  /* The section in view: the last whose heading is above the middle of the window. */
  function current() {
    for (const a of nav.querySelectorAll('[aria-current=location]')) a.removeAttribute('aria-current');
    const above = Array.from(document.querySelectorAll('main section[id^=d]')).filter(s => s.getBoundingClientRect().top < innerHeight / 2);
    const heading = above.length ? above.at(-1).querySelector('h2[id]') : null;
    const n = heading ? heading.id.split('.').pop() : '';
    const a = n ? nav.querySelector('[data-section="' + CSS.escape(n) + '"]') : null;
    if (a) a.setAttribute('aria-current', 'location');
    const place = a || nav.querySelector('[aria-current]');
    if (!place) return;
    for (let e = place.parentElement; e !== nav; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
    place.scrollIntoView({ block: 'center' });
  }

  /* Places that a locus may mean: 2.3 in this text, yili.05.2.3 in any. */
  const LOCUS = /^(?:urn:cts:zhushu:)?([\p{L}\p{N}_.-]*?):?(\d+[a-z]?(?:\.\d+[a-z]?)?)$/u;
  function places(asked) {
    const m = LOCUS.exec(asked);
    if (!m) return [];
    const whole = texts.filter(t => asked.replace(/^urn:cts:zhushu:/, '').replace(':', '.').startsWith(t.locus + '.'));
    const name = asked.replace(/^urn:cts:zhushu:/, '').replace(':', '.');
    if (whole.length) return whole.map(t => ({ t, place: name }));
    return /^\d/.test(asked) ? texts.filter(t => t.own).map(t => ({ t, place: t.locus + '.' + asked })) : [];
  }
  const found = document.createElement('ul');
  found.className = 'found';
  nav.before(found);
  const search = drawer.querySelector('.texts');
  function filter() {
    const asked = jump.value.trim();
    search.parentElement.hidden = !asked || asked.length > 100;
    found.replaceChildren();
    for (const { t, place } of places(asked)) link(make(found, 'li'), place + ' ' + t.title, t.file + '#' + place);
    const items = Array.from(nav.querySelectorAll('li')), works = Array.from(nav.querySelectorAll(':scope > details'));
    for (const item of [...works, ...items]) item.hidden = false;
    if (!asked || found.children.length) return;
    const hit = item => Array.from(item.querySelectorAll(':scope > a, :scope > details > summary')).some(e => e.textContent.includes(asked));
    const hits = new Set(items.filter(hit));
    for (const item of items) {
      const inside = Array.from(item.querySelectorAll('li')).some(i => hits.has(i));
      let outside = false;
      for (let e = item.parentElement; e !== nav; e = e.parentElement) outside = outside || hits.has(e);
      item.hidden = !(hits.has(item) || inside || outside);
      if (inside) for (const d of item.querySelectorAll(':scope > details')) d.open = true;
    }
    for (const one of works) {
      const named = one.firstChild.textContent.includes(asked);
      if (named) for (const item of one.querySelectorAll('li')) item.hidden = false;
      one.hidden = !named && !one.querySelector('li:not([hidden])');
      if (!one.hidden) one.open = true;
    }
  }
  jump.addEventListener('input', filter);
  jump.addEventListener('keydown', event => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const all = Array.from(drawer.querySelectorAll('.found a, nav a')).filter(a => a.checkVisibility());
    if (jump.value.trim()) (all[0] || search).click();
  });
  drawer.addEventListener('click', event => {
    if (event.target === drawer || event.target.closest('a')) drawer.close();
  });

  window.zhushuContents = function (works) {
    for (const one of works) work(one, works.length === 1 || one[1].some(c => c[2].some(t => t[1] === here)));
    window.zhushuDrawer = current;
    current();
  };
})();
