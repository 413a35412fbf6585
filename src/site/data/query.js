/* Parses queries into trees, as src/search/query/ does. Names and error messages come with the site's tables. */
(function (zhushu) {
  'use strict';

  let tables = null;
  /* Takes the tables of names, error messages and layers. */
  zhushu.speak = function (query, layers) { tables = { ...query, layers }; };

  /* An error in characters from..to of a query. */
  class Wrong extends Error {
    constructor(code, from, to, what = '') {
      const [message, hint] = tables.complaints[code];
      const filled = words => words.replaceAll('{prefixes}', tables.complaints.prefixes[0]).replaceAll('{0}', what);
      super(filled(message));
      this.hint = filled(hint);
      this.column = from + 1;
      this.width = Math.max(1, to - from);
    }
  }
  zhushu.Wrong = Wrong;

  const BLANK = /\p{White_Space}/u;
  const is = (name, word) => tables.names[name].includes(word);
  const closing = open => (tables.names.quotes.find(pair => Array.from(pair)[0] === open) || '').slice(1);
  const breaks = c => BLANK.test(c) || ['open', 'close', 'on', 'bar'].some(sign => is(sign, c)) || closing(c) !== '';

  /* Tokens: { kind, from, to, value }. */
  class Lexer {
    constructor(text) {
      this.chars = Array.from(text);
      this.at = 0;
      this.tokens = [];
    }
    all() {
      while (this.at < this.chars.length) this.token();
      return this.tokens;
    }
    push(kind, from, value) { this.tokens.push({ kind, from, to: this.at, value }); }
    one(kind) {
      this.at += 1;
      this.push(kind, this.at - 1);
    }
    token() {
      const c = this.chars[this.at], next = this.chars[this.at + 1];
      if (BLANK.test(c)) this.at += 1;
      else if (is('open', c)) this.one('open');
      else if (is('close', c)) this.one('close');
      else if (is('on', c)) this.one('on');
      else if (is('bar', c)) this.one('or');
      else if (is('minus', c) && next !== undefined && !BLANK.test(next)) this.one('not');
      else if (is('any', c) && (next === undefined || breaks(next))) this.one('any');
      else if (closing(c)) this.quoted(c);
      else this.word();
    }
    quoted(open) {
      const from = this.at;
      this.push('quoted', from, this.untilClosed(open));
      this.tokens.at(-1).to = this.at;
    }
    untilClosed(open) {
      const from = this.at, end = this.chars.indexOf(closing(open), from + 1);
      if (end < 0) throw new Wrong('unclosed-quotation', from, this.chars.length, closing(open));
      this.at = end + 1;
      return this.chars.slice(from + 1, end).join('');
    }
    word() {
      const from = this.at;
      while (this.at < this.chars.length && !breaks(this.chars[this.at])) {
        this.at += 1;
        if (!is('colon', this.chars[this.at - 1])) continue;
        const name = this.chars.slice(from, this.at - 1).join('');
        if (!name) throw new Wrong('nothing-before-colon', from, this.at);
        if (is('pattern', name.toLowerCase())) return this.pattern(from);
        return this.push('prefix', from, name);
      }
      const word = this.chars.slice(from, this.at).join('');
      const upper = word.replace(/[a-z]/g, c => c.toUpperCase());
      const kind = ['and', 'or', 'not', 'near'].find(k => is(k, upper));
      const [near, n] = upper.split(/\/(.*)/s);
      if (n !== undefined && is('near', near)) this.push('near', from, this.distance(n, from));
      else if (kind) this.push(kind, from, kind === 'near' ? tables.near : undefined);
      else this.push('words', from, word);
    }
    distance(n, from) {
      if (!/^\+?\d+$/.test(n) || Number(n) > tables.farthest) throw new Wrong('distance', from, this.at, String(tables.farthest));
      return Number(n);
    }
    /* A pattern ends at a blank, or at a parenthesis that it did not open; in quotation marks it may contain anything. */
    pattern(start) {
      const c = this.chars[this.at];
      if (c !== undefined && closing(c)) return this.push('pattern', start, this.untilClosed(c));
      const from = this.at;
      let depth = 0, inClass = false;
      for (; this.at < this.chars.length && !BLANK.test(this.chars[this.at]); this.at += 1) {
        const c = this.chars[this.at];
        if (c === '\\') this.at += 1;
        else if (c === '[') inClass = true;
        else if (c === ']') inClass = false;
        else if (c === '(' && !inClass) depth += 1;
        else if (c === ')' && !inClass && depth === 0) break;
        else if (c === ')' && !inClass) depth -= 1;
      }
      this.at = Math.min(this.at, this.chars.length);
      this.push('pattern', start, this.chars.slice(from, this.at).join(''));
    }
  }

  const single = (nodes, kind) => nodes.length === 1 ? nodes[0] : { kind, nodes };

  /* Recursive descent; trees of { kind, … }. */
  class Parser {
    constructor(text) {
      this.tokens = new Lexer(text).all();
      this.at = 0;
      this.depth = 0;
      this.links = 0;
    }
    get peek() { return this.tokens[this.at]; }
    sees(...kinds) { return this.peek ? kinds.includes(this.peek.kind) : false; }
    take(kind) {
      const found = this.sees(kind);
      if (found) this.at += 1;
      return found;
    }
    wrong(token, code, what) { return new Wrong(code, token.from, token.to, what); }
    whole() {
      const node = this.query();
      if (this.peek) throw this.wrong(this.peek, 'closes-nothing');
      return node;
    }
    query() {
      let node = this.any();
      while (this.take('on')) {
        this.link(this.tokens[this.at - 1]);
        const without = this.take('not');
        node = { kind: 'relation', left: node, right: this.any(), without };
      }
      return node;
    }
    any() {
      const nodes = [this.all()];
      while (this.take('or')) nodes.push(this.all());
      return single(nodes, 'either');
    }
    all() {
      const first = this.peek, nodes = [this.near()];
      for (;;) {
        const and = this.take('and');
        if (!and && (!this.peek || this.sees('or', 'on', 'close'))) break;
        nodes.push(this.near());
      }
      if (nodes.every(n => n.kind === 'not')) throw this.wrong(first, 'only-not');
      return nodes.length === 1 && nodes[0].kind !== 'filter' ? nodes[0] : { kind: 'all', nodes };
    }
    near() {
      let node = this.one();
      while (this.sees('near')) {
        const token = this.peek;
        this.link(token);
        this.at += 1;
        const right = this.one();
        if ([node, right].some(n => ['not', 'filter', 'relation'].includes(n.kind))) throw this.wrong(token, 'near-words');
        node = { kind: 'near', left: node, n: token.value, right };
      }
      return node;
    }
    link(token) {
      this.links += 1;
      if (this.links > tables.deepest) throw this.wrong(token, 'too-deep', String(tables.deepest));
    }
    one() {
      const token = this.peek;
      if (!token) {
        const last = this.tokens.at(-1) || { from: 0, to: 1 };
        throw this.wrong(last, 'too-early');
      }
      this.at += 1;
      this.depth += 1;
      if (this.depth > tables.deepest + 1) throw this.wrong(token, 'too-deep', String(tables.deepest));
      const node = this.oneAt(token);
      this.depth -= 1;
      return node;
    }
    oneAt(token) {
      switch (token.kind) {
        case 'not': return { kind: 'not', node: this.one() };
        case 'open': return this.parenthesis(token);
        case 'any': return { kind: 'any' };
        case 'words': return this.words(token, true);
        case 'quoted': return this.words(token, false);
        case 'pattern': return this.pattern(token);
        case 'prefix': return this.prefixed(token);
        case 'close': throw this.wrong(token, 'nothing-in-parentheses');
        default: throw this.wrong(token, 'nothing-before');
      }
    }
    parenthesis(open) {
      const unclosed = () => !this.peek && (this.tokens.at(-1) || {}).kind !== 'close';
      let node;
      try { node = this.query(); } catch (e) { throw unclosed() ? this.wrong(open, 'unclosed-parenthesis') : e; }
      if (unclosed() || !this.take('close')) throw this.wrong(open, 'unclosed-parenthesis');
      return node;
    }
    prefixed(token) {
      const field = ['by', 'work', 'chapter', 'witness'].find(f => is('field.' + f, token.value.toLowerCase()));
      if (field) return { kind: 'filter', field, value: this.value(token) };
      const of = ['person', 'place', 'organisation', 'office', 'date'].find(k => is('name.' + k, token.value.toLowerCase()));
      if (of) return { kind: 'marked', of, value: this.nameOrId(token) };
      const layers = layersOf(token.value);
      if (!layers) throw this.wrong(token, is('layer', token.value.toLowerCase()) ? 'layer-itself' : 'unknown-prefix', token.value);
      const inner = this.one();
      if (inner.kind === 'not') return { kind: 'not', node: { kind: 'in', layers, node: inner.node } };
      return { kind: 'in', layers, node: inner };
    }
    /* A name, or an id, which may have colons. */
    nameOrId(prefix) {
      let value = '', end = prefix.to;
      while (this.sees('prefix') && this.peek.from === end) {
        value += this.peek.value + ':';
        end = this.peek.to;
        this.at += 1;
      }
      return value + this.value(prefix);
    }
    value(prefix) {
      if (!this.sees('words', 'quoted') || !this.peek.value.trim()) throw this.wrong(prefix, 'no-name');
      this.at += 1;
      return this.tokens[this.at - 1].value;
    }
    words(token, wildcards) {
      const pieces = wildcards ? split(token.value, c => is('one', c)) : [token.value];
      const node = { kind: 'words', codes: [], typed: [] };
      pieces.forEach((piece, i) => {
        if (i > 0) {
          node.codes.push(0);
          node.typed.push(null);
        }
        for (const [code, typed] of zhushu.key(piece)) {
          node.codes.push(code);
          node.typed.push(typed);
        }
      });
      if (wildcards && Array.from(token.value).some(c => is('any', c))) throw this.wrong(token, 'star');
      if (node.codes.every(c => c === 0)) throw this.wrong(token, 'no-character');
      return node;
    }
    pattern(token) {
      if (!token.value) throw this.wrong(token, 'no-pattern');
      const foreign = FOREIGN.exec(token.value.replace(/\\\\/g, '..'));
      if (foreign) throw this.wrong(token, 'page-pattern', foreign[0]);
      try {
        return { kind: 'pattern', of: compiled(token.value) };
      } catch (e) {
        throw this.wrong(token, 'bad-pattern', e.message.replace(/^.*: /s, ''));
      }
    }
  }

  /* Syntax in which the regular expressions of the program and of browsers differ. */
  const FOREIGN = /\(\?(?!:)[^)]*|\[\[:?|&&|--|~~|\\[1-9kpPAzZaCxuUwWbBdD]|[*+?}]\+/;

  /* A pattern for each kind of folding, with its characters folded like the text. Case matters only in the exact one. */
  function compiled(pattern) {
    const chars = Array.from(pattern), ends = endsOfRanges(chars);
    const as = (fold, flags) => new RegExp(chars.map((c, i) => c < '\u0080' || ends.has(i) ? c : fold(c)).join(''), flags);
    return { full: as(zhushu.fold, 'giu'), script: as(zhushu.foldScript, 'giu'), exact: as(c => c, 'gu') };
  }

  /* Positions of the ends of ranges ([一-龥]). They stay as typed, since folding them would change the range. */
  function endsOfRanges(chars) {
    const ends = new Set();
    let inClass = false;
    for (let i = 0; i < chars.length; i += 1) {
      if (chars[i] === '\\') i += 1;
      else if (chars[i] === '[') inClass = true;
      else if (chars[i] === ']') inClass = false;
      else if (inClass && chars[i] === '-') ends.add(i - 1).add(i + 1);
    }
    return ends;
  }

  function split(words, at) {
    const pieces = [''];
    for (const c of words) if (at(c)) pieces.push(''); else pieces[pieces.length - 1] += c;
    return pieces;
  }

  /* A layer by name, or several by their one-character names (經注): numbers in the table of layers. */
  function layersOf(name) {
    const find = word => tables.layers.findIndex(l => l.names.includes(word.trim().toLowerCase()));
    const one = find(name);
    if (one >= 0) return new Set([one]);
    const several = Array.from(name, find);
    return several.includes(-1) ? null : new Set(several);
  }

  /* The tree of a query; throws a Wrong if there is an error in it. */
  zhushu.parse = text => {
    if (Array.from(text).length > tables.longest) throw new Wrong('too-long', 0, 40, String(tables.longest));
    return new Parser(text).whole();
  };
})(window.zhushu);
