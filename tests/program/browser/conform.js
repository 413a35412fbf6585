// Runs the queries in `window.questions` with the page's own search, and leaves the answers in the document.
addEventListener('load', async () => {
  const reported = [];
  try {
    document.getElementById('ask').focus();
    document.getElementById('ask').dispatchEvent(new Event('focus'));
    for (let n = 0; n < 100 && !(window.zhushu && window.zhushu.answer); n += 1) await new Promise(done => setTimeout(done, 50));
    for (const asked of window.questions) {
      try {
        const check = () => window.zhushu.asking.begin().then(() => window.zhushu.verify(...asked.verify));
        reported.push(await (asked.verify ? check() : window.zhushu.answer(asked)));
      } catch (e) {
        reported.push({ error: { message: e.message, column: e.column, width: e.width, hint: e.hint } });
      }
    }
  } catch (error) {
    reported.push('thrown: ' + error.stack);
  }
  document.documentElement.dataset.reported = encodeURIComponent(JSON.stringify(reported));
});
