// Scrolling that waits for the layout.

/**
 * Scrolls to the end when the next frame is laid out. To ask for the height now would lay the page out twice.
 * @param {Element} element
 * @param {Element} [last] what is to be seen, where that is not all
 */
export function toEnd(element, last) {
  requestAnimationFrame(() => {
    if (last) {
      element.scrollTop += Math.max(0, last.getBoundingClientRect().bottom - element.getBoundingClientRect().bottom);
    } else {
      element.scrollTop = element.scrollHeight;
    }
  });
}
