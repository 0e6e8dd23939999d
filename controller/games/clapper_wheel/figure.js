/** A wheel with a clapper, and what the wagers on it pay. */

import { el } from "/assets/dom.js";
import { Lamps, tiles } from "/assets/lamps.js";
import { Wheel, centre, revolutions } from "/assets/wheel.js";

export function build(table) {
  const sections = table.wheel ?? [];
  const wheel = new Wheel(sections);
  const areas = tiles(table);
  const lamps = new Lamps(areas);
  const colours = new Map(sections.map(({ label, colour }) => [label, colour]));
  const kind = ({ label }) => `section c${(colours.get(label) ?? -1) < 0 ? "x" : (colours.get(label) ?? 0) % 8}`;
  return {
    node: wheel.node,
    tiles: areas,
    past: (past) => [el("span", { class: `${kind(past)} chip` }, past.label)],
    kind,
    column: 20,
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
