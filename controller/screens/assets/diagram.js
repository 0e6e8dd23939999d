// @ts-check
/** A state diagram, with the present state marked: the states around an oval, an arrow for each way between two. */

import { el, fill, plain, set, svg } from "./dom.js";

/** @typedef {import("./documents").Move} Move */

const WIDTH = 430;
const RX = 142;
const APART = 44;
/** Between two states at the side of the oval. */

/**
 * @param {string[]} states
 * @param {Move[]} moves
 */
export function diagram(states, moves) {
  const ry = Math.max(110, (states.length * APART) / 5.2);
  const height = 2 * ry + 40;
  const at = new Map(states.map((state, i) => [state, place(i, states.length, ry)]));
  const arrows = ways(moves).map(([from, to]) => arrow(from, to, at));
  const title = svg("title", { id: "diagram-title" }, "The states of a round");
  const nodes = new Map(states.map((state) => [state, node(state, at.get(state) ?? [0, 0])]));
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-labelledby": "diagram-title" },
    title,
    svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, svg("path", { d: "M0 0 L8 4 L0 8 z" }))),
    ...arrows.map((one) => one.path),
    ...nodes.values(),
  );
  const list = el("ul", { class: "ways", "aria-label": "from here" });
  return {
    node: el("div", {}, picture, list),
    /** @param {string} state */
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

/** Pairs of states between which a way leads, each once. @param {Move[]} moves @returns {[string, string][]} */
function ways(moves) {
  const seen = new Map(moves.filter((move) => move.from !== move.to).map((move) => [`${move.from} ${move.to}`, move]));
  return [...seen.values()].map((move) => [move.from, move.to]);
}

/** Evenly down the one side and up the other. @param {number} i @param {number} n @param {number} ry @returns {[number, number]} */
function place(i, n, ry) {
  const share = i / n;
  const down = share <= 0.5 ? share * 4 - 1 : 3 - share * 4;
  const out = Math.sqrt(Math.max(0, 1 - Math.abs(down) ** 3));
  return [WIDTH / 2 + (share <= 0.5 ? 1 : -1) * RX * out, ry + 20 + ry * down];
}

/** @param {string} from @param {string} to @param {Map<string, [number, number]>} at */
function arrow(from, to, at) {
  const [a, b] = [at.get(from) ?? [0, 0], at.get(to) ?? [0, 0]];
  // Bent a little to its left, so that the way back lies beside it.
  const [mx, my] = [(a[0] + b[0]) / 2 - (b[1] - a[1]) * 0.12, (a[1] + b[1]) / 2 + (b[0] - a[0]) * 0.12];
  const short = Math.hypot(b[0] - mx, b[1] - my) || 1;
  const [ex, ey] = [b[0] - ((b[0] - mx) / short) * 13, b[1] - ((b[1] - my) / short) * 13];
  const path = svg("path", { class: "way", d: `M${a[0]} ${a[1]} Q${mx} ${my} ${ex} ${ey}`, "marker-end": "url(#tip)" });
  return { from, path };
}

/** @param {string} state @param {[number, number]} at */
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
