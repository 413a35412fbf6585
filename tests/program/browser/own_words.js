/* After the language was chosen: all of our own words on the page, in order, in an element of their own. */
setTimeout(() => {
  const words = [document.documentElement.dataset.language];
  for (const e of document.querySelectorAll('[data-m], [data-mt], [data-ma], [data-mw], [data-own]')) {
    if (e.closest('#found')) continue;
    if (e.dataset.m) words.push(e.textContent);
    for (const [kept, name] of [['mt', 'title'], ['ma', 'aria-label'], ['mw', 'data-who']]) if (e.dataset[kept]) words.push(e.getAttribute(name));
    if ('own' in e.dataset) words.push(e.lang);
  }
  const pre = document.createElement('pre');
  pre.id = 'own-words';
  pre.textContent = words.join('|');
  document.body.append(pre);
}, 2000);
