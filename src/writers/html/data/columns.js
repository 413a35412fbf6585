/* A column for each commentary, beside what it explains: as many as there is room for, what is left below each other in the last. Without
   room for two they are below the classic. No ampersand and no less-than sign, as in page.js. */
(function () {
  const main = document.getElementById('text'), layout = document.getElementById('lay-ge');
  /* Widths in the size of the letters: a column with the gap beside it. */
  const COLUMN = 15.6, ON_PAPER = 3;
  if (!main || !layout || !window.CSSStyleSheet || !document.adoptedStyleSheets) return;
  const rules = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
  const layers = Array.from(document.querySelectorAll('#groups input[id^=sw-]'), input => input.id.slice(3));
  let now = '';
  function lay(paper) {
    const size = parseFloat(getComputedStyle(main).fontSize), width = main.clientWidth;
    const shown = layers.filter(layer => document.getElementById('sw-' + layer).checked);
    const within = part => shown.filter(layer => main.querySelector('.' + part + ' > .b.' + CSS.escape(layer)));
    const notes = within('wen').filter(layer => !main.querySelector('.wen > .b:is(.jing, .zhuan).' + CSS.escape(layer)));
    const late = within('shuo'), translation = main.querySelector('.beside');
    const translated = translation ? getComputedStyle(translation).display !== 'none' : false;
    const room = (paper || Math.floor(width / (COLUMN * size))) - 1 - (translated ? 1 : 0);
    const columns = Math.min(room, notes.length + late.length);
    const on = layout.checked ? columns > 0 : false;
    const state = on + ' ' + columns + ' ' + translated + ' ' + notes + ' ' + late;
    if (state === now) return;
    now = state;
    main.classList.toggle('columned', on);
    main.classList.toggle('translated', translated);
    if (on) rules.replaceSync(sheet(columns, notes, late)); else rules.replaceSync('');
  }
  /* As heavy as the rules of the page, which have an id. */
  function sheet(columns, notes, late) {
    const end = columns + 2, last = columns + 1;
    /* The sub-commentaries begin in the column after the notes, or below them in the last one. */
    const first = late.length ? Math.min(2 + notes.length, last) : end, below = notes.length > columns - 1 ? late.length : 0;
    const place = (layer, n) => '#text#text .jie .b.' + CSS.escape(layer) + ' { grid-column: ' + n + '; }';
    return [
      '#text { --columns: ' + columns + '; }',
      '#text#text .jie > .wen { grid-column: 1 / ' + (below || !late.length ? end : first) + '; }',
      /* A heading, and what has no sub-commentary. */
      '#text#text .jie > .wen:last-child { grid-column: 1 / ' + end + '; }',
      '#text#text .jie > .shuo { grid-column: ' + first + ' / ' + end + '; grid-row: ' + (below ? 2 : 1) + '; }',
      ...notes.map((layer, n) => place(layer, Math.min(2 + n, last))),
      ...late.map((layer, n) => place(layer, Math.min(2 + notes.length + n, last) + 1 - first)),
    ].join('\n');
  }
  const again = () => lay(0);
  for (const form of document.querySelectorAll('.switches')) form.addEventListener('change', again);
  /* The width of the text changes with the window, the panel, and a text beside it; its height where a sheet is added. */
  new ResizeObserver(again).observe(main);
  addEventListener('beforeprint', () => lay(ON_PAPER));
  addEventListener('afterprint', again);
  again();
})();
