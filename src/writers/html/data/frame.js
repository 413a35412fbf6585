/* What all pages of a site share is added to each of them: a place, where there, and the markup. */
window.zhushuFrame.add = function () {
  const { parts, icons } = this;
  this.parts = parts.filter(([place, where, markup]) => {
    const at = document.querySelector(place);
    if (at) at.insertAdjacentHTML(where, markup);
    return !at;
  });
  const icon = lines => '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="' + lines + '"/></svg>';
  for (const words of document.querySelectorAll('.bar [data-m]')) {
    const lines = icons[words.dataset.m];
    if (!lines || words.previousElementSibling) continue;
    words.insertAdjacentHTML('beforebegin', icon(lines));
  }
  for (const button of document.querySelectorAll('#panel button[data-mt]')) {
    if (!button.firstChild) button.insertAdjacentHTML('beforeend', icon(icons[button.dataset.mt]));
  }
};
