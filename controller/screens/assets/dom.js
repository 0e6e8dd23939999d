/** Makes and changes nodes. Text is only ever set as text, so nothing that a table sends can become markup. */

const SVG = "http://www.w3.org/2000/svg";

/** Set attributes; those that are null, undefined or false are taken away. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) node.removeAttribute(name);
    else if (node.getAttribute(name) !== String(value === true ? "" : value)) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  return node;
}

function present(children) {
  const nodes = [];
  for (const child of children) {
    if (child === null || child === undefined || child === false || child === "") continue;
    nodes.push(typeof child === "number" ? String(child) : child);
  }
  return nodes;
}

/** An HTML element. */
export function el(tag, attributes = {}, ...children) {
  const node = set(document.createElement(tag), attributes);
  node.append(...present(children));
  return node;
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const node = set(document.createElementNS(SVG, tag), attributes);
  node.append(...present(children));
  return node;
}

/** Replace a node's children. */
export function fill(node, ...children) {
  node.replaceChildren(...present(children));
}

/** Set a node's text, if it differs: an unchanged live region stays silent. */
export function setText(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

/** The element with this `data-role`. */
export function role(name) {
  const node = document.querySelector(`[data-role="${name}"]`);
  if (!node) throw new Error(`the page has no element of the role ${name}`);
  return node;
}

/** A name as people read it: `two-of-a-kind-3` is "two of a kind 3"; `1-18` and `3-4-6` stay. */
export function plain(name) {
  return name.replace(/([a-z])-|-(?=[a-z])/gi, "$1 ");
}

/** Calls back only when what it is given differs from the last time. */
export function whenChanged(show) {
  let last = "";
  return (value) => {
    const now = JSON.stringify(value) ?? "";
    if (now === last) return;
    last = now;
    show(value);
  };
}
