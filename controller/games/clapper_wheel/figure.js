// @ts-check
/** A wheel with a clapper, and what the wagers on it pay. */

import { Lamps, tiles } from "/assets/lamps.js";
import { Wheel, centre, revolutions } from "/assets/wheel.js";

/** @param {import("/assets/types.js").Table} table @returns {import("/assets/types.js").Figure} */
export function build(table) {
  const wheel = new Wheel(table.wheel ?? []);
  const areas = tiles(table);
  const lamps = new Lamps(areas);
  return {
    node: wheel.node,
    tiles: areas,
    update(picture) {
      wheel.place(picture.turn);
      centre(wheel, picture);
      lamps.light(picture.lit);
    },
    turn(turn) {
      wheel.place({ angle: turn.angle, moving: true });
      revolutions(wheel, turn);
    },
  };
}
