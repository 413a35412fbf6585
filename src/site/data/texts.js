/* The texts of the site, prepared for searching: the counterpart of src/search/units/ and the index. */
(function (zhushu) {
  'use strict';

  /* Separates units that no hit may run across. */
  const BREAK = 0;
  const THOUSAND = 1000;
  /* Characters passed to a function at a time. */
  const PIECE = 4096;
  /* One past the last character that can be searched by the plain rule. */
  const END = 0x33000;
  const folds = new Map(), scripts = new Map();
  /* For each character its folded form if it can be searched by the plain rule, otherwise 0. */
  let keys = new Uint32Array(0), layers = [];

  function pairs(words, into) {
    const all = Array.from(words);
    for (let i = 0; i < all.length; i += 2) into.set(all[i], all[i + 1]);
  }

  /* Takes the tables of a site; its texts come one by one. */
  zhushu.takeUp = function (all) {
    pairs(all.fold, folds);
    pairs(all.script, scripts);
    keys = new Uint32Array(END);
    for (const [from, to] of all.plain) {
      for (let code = from; code <= to; code += 1) keys[code] = zhushu.fold(String.fromCodePoint(code)).codePointAt(0);
    }
    layers = zhushu.layers = all.layers;
    zhushu.metas = all.texts;
    zhushu.texts = [];
    zhushu.speak(all.query, layers);
  };

  zhushu.fold = c => folds.get(c) || c;
  zhushu.foldScript = c => scripts.get(c) || c;
  zhushu.BREAK = BREAK;

  const WORDED = /[\p{Alphabetic}\p{N}\p{Co}]/u, JOINS = /[\p{M}\u200c\u200d\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
  const ENTITY = /^&[A-Za-z0-9]{2,12};/;
  const SCRAP = /^(?:<pb:[^>\n]*>|[(（][A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0300-\u036f\u1e00-\u1eff]{1,8}[1-5]?[)）])/;

  /* The code used for a character that is not in Unicode. */
  function standIn(entity) {
    let hash = 0;
    for (const c of entity) hash = (Math.imul(hash, 31) + c.codePointAt(0)) >>> 0;
    return 0x100000 + hash % 0xFFFD;
  }

  /* Of text as typed, the characters that can be searched: [folded code, as typed]. */
  zhushu.key = function (words) {
    const key = [];
    let joined = false;
    for (let i = 0; i < words.length;) {
      const rest = words.slice(i), c = String.fromCodePoint(words.codePointAt(i));
      const whole = ENTITY.exec(rest) || SCRAP.exec(rest);
      i += whole ? whole[0].length : c.length;
      if (whole && c === '&') key.push([standIn(whole[0]), whole[0]]);
      else if (!whole && WORDED.test(c)) key.push([zhushu.fold(c).codePointAt(0), c]);
      else if (!whole && joined && JOINS.test(c)) key.at(-1)[1] += c;
      joined = key.length > 0 && !(whole && c !== '&') && (WORDED.test(c) || JOINS.test(c) && joined || c === '&');
    }
    return key;
  };

  /* A name as its folded characters. */
  zhushu.keyWords = name => String.fromCodePoint(...zhushu.key(name).map(([code]) => code));

  /* One unit; its characters are computed when needed. */
  class Unit {
    constructor(text, n, [layer, sub, group, start, words, elements, cert = THOUSAND, strange = 0, targets = 0, speeches = 0, forms = 0, leaves = 0, names = 0]) {
      Object.assign(this, { text, n, layer, sub, group, start, words, elements, strange });
      this.cert = cert / THOUSAND;
      this.targets = targets || [];
      /* What it reports of others: first character, one past the last, number of who says it. */
      this.speeches = speeches || [];
      /* What the source says that some characters are read as: number of the character, the other one. */
      this.forms = forms || [];
      /* The leaves that its characters are on: number of the first character there, number of the leaf. */
      this.leaves = leaves || [];
      /* What the source marks: first character, one past the last, number of the name. */
      this.names = names || [];
      this.first = 0;
      this.len = 0;
    }
    get end() { return this.first + this.len; }
    get kind() { return layers[this.layer].kind; }
    /* The folded characters. */
    codes() {
      if (this.strange) return this.laid().map(c => c.code);
      const codes = [], { words } = this;
      for (let i = 0; i < words.length; i += 1) {
        const code = words.codePointAt(i);
        if (code > 0xFFFF) i += 1;
        if (keys[code]) codes.push(keys[code]);
      }
      return codes;
    }
    /* The same as a string, after the text was laid out. */
    get folded() {
      let words = '';
      for (let at = this.first; at < this.end; at += PIECE) {
        words += String.fromCodePoint(...this.text.chars.subarray(at, Math.min(at + PIECE, this.end)));
      }
      return words;
    }
    /* Each character by its position in the unit's text, with its folded form, its element and the number of characters before it there:
       by the plain rule, or so many by that rule and one that is described. */
    laid() {
      const all = [], { words, elements } = this;
      let at = 0, element = -1, count = 0;
      const plain = n => {
        for (const upto = all.length + n; all.length < upto && at < words.length;) {
          const code = words.codePointAt(at), long = code > 0xFFFF ? 2 : 1;
          if (keys[code]) {
            while (element + 1 < elements.length && elements[element + 1][1] <= all.length) {
              element += 1;
              count = elements[element][2];
            }
            all.push({ from: at, to: at + long, code: keys[code], element, before: count, upto: count + 1 });
          }
          if (!/\p{White_Space}/u.test(String.fromCodePoint(code))) count += 1;
          at += long;
        }
      };
      for (const part of this.strange || [Infinity]) {
        if (typeof part === 'number') { plain(part); continue; }
        const [from, to, c, of, before, upto] = part;
        all.push({ from, to, code: c.codePointAt(0), element: of, before, upto });
        [at, element, count] = [to, of, upto];
      }
      return all;
    }
  }

  /* A text: the folded characters of all units one after the other, with breaks between. */
  class Text {
    constructor(n, box) {
      this.n = n;
      this.meta = zhushu.metas[n];
      this.speakers = box.speakers;
      this.names = box.names;
      this.units = box.units.map((u, i) => new Unit(this, i, u));
      this.regions = [];
      /* The codes that characters are read as, by their positions. */
      this.read = new Map();
      const chars = [];
      this.units.forEach((unit, i) => {
        const last = this.regions.at(-1), next = this.units[i + 1];
        if (!last || last.layer !== unit.layer || last.sub !== unit.sub) {
          this.regions.push({ layer: unit.layer, sub: unit.sub, first: chars.length, unit: i });
        }
        unit.first = chars.length;
        for (const code of unit.codes()) chars.push(code);
        unit.len = chars.length - unit.first;
        for (const [n, c] of unit.forms) {
          const at = unit.first + n;
          this.read.set(at, [...this.read.get(at) || [], c.codePointAt(0)]);
        }
        const over = !next || next.layer !== unit.layer || next.sub !== unit.sub;
        unit.endsRun = over || !layers[unit.layer].runs;
        if (unit.endsRun) chars.push(BREAK);
        Object.assign(this.regions.at(-1), { end: chars.length, unitEnd: i + 1 });
      });
      this.chars = Uint32Array.from(chars);
    }
    /* True if the source says that the character at a position is read as this one. */
    isRead(position, code) { return this.read.size > 0 && (this.read.get(position) || []).includes(code); }
    /* The unit at a position. */
    unitAt(position) {
      let low = 0, high = this.units.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.units[middle].first <= position) low = middle + 1; else high = middle;
      }
      return this.units[low - 1];
    }
    /* True if the positions are characters of one run. */
    unbroken(start, end) {
      for (let i = start; i < end; i += 1) if (this.chars[i] === BREAK) return false;
      return true;
    }
    /* The passages of the classic in reading order. */
    get bases() {
      if (!this.kept) this.kept = this.units.filter(u => u.kind === 'base').sort((a, b) => a.start - b.start);
      return this.kept;
    }
    /* Who says all of a hit: the innermost speaker whose words the unit reports. */
    said(hit) {
      const unit = this.unitAt(hit.start), from = hit.start - unit.first, to = Math.min(from + hit.len, unit.len);
      const speech = unit.speeches.findLast(s => s[0] <= from && to <= s[1]);
      return speech ? this.speakers[speech[2]] : null;
    }
    /* Who wrote a layer. */
    by(layer) { return this.meta.authors.find(a => a[0] === layer); }
  }

  /* Takes one text. */
  zhushu.words = function (box) {
    const n = zhushu.metas.findIndex(m => m.id === box.id);
    if (n >= 0) zhushu.texts[n] = new Text(n, box);
  };
})(window.zhushu);
