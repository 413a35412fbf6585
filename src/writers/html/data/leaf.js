/* The image of a leaf of the print, in a panel beside the text. It is loaded when it is opened. Without this a leaf is a link to its
   image. No ampersand and no less-than sign, as in page.js. */
(function () {
  const main = document.getElementById('text');
  const ALL = 'a.leaf, .leaf[data-image]';
  if (!main) return;
  const addressOf = leaf => leaf.href || leaf.dataset.image;
  const wordsOf = id => { const words = document.getElementById(id); return words ? words.textContent : ''; };
  let panel = null, image, name, own, missing, shown = null, from = null;

  function button(words, sign, does) {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = sign;
    made.dataset.words = words;
    made.addEventListener('click', does);
    return made;
  }
  function make() {
    panel = document.createElement('aside');
    panel.id = 'leaf-image';
    panel.hidden = true;
    const head = document.createElement('p');
    name = document.createElement('strong');
    own = document.createElement('a');
    own.textContent = '\u2197';
    own.dataset.words = 'leaf-own';
    own.rel = 'noreferrer';
    own.target = '_blank';
    const before = button('leaf-before', '\u2190', () => step(-1)), after = button('leaf-after', '\u2192', () => step(1));
    head.append(name, before, after, own, button('leaf-close', '\u00d7', close));
    image = document.createElement('img');
    image.referrerPolicy = 'no-referrer';
    image.decoding = 'async';
    image.addEventListener('click', () => panel.classList.toggle('full'));
    image.addEventListener('load', () => { missing.hidden = true; image.hidden = false; });
    image.addEventListener('error', () => { missing.hidden = false; image.hidden = true; });
    missing = document.createElement('p');
    const frame = document.createElement('div');
    frame.tabIndex = 0;
    frame.append(image, missing);
    panel.append(head, frame);
    /* Before the text in the order of the keys: not after all of it. */
    main.before(panel);
  }
  /* A note in double rows is made again when the width changes. */
  function again(leaf) {
    if (leaf.isConnected) return leaf;
    const same = Array.from(main.querySelectorAll(ALL)).filter(l => l.dataset.n === leaf.dataset.n);
    return same.find(l => l.dataset.e === leaf.dataset.e) || same[0] || leaf;
  }
  function show(leaf) {
    /* One thing beside the text at a time. */
    const other = window.zhushuPage.panel;
    if (other) other.close();
    leaf = again(leaf);
    if (!panel) make();
    panel.hidden = false;
    document.documentElement.classList.add('leaf-open');
    name.textContent = leaf.dataset.n;
    name.title = leaf.dataset.e || '';
    own.href = addressOf(leaf);
    for (const made of panel.querySelectorAll('[data-words]')) {
      made.title = wordsOf(made.dataset.words);
      made.setAttribute('aria-label', made.title);
    }
    panel.setAttribute('aria-label', wordsOf('leaf-name'));
    missing.textContent = wordsOf('leaf-missing');
    missing.hidden = true;
    image.hidden = false;
    image.alt = wordsOf('leaf-name') + ' ' + leaf.dataset.n;
    image.src = addressOf(leaf);
    panel.lastChild.scrollTo(0, 0);
    if (shown) shown.classList.remove('lit');
    shown = leaf;
    shown.classList.add('lit');
    /* The text is narrower now, and its lines are others. */
    shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  }
  document.addEventListener('zhushu-panel', () => { if (shown) { from = null; close(); } });
  function close() {
    panel.hidden = true;
    image.removeAttribute('src');
    document.documentElement.classList.remove('leaf-open');
    if (shown) shown.classList.remove('lit');
    shown = null;
    if (from) from.focus({ preventScroll: true });
  }
  function step(by) {
    const all = Array.from(main.querySelectorAll(ALL));
    shown = again(shown);
    const next = all[all.indexOf(shown) + by];
    if (next) if (all.includes(shown)) show(next);
  }
  main.addEventListener('click', event => {
    const leaf = event.target.closest ? event.target.closest(ALL) : null;
    if (!leaf || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    from = leaf;
    show(leaf);
    panel.querySelector('[data-words=leaf-close]').focus({ preventScroll: true });
  });
  /* Before the page's own keys, which would go back. */
  addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !shown || document.querySelector(':popover-open, dialog[open]')) return;
    event.stopPropagation();
    close();
  }, true);
})();
