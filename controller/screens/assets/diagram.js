/** A state diagram, with the present state marked: the ways of a round, and those that lead on from here. */

import { el, fill, plain, set, svg } from "./dom.js";

/** `drawing`: null for a game that has none: the ways from here are a list then */
export function diagram(drawing, moves) {
  const at = new Map(Object.entries(drawing?.states ?? {}));
  const drawn = new Map((drawing?.ways ?? []).map(([from, to, path]) => [`${from} ${to}`, path]));
  const arrows = ways(moves).map(([from, to]) => arrow(from, to, drawn.get(`${from} ${to}`), at));
  const title = svg("title", { id: "diagram-title" }, "The states of a round");
  const nodes = new Map([...at].map(([state, place]) => [state, node(state, place)]));
  const picture = svg(
    "svg",
    { viewBox: `-4 -4 ${(drawing?.width ?? 0) + 8} ${(drawing?.height ?? 0) + 8}`, role: "img", "aria-labelledby": "diagram-title" },
    title,
    svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, svg("path", { d: "M0 0 L8 4 L0 8 z" }))),
    ...arrows.map((one) => one.path),
    ...nodes.values(),
  );
  const list = el("ul", { class: "ways", "aria-label": "from here" });
  return {
    node: el("div", {}, ...(drawing ? [picture] : []), list),
    mark(state) {
      if (picture.getAttribute("data-at") === state) return;
      set(picture, { "data-at": state });
      title.textContent = `The states of a round; it is now in ${plain(state)}`;
      for (const [name, one] of nodes) one.classList.toggle("here", name === state);
      for (const one of arrows) one.path.classList.toggle("from", one.from === state);
      fill(list, ...moves.filter((move) => move.from === state).map((move) => el("li", {}, `${plain(move.on)} → ${plain(move.to)}`)));
    },
  };
}

/** Pairs of states between which a way leads, each once. */
function ways(moves) {
  const seen = new Map(moves.filter((move) => move.from !== move.to).map((move) => [`${move.from} ${move.to}`, move]));
  return [...seen.values()].map((move) => [move.from, move.to]);
}

/**
 * A way of a round is always shown, any other one only from the present state.
 *
 * `laid`: its path
 */
function arrow(from, to, laid, at) {
  const path = svg("path", { class: laid ? "way" : "way seldom", d: laid ?? bent(at.get(from) ?? [0, 0], at.get(to) ?? [0, 0]), "marker-end": "url(#tip)" });
  return { from, path };
}

/** Bent a little to its left, and as far as the border of the other state. */
function bent(a, b) {
  const [mx, my] = [(a[0] + b[0]) / 2 - (b[1] - a[1]) * 0.12, (a[1] + b[1]) / 2 + (b[0] - a[0]) * 0.12];
  const short = Math.hypot(b[0] - mx, b[1] - my) || 1;
  const [ex, ey] = [b[0] - ((b[0] - mx) / short) * 14, b[1] - ((b[1] - my) / short) * 14];
  return `M${a[0]} ${a[1]} Q${mx} ${my} ${ex} ${ey}`;
}

function node(state, [x, y]) {
  const words = plain(state);
  const width = Math.max(30, words.length * 6.6 + 14);
  return svg(
    "g",
    { class: "state", "data-state": state },
    svg("rect", { x: x - width / 2, y: y - 12, width, height: 24, rx: 12 }),
    svg("text", { x, y: y + 4.5 }, words),
  );
}
