/** The figure of a bench: what truly stands there, what the table makes of it, and a wheel that can be thrown. */

import { el, setText } from "./dom.js";
import { Lamps, tiles } from "./lamps.js";
import { Wheel, centre, revolutions, wrapped } from "./wheel.js";
import { build } from "/game/figure.js";

const THROW_TURNS = 3.5;
/** Turns that a wheel makes which is let go at one turn a second. */
const LEAST_TURNS = 0.5;
const MOST_TURNS = 12;
const MOMENT_MS = 90;
/** The last stretch of a drag, of which the speed counts. */
const REST_MS = 500;
/** A hand that rests so long before it lets go throws nothing. */

export function scene(table, does) {
  if (table.wheel) return wheel(table, does);
  if (table.rim) return roulette(table, does);
  return build(table);
}

function wheel(table, does) {
  const drawn = new Wheel(table.wheel ?? []);
  const places = el("p", { class: "places" });
  const areas = tiles(table);
  const lamps = new Lamps(areas);
  draggable(drawn, (turns) => does({ spin: { revolutions: Math.abs(turns), direction: turns > 0 ? "counterclockwise" : "clockwise" } }));
  return {
    node: el("div", { class: "truth" }, drawn.node, places),
    tiles: areas,
    update(picture) {
      lamps.light(picture.lit);
      const truth = picture.bench?.true;
      const moving = Boolean(picture.turn?.moving || picture.bench?.signals.some((line) => line.rate > 0));
      drawn.place(truth ? { angle: truth.angle, moving } : picture.turn);
      centre(drawn, picture);
      drawn.believe(picture.turn?.angle ?? null, truth?.angle ?? 0);
      const where = truth ? `truly at ${drawn.label(truth.angle)}${truth.on_peg ? ", on a peg" : ""}` : "";
      setText(places, `${where}; ${picture.turn ? `the table says ${drawn.label(picture.turn.angle)} (▲)` : "the table does not know where"}`);
    },
    turn(turn) {
      revolutions(drawn, turn);
    },
  };
}

/** The layout and the wheel, as the rotor and the ball truly are. */
function roulette(table, does) {
  const felt = build(table);
  draggable(felt.ring, (turns) => does({ ball: { turns: Math.min(15, Math.abs(turns) * 2.5), with_rotor: turns < 0 } }));
  return {
    ...felt,
    update(picture) {
      felt.update(picture, picture.bench?.true);
    },
  };
}

/**
 * Let a hand drag a wheel and throw it.
 *
 * `thrown`: positive is counterclockwise
 */
function draggable(wheel, thrown) {
  let path = [];
  let last = 0;
  const angle = (event) => {
    const box = wheel.node.getBoundingClientRect();
    return Math.atan2(event.clientX - box.left - box.width / 2, -(event.clientY - box.top - box.height / 2)) / (2 * Math.PI);
  };
  wheel.node.classList.add("draggable");
  wheel.node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    wheel.node.setPointerCapture(event.pointerId);
    last = angle(event);
    path = [{ at: event.timeStamp, turns: 0 }];
  });
  wheel.node.addEventListener("pointermove", (event) => {
    if (!path.length) return;
    const now = angle(event);
    const moved = path[path.length - 1].turns + (wrapped(now - last + 0.5) - 0.5);
    last = now;
    path.push({ at: event.timeStamp, turns: moved });
    wheel.pull?.(-moved);
  });
  const end = (event) => {
    if (!path.length) return;
    const newest = path[path.length - 1];
    const before = path.findLast((one) => newest.at - one.at >= MOMENT_MS) ?? path[0]; // Few events may have come.
    const rested = event.timeStamp - newest.at > REST_MS;
    const speed = rested ? 0 : ((newest.turns - before.turns) / Math.max(1, newest.at - before.at)) * 1000;
    path = [];
    wheel.pull?.(0);
    const turns = Math.min(MOST_TURNS, Math.abs(speed) * THROW_TURNS);
    // Clockwise as one sees it is negative.
    if (event.type === "pointerup" && turns >= LEAST_TURNS) thrown(-Math.sign(speed) * turns);
  };
  wheel.node.addEventListener("pointerup", end);
  wheel.node.addEventListener("pointercancel", end);
}
