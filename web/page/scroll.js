// Scrolling that waits for the layout.

/**
 * Scrolls to the end when the next frame is laid out. To ask for the height now would lay the page out twice.
 * @param {Element} element
 */
export function toEnd(element) {
  requestAnimationFrame(() => {
    element.scrollTop = element.scrollHeight;
  });
}
