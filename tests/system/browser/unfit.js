// What does not fit on a page, in words: beyond the window, cut off, or text over text.
const root = document.documentElement;
const found = [];
if (root.scrollWidth > innerWidth) found.push(`${root.scrollWidth - innerWidth} pixels too wide`);
if (root.scrollHeight > innerHeight) found.push(`${root.scrollHeight - innerHeight} pixels too high`);
const texts = [...document.querySelectorAll(".top *, .notice *, main *")].filter(
  (node) => !node.closest("svg, .star") && [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.textContent.trim()),
);
const lines = texts.flatMap((node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter((box) => box.width > 1).map((box) => ({ node, box, em: parseFloat(getComputedStyle(node).fontSize) }));
});
const words = (node) => `'${node.textContent.trim().slice(0, 40)}'`;
for (const { node, box } of lines) {
  if (box.right > innerWidth + 1 || box.bottom > innerHeight + 1) found.push(`${words(node)} is outside`);
  const frame = node.closest("td, li, p, section")?.getBoundingClientRect();
  if (frame && box.right > frame.right + 2) found.push(`${words(node)} is wider than its box`);
}
lines.forEach((one, at) => {
  for (const other of lines.slice(at + 1)) {
    if (one.node.contains(other.node) || other.node.contains(one.node)) continue;
    const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    if (across > 2 && down > 0.5 * Math.min(one.em, other.em)) found.push(`${words(one.node)} lies over ${words(other.node)}`);
  }
});
return [...new Set(found)];
