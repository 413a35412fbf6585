/* The review of a text in its own page: a panel beside each doubtful place asks about it, a bar leads from one to the next. A
   decision is sent to the server, which writes it; then the page is loaded again as it is now. */
(function () {
  'use strict';

  const { common, places, changed } = JSON.parse(document.getElementById('review-data').dataset.review);
  const KEPT = 'zhushu-review';
  const known = new Map(places.map(p => [p.id, p.about]));
  const speak = root => window.zhushuSpeak(root);
  const sign = n => (n < 0 ? '−' : '+') + Math.abs(n).toFixed(1);

  function make(name, about, ...children) {
    const element = Object.assign(document.createElement(name), about);
    element.append(...children);
    return element;
  }
  /* An element with our own words, in the language of the page. */
  function ours(name, template, about) {
    const element = make(name, about || {});
    element.dataset.m = template;
    return element;
  }
  function button(template, does, about) {
    const element = ours('button', template, { type: 'button', ...about });
    element.addEventListener('click', does);
    return element;
  }

  /* What must survive loading the page again. */
  function recall() {
    try { const kept = JSON.parse(sessionStorage.getItem(KEPT)); sessionStorage.removeItem(KEPT); return kept || {}; } catch { return {}; }
  }
  /* Loads the page again, or the page where its words are now. */
  function again(kept, page) {
    try { sessionStorage.setItem(KEPT, JSON.stringify(kept)); } catch { /* Then the page begins as if it were new. */ }
    if (page) return location.replace(page);
    history.replaceState(null, '', location.pathname + location.search);
    return location.reload();
  }

  async function send(act, more) {
    const reply = await fetch(common.endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Zhushu-Token': common.token },
      body: JSON.stringify({ text: common.text, do: act, ...more }),
    });
    const result = await reply.json();
    if (result.error) throw new Error(result.error.message + (result.error.hint ? ' (' + result.error.hint + ')' : ''));
    return result;
  }

  /* The bar. */
  const status = make('p', { id: 'review-said' });
  status.setAttribute('role', 'status');
  function tell(...templates) {
    status.replaceChildren(...templates.map(t => ours('span', t)));
    speak(status);
  }
  function wrong(error) {
    status.replaceChildren(ours('span', '{review-failed}'), error.message);
    speak(status);
  }
  const bar = make('section', { id: 'review-bar' });
  bar.dataset.ma = '{review}';
  const left = make('p', {}, ours('strong', '{review}'), ' ' + common.by + ' · ',
    ours('span', `{review-left n=${common.left}}`), ' · ', ours('span', `{review-decided n=${common.decided}}`));
  const next = button('{review-next}', () => go(1), { id: 'review-next' });
  const acts = make('div', {}, button('{review-previous}', () => go(-1)), next, button('{review-best}', best),
    button('{review-undo}', undo, { id: 'review-undo', disabled: !common.undo }));
  bar.append(left, acts, status);
  document.body.append(bar);

  function marks() {
    return Array.from(document.querySelectorAll('main [data-ask]')).filter(e => e.getClientRects().length);
  }
  /* The next place by the text; those that were skipped come last. */
  let last = null;
  function go(by) {
    const all = marks(), open = all.filter(e => !common.skipped.includes(e.dataset.ask));
    const among = open.length ? open : all;
    if (!among.length) return best();
    const from = last === null ? 0 : last;
    const at = e => known.get(e.dataset.ask).at;
    const seen = by > 0 ? among.find(e => last === null || at(e) > from) : among.findLast(e => from > at(e));
    return ask(seen || among[by > 0 ? 0 : among.length - 1]);
  }
  async function best() {
    try {
      const { page, question } = await send('best', {});
      if (!page) return tell('{review-nothing}');
      const here = document.getElementById('ask-' + question);
      if (here) return ask(here);
      sessionStorage.setItem(KEPT, JSON.stringify({ open: question }));
      location.href = page;
    } catch (error) { wrong(error); }
    return null;
  }
  async function undo() {
    try {
      const done = await send('undo', {});
      again({ said: ['{review-undone}', `{review-changed n=${done.changed}}`], last, focus: 'review-undo' }, done.page);
    } catch (error) { wrong(error); }
  }

  /* The panel. */
  const panel = make('div', { id: 'ask-panel', className: 'pop', popover: 'auto' });
  panel.setAttribute('role', 'dialog');
  panel.setAttribute('aria-labelledby', 'ask-title');
  document.body.append(panel);
  let about = null, asked = null, border = null;

  function ask(mark) {
    asked = mark.dataset.ask;
    about = known.get(asked);
    border = null;
    last = about.at;
    if (panel.matches(':popover-open')) panel.hidePopover();
    panel.replaceChildren(ours('h2', about.title, { id: 'ask-title' }), words(), form());
    draw();
    mark.focus({ preventScroll: true });
    mark.scrollIntoView({ block: 'start', inline: 'center', behavior: 'instant' });
    panel.showPopover({ source: mark });
    panel.scrollTop = 0;
    speak(panel);
    panel.querySelector('input').focus({ preventScroll: true });
  }

  function chosen() {
    const input = panel.querySelector('input[name=choice]:checked');
    return about.choices[Number(input.value)];
  }
  /* Where the border is as it is shown; null if there is none. */
  function edge() {
    if (border !== null) return border;
    return chosen().border ? chosen().at : null;
  }
  function words() {
    const box = make('p', { id: 'ask-words', lang: 'lzh' });
    if (about.sides) {
      /* The border can be drawn to another character. */
      const to = event => {
        const element = document.elementFromPoint(event.clientX, event.clientY);
        const place = element ? element.closest('#ask-words [data-at]') : null;
        if (place) move(Number(place.dataset.at));
      };
      box.addEventListener('pointerdown', event => { box.setPointerCapture(event.pointerId); to(event); });
      box.addEventListener('pointermove', event => { if (event.buttons) to(event); });
    }
    return box;
  }
  /* The passage, with the border where the answer has it. */
  function draw() {
    const { from, words: all, runs } = about.passage, at = edge(), box = panel.querySelector('#ask-words');
    const starts = runs.map(r => r[0]).filter(start => start !== about.at);
    const begin = Math.max(from, ...starts.filter(s => (at === null ? about.at : at) >= s));
    const end = Math.min(from + all.length, ...starts.filter(s => s > (at === null ? about.at : at)));
    box.replaceChildren(...all.flatMap((word, n) => {
      const k = from + n, token = make('span', { textContent: word });
      token.dataset.at = k;
      if (k >= begin && end > k) token.className = at !== null && k >= at ? 'after' : 'before';
      if (about.kind !== 'cut' && k >= about.at && about.end > k) token.className = 'asked';
      return k === at ? [make('span', { className: 'edge' }), token] : [token];
    }));
    const here = box.querySelector('.edge, .asked') || box.querySelector(`[data-at="${about.at}"]`);
    if (here) box.scrollTop = here.offsetTop - box.offsetTop - box.clientHeight / 2;
  }
  function move(to) {
    const { from, words: all } = about.passage;
    if (!about.sides || from >= to || to >= from + all.length) return;
    border = to;
    draw();
  }
  function shift(by) {
    const at = edge();
    move((at === null ? about.at : at) + by);
  }

  function form() {
    const choices = about.choices.map((choice, n) => {
      const input = make('input', { type: 'radio', name: 'choice', value: n, checked: n === 0 });
      const chance = make('small', { textContent: ' ' + Math.min(choice.chance, .99).toFixed(2).replace(/^0/, '') });
      return make('label', {}, input, make('kbd', { textContent: n + 1 }), ' ', ours('span', choice.says), chance);
    });
    const group = make('fieldset', {}, ours('legend', '{review-answers}'), ...choices);
    group.addEventListener('change', () => { border = null; draw(); });
    const made = make('form', {}, group);
    if (about.sides) made.append(make('p', { className: 'moves' }, ours('span', '{review-border}'),
      arrow('‹', '{review-border-back}', -1), arrow('›', '{review-border-on}', 1)));
    if (about.kind === 'cut' || about.kind === 'layer') made.append(otherLayer());
    const note = make('label', {}, ours('span', '{review-note}'), ' ', make('input', { type: 'text', id: 'ask-note', autocomplete: 'off' }));
    made.append(note, make('p', { className: 'acts' }, ours('button', '{review-decide}', { type: 'submit', id: 'ask-decide' }),
      button('{review-skip}', skip), button('{review-close}', () => panel.hidePopover())), evidence());
    made.addEventListener('submit', event => { event.preventDefault(); decide(); });
    return made;
  }
  function arrow(sign, template, by) {
    const element = make('button', { type: 'button', textContent: sign });
    element.dataset.ma = template;
    element.addEventListener('click', () => shift(by));
    return element;
  }
  function otherLayer() {
    const select = make('select', { id: 'ask-layer' }, make('option', { value: '', textContent: '–' }),
      ...common.layers.map(([id, name]) => ours('option', name, { value: id })));
    return make('label', {}, ours('span', '{review-other-layer}'), ' ', select);
  }
  function evidence() {
    const all = about.evidence.map(([what, weight]) => {
      const item = make('li', {}, weight ? sign(weight) + ' ' : '');
      item.append(ours('span', what));
      return item;
    });
    const lang = document.documentElement.dataset.language;
    const facts = about.facts.map(([what, weight]) => make('li', { lang, textContent: (weight ? sign(weight) + ' ' : '') + what[lang] }));
    return make('details', { open: true }, ours('summary', '{review-evidence}'), make('ul', {}, ...all), make('ul', {}, ...facts));
  }

  let busy = false;
  async function decide() {
    if (busy) return;
    busy = true;
    const answer = { choice: about.choices.indexOf(chosen()) };
    if (border !== null) answer.at = border;
    const layer = panel.querySelector('#ask-layer');
    if (layer && layer.value) answer.layer = layer.value;
    const note = panel.querySelector('#ask-note').value;
    panel.hidePopover();
    tell('{review-computing}');
    try {
      const done = await send('decide', { question: asked, seen: about.seen, answer, note: note || null });
      again({ said: ['{review-written}', `{review-changed n=${done.changed}}`], last, focus: 'review-next' }, done.page);
    } catch (error) { wrong(error); }
    busy = false;
  }
  async function skip() {
    panel.hidePopover();
    try {
      await send('skip', { question: asked });
      common.skipped.push(asked);
      document.getElementById('review-undo').disabled = false;
      tint();
      go(1);
    } catch (error) { wrong(error); }
  }
  function tint() {
    for (const mark of document.querySelectorAll('main [data-ask]')) mark.classList.toggle('skipped', common.skipped.includes(mark.dataset.ask));
  }

  document.addEventListener('click', event => {
    const mark = event.target.closest('[data-ask]');
    if (mark) return ask(mark);
    const tinted = event.target.closest('main [data-asked]');
    if (!tinted || event.target.closest('a, button, summary') || !getSelection().isCollapsed) return null;
    const own = document.querySelector(`[data-ask="${CSS.escape(tinted.dataset.asked)}"]`);
    return own ? ask(own) : null;
  });
  /* The page has keys of its own, which mean nothing while a question is open. */
  panel.addEventListener('keydown', event => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('select, input[type=text]')) return;
    const n = Number(event.key) - 1, radio = panel.querySelectorAll('input[name=choice]')[n];
    const does = {
      ArrowLeft: about.sides ? () => shift(-1) : null,
      ArrowRight: about.sides ? () => shift(1) : null,
      s: skip, u: undo,
      n: () => panel.querySelector('#ask-note').focus(),
    }[event.key];
    if (!does && !radio) return;
    event.preventDefault();
    if (does) return does();
    radio.checked = true;
    border = null;
    decide();
  });
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
    const does = { q: () => go(1), Q: () => go(-1), u: common.undo ? undo : null }[event.key];
    if (does) { event.preventDefault(); does(); }
  });

  const kept = recall();
  tint();
  speak(bar);
  if ('last' in kept) last = kept.last;
  if (kept.said) tell(...kept.said);
  if (kept.focus) document.getElementById(kept.focus).focus({ preventScroll: true });
  const open = kept.open ? document.getElementById('ask-' + kept.open) : null;
  if (open) ask(open);
  document.documentElement.dataset.review = 'ready';
})();
