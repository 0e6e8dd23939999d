/** Three dice, and the areas of the layout in rows. */

import { rows } from "/game/rows.js";

export function build(table) {
  return rows(table);
}
