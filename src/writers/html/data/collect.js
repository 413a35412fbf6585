/* Sentences that a reader collects on the pages of a site, for a handout. The browser keeps them. No ampersand and no less-than sign in
   this file: it is embedded in XML unescaped. */
(function () {
  const box = document.getElementById('collected'), page = window.zhushuPage;
  if (!box || !page) return;
  const KEPT = 'zhushu-collected', FILE = 'passages.txt';
  const list = box.querySelector('ol');
  /* If the browser keeps nothing, they are kept while the page is open. */
  let here = [];
  /* Others may write there too: an address that is no page of this site is left out. */
  const isOurs = e => e ? typeof e.locus === 'string' ? /^[^\s,;#]+$/.test(e.locus) ? /^[^:/?#]+\.html$/.test(e.page) : false : false : false;
  function all() {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) || '[]');
      return Array.isArray(kept) ? kept.filter(isOurs) : [];
    } catch { return here; }
  }
  function keep(entries) {
    here = entries;
    try { localStorage.setItem(KEPT, JSON.stringify(entries)); } catch { /* As above. */ }
    count();
  }
  function count() {
    const n = all().length;
    for (const e of document.querySelectorAll('[data-collect=show] small')) e.textContent = n || '';
  }
  /* Each in a line of its own, after a line that says what it is, which `zhushu export --passages @passages.txt` passes over. */
  function lines() { return all().map(e => '# ' + e.title + ' ' + e.words.replace(/\s+/g, ' ') + '\n' + e.locus + '\n').join(''); }
  function show() {
    const entries = all();
    list.replaceChildren(...entries.map(entry => {
      const line = document.createElement('li'), link = document.createElement('a'), button = document.createElement('button');
      link.href = entry.page + '#' + encodeURI(entry.locus);
      link.textContent = entry.title + ' ' + entry.locus;
      button.type = 'button';
      button.textContent = '\u00d7';
      button.setAttribute('aria-label', document.getElementById('collect-remove').textContent);
      button.addEventListener('click', () => { keep(all().filter(e => e.locus !== entry.locus)); show(); });
      line.append(link, ' ', entry.words, ' ', button);
      return line;
    }));
    box.classList.toggle('empty', !entries.length);
  }
  const does = {
    add(button) {
      const entry = page.cited();
      if (entry) keep([...all().filter(e => e.locus !== entry.locus), entry]);
      button.classList.add('done');
    },
    show() {
      const open = document.querySelector('#cite:popover-open');
      if (open) open.hidePopover();
      show();
      box.showPopover();
      box.focus();
    },
    copy(button) { navigator.clipboard.writeText(lines()).then(() => button.classList.add('done'), () => { /* It is not allowed. */ }); },
    save() {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([lines()], { type: 'text/plain' }));
      link.download = FILE;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    },
    clear() { keep([]); show(); },
  };
  document.addEventListener('click', event => {
    const button = event.target.closest ? event.target.closest('[data-collect]') : null;
    if (button) does[button.dataset.collect](button);
  });
  addEventListener('storage', count);
  count();
})();
