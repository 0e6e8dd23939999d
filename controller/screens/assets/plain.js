// @ts-check
/** The areas of a game without a picture of its own. */

import { Lamps, tiles } from "/assets/lamps.js";

/** @param {import("/assets/types.js").Table} table @returns {import("/assets/types.js").Figure} */
export function build(table) {
  const node = tiles(table);
  node.classList.add("alone");
  const lamps = new Lamps(node);
  return { node, update: (picture) => lamps.light(picture.lit) };
}
