/* Loads the page again when the server says that there is another build. */
(function () {
  'use strict';
  const SECOND = 1000;
  let build = null;
  async function ask() {
    if (document.visibilityState === 'visible') {
      try {
        const now = (await (await fetch('api/build', { cache: 'no-store' })).json()).build;
        if (build !== null && now !== build) return location.reload();
        build = now;
      } catch { /* The server is away; it may come back. */ }
    }
    setTimeout(ask, SECOND);
  }
  ask();
})();
