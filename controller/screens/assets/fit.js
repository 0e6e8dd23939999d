/**
 * Makes words smaller where they do not fit: those of some languages are longer. English is laid out to fit by style
 * sheets alone, and nothing is measured for it. Style sheets scale by `--fit`.
 */

const STEPS = [1, 0.9, 0.8, 0.7, 0.6];
const measured = document.documentElement.lang !== "en";

function cut(node) {
  return node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
}

/** Each of the elements as large as it may be. */
export function fit(nodes) {
  if (!measured) return;
  for (const node of nodes) {
    for (const step of STEPS) {
      node.style.setProperty("--fit", String(step));
      if (!cut(node)) break;
    }
  }
}

/** As `fit`, now and whenever the page has another size. */
export function keepFit(nodes) {
  if (measured) new ResizeObserver(() => fit(nodes())).observe(document.body);
}
