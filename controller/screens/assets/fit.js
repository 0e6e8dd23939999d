/** Letters as large as fit: each element with `data-fit` has at most so many rem, and as many as its box has room for. */

const LEAST_REM = 0.55;
const STEPS = 7;
const done = new WeakMap();

function over(node) {
  return node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1;
}

function fit(node) {
  if (!node.clientHeight) return;
  const key = [node.textContent, node.childElementCount, node.clientWidth, node.clientHeight, node.dataset.fit].join("|");
  if (done.get(node) === key) return;
  done.set(node, key);
  let [fits, most] = [LEAST_REM, Number(node.dataset.fit)];
  node.style.fontSize = `${most}rem`;
  if (!over(node)) return;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (fits + most) / 2;
    node.style.fontSize = `${middle}rem`;
    if (over(node)) most = middle;
    else fits = middle;
  }
  node.style.fontSize = `${fits}rem`;
}

/** Keep all of them fitted, whatever changes on the page. */
export function fitted() {
  let frame = 0;
  const all = () => {
    frame = 0;
    document.querySelectorAll("[data-fit]").forEach(fit);
  };
  const soon = () => {
    if (!frame) frame = requestAnimationFrame(all);
  };
  new MutationObserver(soon).observe(document.body, { childList: true, characterData: true, subtree: true, attributes: true, attributeFilter: ["hidden", "class"] });
  new ResizeObserver(soon).observe(document.documentElement);
}
