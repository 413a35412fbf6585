// Runs before the page's content policy is read, waits for the page, uses it as a reader would, and leaves what went
// wrong in the document for the test to read.
addEventListener('load', async () => {
  const wrong = [];
  const see = (what, fine) => { if (!fine) wrong.push(what); };
  const $ = selector => document.querySelector(selector);
  const all = selector => Array.from(document.querySelectorAll(selector));
  const shown = element => Boolean(element && element.getClientRects().length);
  const press = id => { if ($('#' + id)) $('#' + id).click(); };
  const words = () => $('main').textContent.replace(/\s/g, '');
  const wait = ms => new Promise(done => setTimeout(done, ms));
  const key = k => document.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true }));
  const wide = innerWidth > 1000;
  const accessible = async name => {
    if (!window.axe) return;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const found = await axe.run(document, { runOnly: tags, preload: false });
    for (const v of found.violations) see(`${name}: axe ${v.id}: ${v.nodes[0].html.slice(0, 200)}`, false);
  };
  try {
    await wait(50);
    const text = words();
    const note = $('.run .wen > p.zhu');
    see('the default layout shows notes below', !$('#lay-xia') || !note || (shown(note) && note.getBoundingClientRect().top >= note.previousElementSibling.getBoundingClientRect().bottom - 1));
    await accessible('plain');
    if ($('[data-c]')) {
      const fill = () => getComputedStyle($('[data-c]')).webkitTextFillColor;
      const covered = fill();
      press('sw-fix');
      const uncovered = fill();
      press('sw-fix');
      see('repairs cover damaged characters until they are switched off', covered === 'rgba(0, 0, 0, 0)' && uncovered !== covered);
    }
    if ($('#doubt-all')) {
      const tinted = () => all('main .p').filter(p => getComputedStyle(p).backgroundColor !== 'rgba(0, 0, 0, 0)').length;
      const counts = ['no', 'few', 'some', 'all'].map(name => { press('doubt-' + name); return tinted(); });
      see('doubtful text is tinted as asked: ' + counts, counts[0] === 0 && counts[1] <= counts[2] && counts[2] <= counts[3]);
      $('#legend').open = true;
      await accessible('doubtful, with the legend');
      $('#legend').open = false;
      press('doubt-no');
    }
    if ($('#lay-jing')) {
      press('lay-jing');
      see('經 alone hides notes', !shown($('.wen > p.zhu')) && shown($('.wen > p.jing')));
    }
    if ($('#lay-jia')) {
      press('lay-jia');
      const pairs = all('.jz').filter(shown);
      see('夾注 makes double rows', pairs.length > 5);
      const rows = pairs.map(p => Array.from(p.children, r => r.getBoundingClientRect())).filter(r => r.length === 2);
      see('the second row is under the first', rows.every(([a, b]) => b.top > a.top && Math.abs(a.left - b.left) < 1));
      see('double rows stay in the column', pairs.every(p => p.getBoundingClientRect().right <= innerWidth));
      see('double rows keep the order of words', words() === text);
      see('ids stay unique', new Set(all('[id]').map(e => e.id)).size === all('[id]').length);
      see('疏 and translation are away', !all('.shuo, .beside').some(shown));
      getSelection().selectAllChildren($('main'));
      const clipboardData = new DataTransfer();
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
      getSelection().removeAllRanges();
      const copied = clipboardData.getData('text/plain').replace(/\s/g, ''), letters = e => e.textContent.replace(/\s/g, '');
      const repaired = e => { const copy = e.cloneNode(true); for (const f of copy.querySelectorAll('[data-c]')) f.textContent = f.dataset.c; return letters(copy); };
      see('what is shown is copied in order', pairs.slice(0, 20).every(p => copied.includes(repaired(p))));
      see('what is away is not copied', !all('.shuo, .beside').filter(e => letters(e)).some(e => copied.includes(letters(e))));
      await accessible('夾注');
      press('lay-zhi');
      const upright = all('.jz').filter(shown).map(p => Array.from(p.children, r => r.getBoundingClientRect())).filter(r => r.length === 2);
      see('upright: the second row is to the left', upright.length > 5 && upright.every(([a, b]) => b.left < a.left));
    }
    if ($('#lay-zhi')) {
      press('lay-zhi');
      see('直排 is upright', getComputedStyle($('main')).writingMode === 'vertical-rl');
      see('直排 scrolls in itself', document.documentElement.scrollWidth <= innerWidth);
      see('直排 begins at the right', $('main').scrollLeft === 0);
      await accessible('直排');
    }
    if ($('#lay-lan') && note) {
      press('lay-xia');
      press('lay-lan');
      const base = note.parentElement.querySelector('.jing').getBoundingClientRect();
      see('分欄 is greyed where there is no room', wide !== $('#lay-lan').disabled);
      see('分欄 puts notes beside where there is room', wide === (note.isConnected && $('.run .wen > p.zhu').getBoundingClientRect().left >= base.right - 1));
    }
    press('lay-xia');
    see('unchanged again', words() === text && !$('.jz'));
    see('no sideways scrolling', document.documentElement.scrollWidth <= innerWidth);
    if ($('#sw-zhu')) {
      press('sw-zhu');
      see('a layer goes', !all('.zhu').some(shown));
      press('sw-zhu');
      see('a layer comes back', all('.zhu').some(shown));
    }
    if ($('#zi-jian')) {
      press('zi-jian');
      see('converted', words() !== text && words().length === text.length);
      press('lay-jia');
      see('converted in double rows', words() !== text && words().length === text.length);
      press('zi-yuan');
      press('lay-xia');
      see('the original comes back', words() === text);
    }
    const link = all('main a.ref[data-w], main a.lem[data-w], main a.ref[data-say]').find(shown);
    if (link) {
      link.click();
      see('a reference opens in place', $('#peek').matches(':popover-open') && $('#peek blockquote').textContent.length > 0);
      see('and can be followed', $('#peek a').getAttribute('href') === link.getAttribute('href'));
      $('#peek').hidePopover();
    }
    if ($('main .p.s')) {
      key('j');
      see('j goes to a sentence', document.activeElement.matches('main .p.s'));
      see('a sentence lights', all('.lit').length > 0);
    }
    // Marks are hidden at first, and shown when asked for.
    if ($('#sw-marks')) {
      const marks = () => all('main :is(.cited, .q):not(.pop *)').filter(shown).length;
      see('no mark is in the text at first', marks() === 0);
      const any = $('main :is(.cited, .q)');
      press('sw-marks');
      see('the switch shows the marks', !any || marks() > 0);
      await accessible('marks');
      press('sw-marks');
    }
    if ($('#panel') && $('main .p.s')) {
      const sentence = all('main .p.s').find(s => shown(s) && document.getElementById(s.id + '-in')) || all('main .p.s').find(shown);
      sentence.click();
      see('a click opens the panel', shown($('#panel')) && $('#panel > blockquote').textContent.replace(/\s/g, '').length > 0);
      const tabs = all('#panel [role=tab]').filter(shown);
      see('the panel has a tab for all there is: ' + tabs.map(t => t.textContent), tabs.length > 0 && (!document.getElementById(sentence.id + '-in') || tabs.length > 1));
      for (const tab of tabs) {
        tab.click();
        see('there is something under ' + tab.textContent, $('#panel-body').textContent.trim().length > 0);
        await accessible('panel: ' + tab.textContent);
      }
      see('ids stay unique beside the panel', new Set(all('[id]').map(e => e.id)).size === all('[id]').length);
      see('the sentence is not under the panel', sentence.getBoundingClientRect().left < $('#panel').getBoundingClientRect().left || sentence.getBoundingClientRect().top < $('#panel').getBoundingClientRect().top);
      const before = $('#panel > blockquote').textContent;
      key('j');
      see('the panel moves with the sentence', all('main .p.s').filter(shown).length < 2 || $('#panel > blockquote').textContent !== before);
      key('Escape');
      see('Escape closes the panel', !shown($('#panel')));
      see('words are as before', words() === text);
    }
    const number = all('main a.n').find(shown);
    if (number && $('#cite')) {
      number.click();
      const cite = name => $('#cite [data-cite=' + name + ']').textContent, locus = number.id;
      see('a number opens how to cite its sentence', $('#cite').matches(':popover-open'));
      see('the URN is of this text: ' + cite('urn'), cite('urn').startsWith('urn:cts:zhushu:') && !cite('urn').includes('::') && cite('urn').endsWith(':' + locus.split('.').slice(-2).join('.')));
      see('the address leads here', decodeURI(cite('link')) === location.href.replace(/[?#].*/, '') + '#' + locus);
      see('the words come with their source: ' + cite('words'), cite('words').startsWith('「') && cite('words').endsWith(locus + '）') && !/[\d「]/.test(cite('words').slice(1, 4)));
      see('the record is whole: ' + cite('record'), /^@incollection\{/.test(cite('record')) && cite('record').includes('pages = {' + locus + '}') && !cite('record').includes('⟨'));
      await accessible('cite');
      const add = $('#cite [data-collect=add]'), collected = $('#collected');
      see('only a site collects sentences', !!add === !!collected);
      if (add) {
        add.click();
        $('#cite [data-collect=show]').click();
        see('the sentence is in the list', collected.matches(':popover-open') && collected.querySelector('li a').textContent.endsWith(locus));
        await accessible('collected');
        collected.querySelector('li button').click();
        see('and not any more', !collected.querySelector('li'));
        collected.hidePopover();
      }
      if ($('#cite').matches(':popover-open')) $('#cite').hidePopover();
    }
    if ($('#cite')) {
      const block = all('main .zhu .p, main .translation .p').find(shown) || all('main .p').find(shown);
      getSelection().selectAllChildren(block);
      key('y');
      see('y cites what is selected', !all('main .n').length || ($('#cite').matches(':popover-open') && $('#cite [data-cite=words]').textContent.includes(block.textContent.trim().slice(0, 2))));
      if ($('#cite').matches(':popover-open')) $('#cite').hidePopover();
      getSelection().removeAllRanges();
    }
    // What is searched for is in the bundled corpus, which has no collations.
    if ($('#search') && !$('.wit')) {
      see('there is a search box', shown($('#ask')));
      const ask = async words => {
        $('#ask').focus();
        $('#ask').dispatchEvent(new Event('focus'));
        for (let n = 0; n < 50 && !$('#total'); n += 1) await wait(100);
        $('#ask').value = words;
        $('#total').textContent = '';
        $('#ask').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
        for (let n = 0; n < 100 && (!$('#total').textContent || $('#total').textContent.startsWith('讀取')); n += 1) await wait(50);
        return all('#found li a').map(a => [a.getAttribute('href'), a.querySelector('mark').textContent]);
      };
      const found = await ask('众宾继射');
      see('search folds variants: ' + JSON.stringify(found), found.some(([href, words]) => href.startsWith('yili-05-zhushu.html?w=x') && words === '眾賓繼射'));
      const notes = await ask('疏:众宾继射');
      see('search keeps to a layer: ' + $('#total').textContent, notes.every(([href]) => !href.includes('?w=x')));
      const many = await ask('獲');
      see('hits are aligned below each other', new Set(all('#found .r').map(r => r.getBoundingClientRect().left)).size === 1);
      see('the first twenty of many', many.length === 20 && /^20／\d{3} /.test($('#total').textContent));
      $('#found .more').click();
      for (let n = 0; n < 50 && !$('#total').textContent.startsWith('40'); n += 1) await wait(50);
      see('and twenty more', all('#found li a').length === 40);
      await accessible('search with hits');
      const within = all('#found select').find(s => Array.from(s.options).some(o => o.value === 'here'));
      see('a page of a text can be searched alone', shown(within) === Boolean($('#drawer').dataset.text));
      if (shown(within)) {
        within.value = 'here';
        const own = $('#drawer').dataset.text, chapter = own.slice(0, 7);
        const here = await ask('獲 OR 射');
        see('hits are in this chapter: ' + $('#total').textContent, here.length > 0 && here.every(([href]) => href.startsWith(chapter)));
        see('a complaint in it shows the place', (await ask('今文 鄭:賢獲')).length === 0 && $('#found .wrong mark').textContent === '鄭:');
        within.value = 'all';
        within.dispatchEvent(new Event('change'));
      }
      see('a complaint shows the place', (await ask('今文 鄭:賢獲')).length === 0 && $('#found .wrong mark').textContent === '鄭:');
      see('nothing is found for what is nowhere', (await ask('飛機場')).length === 0 && $('#total').textContent.startsWith('未檢得'));
      see('unknown names are reported', (await ask('by:朱熹 射')).length === 0 && $('#found').textContent.includes('鄭玄'));
      await accessible('search');
      $('#ask').blur();
    }
    if ($('#drawer')) {
      key('c');
      const drawer = $('#drawer'), jump = $('#drawer input');
      for (let n = 0; n < 50 && !$('#drawer nav a'); n += 1) await wait(50);
      see('c opens the contents', drawer.open && document.activeElement === jump);
      see('the drawer fits', drawer.scrollWidth <= drawer.clientWidth && drawer.getBoundingClientRect().right <= innerWidth);
      const text = drawer.dataset.text, own = $('#drawer nav a[aria-current=page]');
      see('this text is marked', Boolean(own) === Boolean(text) && (!text || (shown(own) && own.getAttribute('href') === text)));
      const asked = (words, what) => { jump.value = words; jump.dispatchEvent(new Event('input')); return all(what).filter(shown).map(a => a.textContent); };
      if (all('#drawer nav summary').some(s => s.textContent === '大射儀')) {
        const chapters = asked('大射', '#drawer nav summary');
        see('words find a chapter: ' + chapters, chapters.includes('大射儀') && !chapters.includes('燕禮'));
        const loci = asked('yili.07.2.3', '#drawer .found a');
        see('a locus is a place: ' + loci, loci.length === 1 && $('#drawer .found a').getAttribute('href') === 'yili-07-judou.html#yili.07.2.3');
        see('a short locus is in this text', asked('2.3', '#drawer .found a').length === (text ? 1 : 0));
        asked('', '#drawer nav a');
      }
      await accessible('contents');
      $('#drawer button').click();
      see('the contents close', !drawer.open);
    }
    for (const id of ['groups', 'layouts']) {
      const menu = $('#' + id), opener = $('#open-' + id);
      if (!menu) continue;
      see(id + ' is closed at first', !shown(menu));
      opener.click();
      const box = menu.getBoundingClientRect(), size = all('#' + id + ' label').filter(shown).map(l => l.getBoundingClientRect());
      see(id + ' opens', menu.matches(':popover-open') && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight + 2);
      if (innerWidth < 500) {
        see(id + ' comes from below', Math.abs(box.bottom - innerHeight) < 2);
        see('the targets of ' + id + ' are large', size.length > 1 && size.every(r => r.width >= 44 && r.height >= 44));
      }
      see('nothing of ' + id + ' is cut off', size.every(r => r.left >= 0 && r.right <= innerWidth));
      await accessible(id);
      menu.hidePopover();
    }
    key('2');
    see('keys change the layout', !$('#lay-jia') || $('#lay-jia').checked);
    key('3');
    press('hue-dark');
    await accessible('dark');
    let kept = null;
    try { kept = JSON.parse(localStorage.getItem('zhushu')); } catch { kept = JSON.parse(window.name || 'null'); }
    see('choices are remembered', kept !== null && kept['hue-dark'] === true);
    press('hue-auto');
    const asked = performance.getEntriesByType('resource').map(e => e.name).filter(n => !n.startsWith(new URL('.', location.href).href));
    see('asked for ' + asked.join(' '), asked.length === 0);
    if (innerWidth > 0) wrong.unshift('done');
  } catch (error) {
    wrong.push('thrown: ' + error.stack);
  }
  document.documentElement.dataset.wrong = wrong.join('\n');
});
