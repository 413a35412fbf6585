/* Quotations checked in the texts of the site, as src/verify/ and src/search/alike/ do it with an index: exactly, else nearly. */
(function (zhushu) {
  'use strict';

  const MIN_CHARS = 4, MIN_PAIRS = 2, MIN_RUN = 3, MAX_SEEDS = 48, MAX_EDITS = 48, PLACES = 5, CONTEXT = 12;

  /* Places that share most pairs with the words: one pass over the characters of each text. */
  function seeds(codes, edits, texts) {
    const pairs = new Map(), found = [];
    codes.forEach((code, i) => { if (i > 0) pairs.set(codes[i - 1] * 0x200000 + code, [...pairs.get(codes[i - 1] * 0x200000 + code) || [], i - 1]); });
    for (const text of texts) {
      const { chars } = text, votes = [];
      for (let at = 1; at < chars.length; at += 1) {
        for (const offset of pairs.get(chars[at - 1] * 0x200000 + chars[at]) || []) votes.push([at - 1 - offset, offset]);
      }
      votes.sort((a, b) => a[0] - b[0]);
      let end = 0, last = null;
      const counts = new Map();
      for (const [begin, offset] of votes) {
        for (; end < votes.length && votes[end][0] <= begin + edits; end += 1) counts.set(votes[end][1], (counts.get(votes[end][1]) || 0) + 1);
        const seed = { text, at: begin + offset, offset, begin, votes: counts.size };
        if (counts.get(offset) > 1) counts.set(offset, counts.get(offset) - 1); else counts.delete(offset);
        if (seed.votes < MIN_PAIRS) continue;
        if (last && begin - last.begin <= edits) { if (last.votes < seed.votes) Object.assign(last, seed); } else found.push(last = seed);
      }
    }
    return found.sort((a, b) => b.votes - a.votes).slice(0, MAX_SEEDS);
  }

  /* Compares the words with the text around a seed, in a band; null if they differ in more characters. */
  function compared(codes, { text, at, offset }, most) {
    const { chars } = text, width = 2 * most + 1, shift = at - offset - most, rows = [Array.from({ length: width }, () => [0, ''])];
    const outside = n => n < 0 || n > chars.length, never = [Infinity, ''];
    for (let row = 1; row <= codes.length; row += 1) {
      const own = [], before = rows[row - 1];
      for (let c = 0; c < width; c += 1) {
        const end = shift + row + c, code = chars[end - 1];
        let best = never;
        if (!outside(end)) {
          const ways = [];
          if (code > zhushu.BREAK) ways.push(code === codes[row - 1] ? [before[c][0], 'same'] : [before[c][0] + 1, 'changed']);
          if (c + 1 < width) ways.push([before[c + 1][0] + 1, 'added']);
          if (c > 0 && code > zhushu.BREAK) ways.push([own[c - 1][0] + 1, 'missing']);
          for (const way of ways) if (way[0] < best[0]) best = way;
        }
        own.push(best);
      }
      rows.push(own);
    }
    let row = codes.length, c = 0;
    rows[row].forEach(([cost], i) => { if (cost < rows[row][c][0] || cost === rows[row][c][0] && Math.abs(i - most) < Math.abs(c - most)) c = i; });
    const edits = rows[row][c][0], end = shift + row + c, steps = [];
    if (edits > most) return null;
    while (row > 0) {
      const step = rows[row][c][1];
      steps.unshift(step);
      if (step === 'added') c += 1;
      if (step === 'missing') c -= 1; else row -= 1;
    }
    const start = shift + c, run = Math.max(...steps.join(' ').split(/(?:changed|added|missing)/).map(s => s.split('same').length - 1));
    return end > start && text.unbroken(start, end) ? { hit: { text, start, len: end - start }, edits, run, steps } : null;
  }

  /* The words as typed beside those of the text. */
  function pieces({ hit, steps }, typed) {
    const all = [];
    let quoted = 0, at = hit.start;
    const original = () => {
      const unit = hit.text.unitAt(at), { from, to } = unit.laid()[at - unit.first];
      at += 1;
      return unit.words.slice(from, to);
    };
    for (const step of steps) {
      const same = step === 'same';
      if (all.length === 0 || all.at(-1).same !== same) all.push({ same, quoted: '', found: '' });
      if (step !== 'missing') { all.at(-1).quoted += typed[quoted]; quoted += 1; }
      if (step !== 'added') all.at(-1).found += original();
    }
    return all;
  }

  /* True if a citation (the words between title marks) names a text; only full names are known here. */
  function isMeant(cited, { meta }) {
    const [work, chapter] = cited.split(/[·・‧•]/).map(zhushu.keyWords), of = zhushu.keyWords(meta.work || meta.title);
    return of === work && (!chapter || !meta.chapter || zhushu.keyWords(meta.chapter) === chapter);
  }

  function place(hit, more) {
    return { ...zhushu.shownHit(hit, CONTEXT), differences: [], edits: 0, ...more };
  }

  /* The verdict on some words, and what they are said to be from (or ''), in the form of api/verify. */
  zhushu.verify = function (words, cited) {
    const key = zhushu.key(words), codes = key.map(k => k[0]), typed = key.map(k => k[1]);
    if (codes.length < MIN_CHARS) return { words, verdict: 'too-short', places: [] };
    /* What stands for words that are left out is only known to the index. */
    if (/…|⋯|\.\.\./.test(words)) return { words, verdict: 'not-checked', places: [] };
    const find = folding => zhushu.find({ kind: 'words', codes, typed }, { folding, crossing: true });
    const here = cited ? zhushu.texts.filter(text => isMeant(cited, text)) : [];
    const hits = find('full'), own = hits.filter(hit => here.includes(hit.text));
    /* The list of works is not here, so that a name which is not found may be another name of a text that is. */
    const isUnknown = cited !== '' && here.length === 0;
    if (hits.length > 0) {
      const meant = own.length > 0 ? own : hits, has = hit => meant.some(m => m.text === hit.text && m.start === hit.start);
      const form = ['exact', 'script'].find(folding => find(folding).some(has)) || 'variants';
      const shown = meant.slice(0, PLACES).map(hit => place(hit));
      return { words, form, isUnknown, verdict: isUnknown ? 'work-absent' : cited && own.length === 0 ? 'elsewhere' : 'verbatim', places: shown };
    }
    const most = Math.min(MAX_EDITS, Math.max(1, Math.floor(2 * codes.length / 5)));
    const near = seeds(codes, most, zhushu.texts).map(seed => compared(codes, seed, most)).filter(Boolean);
    near.sort((a, b) => a.edits - b.edits || here.includes(b.hit.text) - here.includes(a.hit.text));
    const best = near[0], differs = best && best.edits * 4 <= codes.length;
    if (!best || !differs && best.run < MIN_RUN) return { words, isUnknown, verdict: isUnknown ? 'work-absent' : 'not-found', places: [] };
    const once = near.filter((n, i) => near.findIndex(o => o.hit.text === n.hit.text && o.hit.start === n.hit.start) === i);
    return { words, isUnknown, verdict: isUnknown ? 'work-absent' : differs ? 'differs' : 'near', places: once.slice(0, PLACES).map(n => place(n.hit, { edits: n.edits, differences: pieces(n, typed) })) };
  };
})(window.zhushu);
