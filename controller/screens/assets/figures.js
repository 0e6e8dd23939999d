// @ts-check
/** The figure of a table: what the middle of a screen shows. */

import * as dice from "./dice.js";
import * as football from "./football.js";
import * as plain from "./plain.js";
import * as roulette from "./roulette.js";
import * as war from "./war.js";
import * as wheel from "./wheel.js";

const FIGURES = { dice, football, plain, roulette, war, wheel };

/** @param {import("./types.js").Table} table @returns {import("./types.js").Figure} */
export function figure(table) {
  return (FIGURES[table.figure] ?? plain).build(table);
}
