/* Remembers switches, and passes them to the style sheet as classes of the root element, before the text is laid out. No ampersand
   and no less-than sign in this file: it is embedded in XML unescaped. */
'use strict';
(function () {
  /* Switches are remembered if the browser allows local files to store anything. */
  const store = {
    /* A file with its own origin may have no storage; the window's name stays the same from page to page. */
    read() {
      let words = null;
      try { words = localStorage.getItem('zhushu'); } catch { words = window.name; }
      try { return JSON.parse(words) || {}; } catch { return {}; }
    },
    write(all) {
      const words = JSON.stringify(all);
      try { localStorage.setItem('zhushu', words); } catch { window.name = words; }
    },
  };
  if (window.zhushuFrame) {
    zhushuFrame.add();
    const own = document.getElementById('lang-' + document.documentElement.dataset.language);
    if (own) own.checked = true;
  }
  const inputs = Array.from(document.querySelectorAll('.switches input'));
  const known = store.read();
  for (const input of inputs) if (input.id in known) if (input.type === 'checkbox') input.checked = known[input.id];
  for (const input of inputs) if (known[input.id] === true) input.checked = true;
  /* Who has not chosen a language gets that of the browser, if there is one. */
  const speaks = tag => /^en/i.test(tag) ? 'en' : /^zh-(hans|cn|sg|my)/i.test(tag) ? 'zh-Hans' : /^zh/i.test(tag) ? 'zh-Hant' : '';
  const spoken = (navigator.languages || []).map(speaks).find(Boolean);
  const language = spoken ? document.getElementById('lang-' + spoken) : null;
  if (language) if (!('lang-en' in known)) language.checked = true;
  function apply() {
    for (const input of inputs) {
      document.documentElement.classList.toggle(input.id, input.checked);
      document.documentElement.classList.toggle('no-' + input.id, !input.checked);
    }
  }
  apply();
  for (const form of document.querySelectorAll('.switches')) form.addEventListener('change', () => {
    const all = store.read();
    for (const input of inputs) all[input.id] = input.checked;
    store.write(all);
    apply();
  });
})();
