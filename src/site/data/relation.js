/* `A @ B`: the hits of A whose unit is related to the unit of a hit of B, as in src/search/eval/relation.rs. */
(function (zhushu) {
  'use strict';

  const unitOf = hit => hit.text.unitAt(hit.start);
  const groupOf = unit => unit.text.n + ':' + unit.group;

  /* The passage that a note is on: the last one before it in its 節. */
  function anchor(note) {
    const bases = note.text.bases;
    let low = 0, high = bases.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (bases[middle].start < note.start) low = middle + 1; else high = middle;
    }
    const base = bases[low - 1];
    return base && base.group === note.group ? base : null;
  }

  /* The passages of the classic that a unit of a translation is aligned with. */
  const targets = unit => unit.targets.map(([text, n]) => zhushu.texts[text].units[n]);

  /* Layers by key, to ask for any layer but one. */
  class Layered {
    constructor() { this.all = new Map(); }
    add(key, layer) {
      if (!this.all.has(key)) this.all.set(key, new Set());
      this.all.get(key).add(layer);
    }
    has(key, but) { return [...(this.all.get(key) || [])].some(layer => layer !== but); }
  }

  /* The units of one side, indexed by what can be related to them. */
  class Side {
    constructor(units) {
      this.base = new Set();
      this.noted = new Layered();
      this.treated = new Set();
      this.treats = new Layered();
      this.translated = new Set();
      for (const unit of new Set(units)) this.add(unit);
    }
    add(unit) {
      const group = groupOf(unit);
      if (unit.kind === 'base') {
        this.base.add(unit);
        this.treated.add(group);
      } else if (unit.kind === 'note') {
        const on = anchor(unit);
        if (on) this.noted.add(on, unit.layer);
        this.treated.add(group);
      } else if (unit.kind === 'translation') {
        for (const target of targets(unit)) this.translated.add(target);
      } else if (unit.kind === 'comment') this.treats.add(group, unit.layer);
    }
    related(unit) {
      const group = groupOf(unit);
      if (unit.kind === 'base') return this.noted.has(unit) || this.treats.has(group) || this.translated.has(unit);
      if (unit.kind === 'note') {
        const on = anchor(unit);
        return Boolean(on && (this.base.has(on) || this.noted.has(on, unit.layer) || this.translated.has(on))) || this.treats.has(group);
      }
      if (unit.kind === 'translation') return targets(unit).some(t => this.base.has(t) || this.noted.has(t));
      return unit.kind === 'comment' && (this.treated.has(group) || this.treats.has(group, unit.layer));
    }
  }

  zhushu.related = function (left, right, wanted) {
    const side = new Side(right.map(unitOf));
    return left.filter(hit => side.related(unitOf(hit)) === wanted);
  };
})(window.zhushu);
