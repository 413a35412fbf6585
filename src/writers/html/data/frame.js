/* What all pages of a site share is added to each of them: a place, where there, and the markup. */
window.zhushuFrame.add = function () {
  const { parts, icons } = this;
  this.parts = parts.filter(([place, where, markup]) => {
    const at = document.querySelector(place);
    if (at) at.insertAdjacentHTML(where, markup);
    return !at;
  });
  for (const words of document.querySelectorAll('.bar [data-m]')) {
    const lines = icons[words.dataset.m];
    if (!lines || words.previousElementSibling) continue;
    words.insertAdjacentHTML('beforebegin', '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="' + lines + '"/></svg>');
  }
};
