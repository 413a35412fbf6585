/* Remembers switches, and tells the style sheet of them by classes of the root, before the text is laid out. No ampersand
   and no less-than sign in this file: it stands in XML as it is. */
'use strict';
(function () {
  /* Switches are remembered where the browser lets a local file remember anything. */
  const store = {
    /* A file of its own origin may be refused storage; the window's name goes along with it from page to page. */
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
  const inputs = Array.from(document.querySelectorAll('.bar input'));
  const known = store.read();
  for (const input of inputs) if (input.id in known) if (input.type === 'checkbox') input.checked = known[input.id];
  for (const input of inputs) if (known[input.id] === true) input.checked = true;
  function tell() {
    for (const input of inputs) {
      document.documentElement.classList.toggle(input.id, input.checked);
      document.documentElement.classList.toggle('no-' + input.id, !input.checked);
    }
  }
  tell();
  for (const form of document.querySelectorAll('.bar')) form.addEventListener('change', () => {
    const all = store.read();
    for (const input of inputs) all[input.id] = input.checked;
    store.write(all);
    tell();
  });
})();
