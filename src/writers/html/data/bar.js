/* The bar: what has no effect in a layout cannot be used, vertical text fits below it, and it moves away while one reads. No ampersand and no less-than sign in
   this file: it is embedded in XML unescaped. */
(function () {
  const root = document.documentElement, bar = document.querySelector('.bar'), main = document.getElementById('text');
  if (!bar) return;
  const idle = Array.from(bar.querySelectorAll('[data-idle]'));
  const narrow = matchMedia('(max-width: 61.99rem)');
  const on = name => root.classList.contains('lay-' + name);
  function grey() {
    for (const label of idle) {
      label.querySelector('input').disabled = label.dataset.idle.split(' ').some(name => name === 'narrow' ? narrow.matches : on(name));
    }
  }
  /* The text begins right below the bar, so that no line has its foot below the window. */
  function fit(event) {
    if (!main || !on('zhi') || (event ? !event.target.matches('[name=lay]') : location.hash || location.search)) return;
    scrollTo({ top: main.getBoundingClientRect().top + scrollY - bar.offsetHeight, behavior: 'instant' });
  }
  /* Only for vertical text: every element of it is styled again. */
  function measure() {
    if (!main) return;
    if (on('zhi')) main.style.setProperty('--bar', bar.offsetHeight + 'px');
    /* Upright text scrolls in itself, and may have nothing else in it that takes the focus. */
    if (on('zhi')) main.tabIndex = 0; else main.removeAttribute('tabindex');
  }
  bar.addEventListener('change', event => { grey(); measure(); fit(event); });
  narrow.addEventListener('change', grey);
  new ResizeObserver(measure).observe(bar);
  /* The bar moves away while one reads down, and comes back on the way up, or when something in it is used. */
  let before = scrollY;
  addEventListener('scroll', () => {
    const down = scrollY - before;
    if (Math.abs(down) > 8) {
      const used = bar.contains(document.activeElement) || document.querySelector(':popover-open');
      bar.classList.toggle('away', down > 0 ? scrollY > 160 : false);
      if (used || on('zhi')) bar.classList.remove('away');
      before = scrollY;
    }
  }, { passive: true });
  bar.addEventListener('focusin', () => bar.classList.remove('away'));
  measure();
  grey();
  fit();
})();
