// @ts-check
/** Three dice, and the areas of the layout in rows. */

import { rows } from "/game/rows.js";

/** @param {import("/assets/types.js").Table} table @returns {import("/assets/types.js").Figure} */
export function build(table) {
  return rows(table);
}
