/* Another text beside this one, and what corresponds. The same program runs on both pages: in the window, and in the frame that shows the
   other text. In a site that is opened from a folder each file is a stranger to the others, so they only send each other messages: what
   is read on one side (its beads, its places in texts, its locus), and the other looks for it. */
(function () {
  'use strict';
  const page = window.zhushuPage, main = document.getElementById('text'), menu = document.getElementById('besides');
  if (!page || !main || !menu || window.zhushuBeside) return;
  const root = document.documentElement, framed = parent !== window, bar = document.querySelector('.bar');
  /* Before the loci of the text. */
  const chapter = document.getElementById('cite').dataset.locus + '.';
  const textOf = address => decodeURIComponent(address.split(/[?#]/)[0].split('/').at(-1)).replace(/(\.\d+)?\.html$/, '');
  const own = textOf(location.href);
  /* Who reads on this side leads; the other side follows. */
  let leads = !framed, followed = null, marked = [], frame = null;

  const other = () => framed ? parent : frame && frame.contentWindow;
  function send(what) {
    const to = other();
    if (to) to.postMessage({ zhushuBeside: what }, '*');
  }

  /* What is read here */
  const isUpright = () => root.classList.contains('lay-zhi');
  function first() {
    const top = Math.max(0, bar.getBoundingClientRect().bottom), right = main.getBoundingClientRect().right;
    const isAhead = e => {
      const r = e.getBoundingClientRect();
      return r.height > 0 && (isUpright() ? r.left < right - 1 : r.bottom > top + 1);
    };
    const passages = Array.from(main.querySelectorAll('.jie')).filter(j => j.querySelector('.p.s'));
    const passage = passages.find(isAhead) || passages.at(-1);
    const all = passage ? Array.from(passage.querySelectorAll('.p.s')) : [];
    return all.find(isAhead) || all.at(-1) || null;
  }
  /* Where the other side of a bead is: text and element. */
  function placeOfBead(key) {
    const bead = main.querySelector('.bead[data-b~="' + CSS.escape(key) + '"]');
    const from = bead && bead.parentNode.querySelector('.from');
    return from ? [textOf(from.href), from.hash.slice(1)] : null;
  }
  const keysOf = e => (e.dataset.b || '').split(' ').filter(Boolean);
  function placeOf(sentence, pointed) {
    /* A sentence without counterpart is where the one before it is. */
    const all = Array.from(main.querySelectorAll('.p.s'));
    let n = all.indexOf(sentence);
    while (n > 0 && !keysOf(all[n]).length) n -= 1;
    const keys = n < 0 ? [] : keysOf(all[n]);
    const number = sentence.previousElementSibling;
    const far = root.scrollHeight - innerHeight;
    return {
      keys,
      at: [[own, sentence.id || sentence.dataset.part], ...keys.map(placeOfBead).filter(Boolean)],
      locus: number && number.matches('.n') ? number.id : '',
      part: far > 0 ? scrollY / far : 0,
      top: sentence.getBoundingClientRect().top,
      pointed: Boolean(pointed),
    };
  }
  function tell() {
    const sentence = first();
    if (sentence) send(placeOf(sentence));
  }

  /* What corresponds to it here */
  const rank = id => { const [a, b] = (id.match(/\d+/g) || [0]).map(Number); return a * 1e6 + (b || 0); };
  /* The last that is not after it. */
  function nearest(all, wanted) {
    let best = null;
    for (const one of all) if (one.rank <= wanted && (!best || one.rank > best.rank)) best = one;
    return best || all[0] || null;
  }
  function ofLocus(locus) {
    if (!locus || !locus.startsWith(chapter)) return null;
    const exact = document.getElementById(locus);
    if (exact) return exact.nextElementSibling;
    const all = Array.from(main.querySelectorAll('.n[id] + .p.s'), e => ({ e, id: e.previousElementSibling.id }));
    const rankOf = id => rank(id.slice(chapter.length));
    const best = nearest(all.filter(({ id }) => id.startsWith(chapter)).map(({ e, id }) => ({ e, rank: rankOf(id) })), rankOf(locus));
    return best && best.e;
  }
  /* Through a text that both know: the passage whose counterpart is there. */
  function through([text, id]) {
    const all = Array.from(main.querySelectorAll('.from')).filter(from => textOf(from.href) === text);
    const best = nearest(all.map(from => ({ from, rank: rank(from.hash) })), rank(id));
    const bead = best && best.from.parentNode.querySelector('.bead[data-b]');
    return bead ? main.querySelector('.p[data-b~="' + CSS.escape(bead.dataset.b) + '"]') : null;
  }
  /* To another sheet: in the frame it takes the place of this one; in the window it is added when one comes to the end. */
  function turn(sheet, id) {
    if (framed) return location.replace(encodeURIComponent(main.dataset.file) + (sheet ? '.' + (sheet + 1) : '') + '.html#' + encodeURIComponent(id));
    scrollTo({ top: sheet > Number(main.dataset.sheet) ? root.scrollHeight : 0, behavior: 'instant' });
  }
  /* By beads, by what is said of this text, by loci, through another text; by no more than its part of the whole if nothing is known. */
  function follow() {
    const { keys, at, locus } = followed;
    const of = id => document.getElementById(id) || main.querySelector('[data-part="' + CSS.escape(id) + '"]');
    const bead = keys.map(key => main.querySelector('.p[data-b~="' + CSS.escape(key) + '"]')).find(Boolean);
    const named = at.find(([text]) => text === own);
    const wanted = named ? named[1] : locus && locus.startsWith(chapter) ? locus : '';
    const there = bead || (wanted && of(wanted));
    const sheet = there || !wanted ? -1 : page.sheet(wanted);
    if (sheet >= 0) return turn(sheet, wanted);
    show(bead || (named && of(named[1])) || ofLocus(locus) || at.map(through).find(Boolean) || null);
  }
  function show(element) {
    for (const e of marked) e.classList.remove('with');
    marked = element ? page.parts(element) : [];
    for (const e of marked) e.classList.add('with');
    const to = { behavior: 'instant', block: 'nearest', inline: 'nearest' };
    if (!element && followed.pointed) return;
    if (!element) scrollTo({ top: followed.part * (root.scrollHeight - innerHeight), behavior: 'instant' });
    else if (isUpright()) element.scrollIntoView({ ...to, block: 'center' });
    else if (followed.pointed) element.scrollIntoView(to);
    else scrollBy({ top: element.getBoundingClientRect().top - followed.top, behavior: 'instant' });
  }
  document.addEventListener('zhushu-added', () => { if (followed && !leads) follow(); });

  addEventListener('message', event => {
    const said = event.data && event.data.zhushuBeside;
    if (!said || event.source !== other()) return;
    if (said === 'ready') { if (leads) tell(); }
    else if (said === 'close') { if (!framed) close(); }
    else if (Array.isArray(said.at) && Array.isArray(said.keys)) { leads = false; followed = said; follow(); }
  });
  /* Only what a person does makes a side lead: it scrolls by itself when it follows. */
  function lead(event) { if (event.type !== 'pointermove' || event.movementX || event.movementY) leads = true; }
  for (const type of ['pointermove', 'pointerdown', 'wheel', 'touchmove', 'keydown']) addEventListener(type, lead, { capture: true, passive: true });
  let due = 0;
  addEventListener('scroll', () => {
    if (leads && !due) due = setTimeout(() => { due = 0; if (leads) tell(); }, 60);
  }, { capture: true, passive: true });
  for (const type of ['mouseover', 'focusin']) document.addEventListener(type, event => {
    const sentence = event.target.closest && event.target.closest('main .p.s');
    if (sentence && leads) send(placeOf(sentence, true));
  });
  /* Escape closes what else is open first. */
  addEventListener('keydown', event => {
    if (event.key !== 'Escape' || event.cancelBubble || !(framed || frame) || document.querySelector(':popover-open, dialog[open]')) return;
    if (event.target.closest('#search') || (page.panel && page.panel.open) || (history.state && history.state.followed)) return;
    event.stopPropagation();
    if (framed) send('close'); else close();
  }, true);

  const fileOf = search => new URLSearchParams(search).get('beside');
  function address(file) {
    const to = new URL(location.href);
    if (file) to.searchParams.set('beside', file); else to.searchParams.delete('beside');
    try { history.replaceState(history.state, '', to.href); } catch { /* From a folder a browser may not allow it. */ }
  }
  function current(link) {
    for (const a of menu.querySelectorAll('a')) if (a === link) a.setAttribute('aria-current', 'true'); else a.removeAttribute('aria-current');
  }
  /* The sentence that is read stays where it is. */
  function keeping(does) {
    const sentence = first(), before = sentence ? sentence.getBoundingClientRect().top : 0;
    does();
    page.fit();
    if (sentence && !isUpright()) scrollBy({ top: sentence.getBoundingClientRect().top - before, behavior: 'instant' });
  }
  function close() {
    const box = document.getElementById('beside');
    if (!box) return;
    const inside = box.contains(document.activeElement) || document.activeElement.id === 'beside-close';
    frame = null;
    keeping(() => {
      root.classList.remove('with-beside');
      box.remove();
      document.getElementById('beside-close').remove();
    });
    forget();
    current(null);
    address('');
    if (inside) document.getElementById('open-layouts').focus();
  }
  function forget() { for (const e of marked) e.classList.remove('with'); marked = []; followed = null; leads = true; }
  function open() {
    const file = fileOf(menu.dataset.asked), link = Array.from(menu.querySelectorAll('a')).find(a => fileOf(a.search) === file);
    const again = link && link.hasAttribute('aria-current');
    close();
    /* As in the style sheet. */
    if (!link || again || !matchMedia('(min-width: 56.25rem)').matches) return;
    const box = document.createElement('aside'), button = document.createElement('button');
    frame = document.createElement('iframe');
    box.id = 'beside';
    frame.title = link.textContent;
    box.setAttribute('aria-label', link.textContent);
    box.append(frame);
    button.type = 'button';
    button.id = 'beside-close';
    button.title = document.getElementById('leaf-close').textContent;
    button.setAttribute('aria-label', button.title);
    button.textContent = '\u00d7';
    button.addEventListener('click', close);
    keeping(() => {
      root.classList.add('with-beside');
      frame.src = encodeURIComponent(file);
      main.before(box);
      bar.append(button);
    });
    current(link);
    address(file);
    if (document.getElementById('layouts').matches(':popover-open')) document.getElementById('layouts').hidePopover();
  }
  window.zhushuBeside = open;
  if (framed) { root.classList.add('framed'); send('ready'); } else open();
})();
