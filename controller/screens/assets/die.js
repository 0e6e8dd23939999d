/** Dice as pictures. */

import { svg } from "./dom.js";

const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/**
 * A die; a face of 0 is one that is not known yet.
 *
 * `kind`: a class: `red`, `green`
 */
export function die(face, kind = "") {
  const name = face ? `a die that shows ${face}` : "a die, not known yet";
  const pips = (PIPS[face] ?? []).map((place) =>
    svg("circle", { cx: 25 + 25 * (place % 3), cy: 25 + 25 * Math.floor(place / 3), r: 9 }),
  );
  return svg(
    "svg",
    { class: `die ${kind}${face ? "" : " blank"}`, viewBox: "0 0 100 100", role: "img", "aria-label": name },
    svg("title", {}, name),
    svg("rect", { x: 3, y: 3, width: 94, height: 94, rx: 18 }),
    ...pips,
    !face && svg("text", { x: 50, y: 68 }, "?"),
  );
}
