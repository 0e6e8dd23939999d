/**
 * The areas of a game without a picture of its own.
 *
 * A figure, the middle of a screen, has `node`, its element, and `update(picture)`. It may have:
 * `tiles`: an element with wager areas that stand apart from it
 * `badge(picture)`, `past(past)`, `line(past)`: nodes of the result, of a past one as large, and of one in the list, where it is more than a word
 * `column`: how many past results stand in a column beside it; without it some stand in rows below
 * `kind(past)`: the class of a past result's box, if it is not the result's colour
 * `fold(wins)`: wins that are too many for a list, in fewer lines
 * `turn(event)`: called with each turn of the wheel
 */

import { Lamps, tiles } from "/assets/lamps.js";

export function build(table) {
  const node = tiles(table);
  node.classList.add("alone");
  const lamps = new Lamps(node);
  return { node, update: (picture) => lamps.light(picture.lit) };
}
