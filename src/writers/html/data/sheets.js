/* The sheets of a chapter are read as one page: the next is added when one comes near the end, the one before when one goes back
   beyond the beginning. Without this, links lead from one to the other. No ampersand and no less-than sign, as in page.js. */
(function () {
  const main = document.getElementById('text'), page = window.zhushuPage, footer = document.querySelector('footer');
  if (!main || !page || !main.dataset.sheets || document.getElementById('review-data')) return;
  const count = main.dataset.sheets.split('|').length;
  let first = Number(main.dataset.sheet), last = first, busy = false, goesBack = false;
  const file = n => main.dataset.file + (n ? '.' + (n + 1) : '') + '.html';

  /* From the file system a page may read no other, but that may say what it has. */
  function framed(address) {
    return new Promise((done, failed) => {
      const frame = document.createElement('iframe');
      const end = (does, what) => { removeEventListener('message', hear); frame.remove(); does(what); };
      const hear = event => { if (event.source === frame.contentWindow) end(done, event.data); };
      addEventListener('message', hear);
      frame.name = 'zhushu-sheet';
      frame.hidden = true;
      frame.sandbox = 'allow-scripts allow-same-origin';
      frame.addEventListener('load', () => setTimeout(() => end(failed, new Error(address)), 1000));
      frame.src = address;
      document.body.append(frame);
    });
  }
  async function fetched(address) {
    const reply = await fetch(address);
    if (!reply.ok) throw new Error(address);
    return reply.text();
  }
  async function read(n) {
    const html = await (location.protocol === 'file:' ? framed : fetched)(file(n));
    return new DOMParser().parseFromString(html, 'text/html');
  }
  /* A section on two sheets is one. Returns what is new. */
  function take(other, earlier) {
    const all = Array.from(other.getElementById('text').children);
    return (earlier ? all.reverse() : all).flatMap(element => {
      const own = element.id ? document.getElementById(element.id) : null;
      /* Its heading stands on both. */
      const again = own ? (earlier ? own : element).querySelector(':scope > h2') : null;
      if (again) again.remove();
      const [into, what] = own ? [own, Array.from(element.children)] : [main, [element]];
      if (earlier) into.prepend(...what); else into.append(...what);
      return what;
    });
  }
  /* What is listed at the foot of both is listed together. */
  function list(other, earlier) {
    return Array.from(other.querySelectorAll('footer > details[id]')).flatMap(theirs => {
      const own = document.getElementById(theirs.id);
      if (!own) { footer.querySelector('.turn').before(theirs); return [theirs]; }
      const [sum, more] = [own, theirs].map(e => e.querySelector('summary small'));
      if (sum) sum.textContent = ' ' + (Number(sum.textContent) + Number(more.textContent));
      const what = Array.from(theirs.children).slice(1);
      if (earlier) own.querySelector('summary').after(...what); else own.append(...what);
      return what;
    });
  }
  function turn(other, earlier) {
    const rel = '[rel=' + (earlier ? 'prev' : 'next') + ']', next = other.querySelector('.turn ' + rel);
    for (const links of document.querySelectorAll('.turn')) {
      const own = links.querySelector(rel), pages = links.querySelector('span:not([data-m])');
      if (own) if (next) own.replaceWith(next.cloneNode(true)); else own.remove();
      if (pages) pages.textContent = first + 1 + '\u2013' + (last + 1) + ' / ' + count;
    }
  }
  /* Links to what is on the page now stay on it. */
  function link() {
    const here = new Set(Array.from({ length: last - first + 1 }, (_, n) => decodeURI(file(first + n))));
    for (const a of document.querySelectorAll(':is(main, footer) a[href*=".html"]')) {
      const to = new URL(a.href), name = decodeURI(to.pathname.split('/').at(-1));
      if (!here.has(name) || !to.hash) continue;
      const words = to.searchParams.get('w');
      if (words) a.dataset.w = words;
      a.setAttribute('href', to.hash);
    }
  }
  async function add(earlier) {
    if (earlier ? first === 0 : last + 1 === count) return;
    /* One at a time; who goes back meanwhile is not forgotten. */
    if (busy) { goesBack = goesBack || earlier; return; }
    busy = true;
    try {
      const other = await read(earlier ? first - 1 : last + 1);
      if (earlier) first -= 1; else last += 1;
      join(other, earlier);
      watch();
    } catch { /* The links are still there. */ } finally { busy = false; }
    if (goesBack) { goesBack = false; add(true); }
  }
  function join(other, earlier) {
    const mark = main.querySelector('.jie'), before = mark.getBoundingClientRect();
    document.documentElement.style.overflowAnchor = 'none';
    turn(other, earlier);
    const roots = [...take(other, earlier), ...list(other, earlier)];
    link();
    page.added(other, [...roots, ...document.querySelectorAll('.turn')]);
    const after = mark.getBoundingClientRect();
    if (earlier) {
      scrollBy({ top: after.top - before.top, behavior: 'instant' });
      main.scrollBy({ left: after.left - before.left, behavior: 'instant' });
    }
    requestAnimationFrame(() => { document.documentElement.style.overflowAnchor = ''; });
  }
  const near = new IntersectionObserver(seen => { if (seen.some(e => e.isIntersecting)) add(false); }, { rootMargin: '100%' });
  function watch() {
    near.disconnect();
    /* Of some passages a layout may show nothing. */
    if (count > last + 1) for (const passage of Array.from(main.querySelectorAll('.jie')).slice(-5)) near.observe(passage);
  }
  const NEAR = 200;
  /* Vertical text begins at the right, where it has scrolled by nothing. */
  function back(of, place) {
    let before = place();
    of.addEventListener('scroll', () => {
      const now = place(), wasAfter = before > now;
      before = now;
      if (wasAfter) if (NEAR > now) add(true);
    }, { passive: true });
  }
  back(window, () => scrollY);
  back(main, () => -main.scrollLeft);
  /* What is to be read first comes first. */
  const REST = 1500;
  if (document.readyState === 'complete') watch(); else addEventListener('load', () => setTimeout(watch, REST));
})();
