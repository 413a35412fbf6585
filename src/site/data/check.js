/* A box to paste a text into: its quotations are checked in the texts of the site. */
(function (zhushu) {
  'use strict';

  const PAUSE_MS = 400, MAX_QUOTATIONS = 200, MAX_CHARS = 500, HAN = /\p{Script=Han}/gu;
  const QUOTED = /「([^「」]+)」|『([^『』]+)』|“([^“”]+)”|"([^"\n]+)"/gu;
  const BEFORE = /《([^》]{1,40})》(?:[〈《]([^〉》]{1,40})[〉》])?[^。！？!?\n「」“”)）]{0,20}$/u, AFTER = /^[\s，,。]*[（(—─]+\s*《([^》]{1,40})》/u;
  const VERDICTS = {
    verbatim: '{verify-verbatim}', elsewhere: '{verify-elsewhere}', differs: '{verify-differs}', near: '{verify-near}',
    'not-found': '{verify-not-found}', 'work-absent': '{verify-work-absent}', 'too-short': '{verify-too-short}',
    'not-checked': '{verify-not-checked}',
  };
  const FORMS = { punctuation: '{verify-punctuation}', script: '{verify-script}', variants: '{verify-variants}' };
  const { make, ours, row, ways, begin } = zhushu.asking;

  /* The quotations of a text, each with the title beside it. */
  function quotations(text) {
    return [...text.matchAll(QUOTED)].flatMap(found => {
      const words = found.slice(1).find(Boolean), end = found.index + found[0].length;
      if ((words.match(HAN) || []).length * 2 < words.replace(/[^\p{L}\p{N}]/gu, '').length || !words.match(HAN)) return [];
      const cited = AFTER.exec(text.slice(end)) || BEFORE.exec(text.slice(0, found.index));
      return [{ words, cited: cited ? cited.slice(1).filter(Boolean).join('・') : '' }];
    });
  }
  async function checked({ words, cited }) {
    if (!zhushu.endpoint) return zhushu.verify(words, cited);
    const text = (cited ? '《' + cited + '》' : '') + '「' + words + '」';
    const reply = await fetch('api/verify?' + new URLSearchParams({ text })), report = await reply.json();
    if (report.error) throw new Error(report.error.message);
    return report.items.find(item => item.kind === 'quotation') || { words, verdict: 'too-short', places: [] };
  }

  const box = make('textarea', { rows: 4 }), list = make('ol', { className: 'checked' }), status = make('p', {});
  status.setAttribute('role', 'status');
  const label = make('label', {}, ours('{verify-paste}'), box);
  const details = make('details', { className: 'check' }, ours('{verify-title}', 'summary'), label, status, list);

  function differences(place) {
    const shown = place.differences.flatMap(p => p.same ? [p.found] : [make('del', { textContent: p.quoted || '∅' }), make('ins', { textContent: p.found || '∅' })]);
    return shown.length > 0 ? [make('p', {}, ...shown)] : [];
  }
  function shown({ words, cited }, item) {
    const form = item.verdict === 'verbatim' ? FORMS[item.form] : null;
    const verdict = make('strong', { className: item.verdict }, ours(VERDICTS[item.verdict]), ...form ? [' · ', ours(form)] : []);
    const unknown = item.isUnknown ? [' ', ours('{verify-title-unknown}', 'small')] : item.unread ? [' ', ours('{verify-unread}', 'small')] : [];
    const head = make('p', {}, verdict, ' ', '「' + words + '」', ...cited ? [' ', make('small', { textContent: '← ' + cited })] : [], ...unknown);
    const places = item.places.slice(0, 3).flatMap((place, n) => n === 0 ? [...differences(place), make('ul', {}, row(place))] : [make('ul', {}, row(place))]);
    return make('li', {}, head, ...places);
  }

  let turn = 0;
  async function run() {
    const now = ++turn;
    list.replaceChildren();
    const found = quotations(box.value), all = found.filter(q => [...q.words].length <= MAX_CHARS).slice(0, MAX_QUOTATIONS);
    const left = found.length - all.length, omitted = left > 0 ? [' ', ours(`{verify-left n=${left}}`)] : [];
    if (all.length > 0) await begin();
    let short = 0, unchecked = 0;
    for (const quotation of all) {
      const item = await checked(quotation);
      if (now !== turn) return;
      short += item.verdict === 'too-short' ? 1 : 0;
      unchecked += item.verdict === 'not-checked' ? 1 : 0;
      if (item.verdict !== 'too-short') list.append(shown(quotation, item));
      zhushu.translate(list);
    }
    status.replaceChildren(ours(`{verify-checked n=${all.length - short - unchecked} short=${short}}`), ...omitted, ' ', ours('{verify-elsewhere-perhaps}'));
    zhushu.translate(status);
  }
  const complain = error => status.replaceChildren(error.message);
  let soon = 0;
  box.addEventListener('input', () => {
    clearTimeout(soon);
    soon = setTimeout(() => run().catch(complain), PAUSE_MS);
  });
  ways.append(details);
  zhushu.translate(details);
})(window.zhushu);
