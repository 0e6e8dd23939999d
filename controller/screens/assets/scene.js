/** The figure of a bench: what truly stands there, what the table makes of it, and a wheel that can be thrown. */

import { Clapper } from "./clapper.js";
import { el, set, setText, svg } from "./dom.js";
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
  const clapper = new Clapper(drawn, table.wheel ?? []);
  const places = el("p", { class: "places" });
  const areas = tiles(table);
  const lamps = new Lamps(areas);
  draggable(drawn, (turns) => does({ throw: turns }));
  return {
    node: el("div", { class: "truth" }, drawn.node, clapper.node, places),
    tiles: areas,
    update(picture) {
      lamps.light(picture.lit);
      const truth = picture.bench?.true;
      const moving = Boolean(picture.turn?.moving || picture.bench?.lines.some((line) => line.rate > 0));
      clapper.update(picture);
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

/** A rotor beside the layout, with the ball. */
function roulette(table, does) {
  const felt = build(table);
  const rotor = new Wheel((table.rim ?? []).map((pocket) => ({ name: pocket.label, label: pocket.label, colour: 0 })));
  rotor.node.querySelectorAll(".sector").forEach((node, i) => {
    node.setAttribute("class", `sector p-${table.rim?.[i].colour ?? "none"}`);
  });
  const ball = svg("circle", { class: "truly", r: 4.5, visibility: "hidden" });
  rotor.node.querySelector(".front")?.append(ball);
  const lies = svg("circle", { class: "truly", r: 4.5, cy: -66, visibility: "hidden" });
  rotor.disc.append(lies);
  rotor.node.classList.add("rotor");
  draggable(rotor, (turns) => does({ ball: Math.sign(turns) * Math.min(15, Math.abs(turns) * 2.5) }));
  return {
    node: el("div", { class: "pair-of" }, rotor.node, felt.node),
    tiles: felt.tiles,
    badge: felt.badge,
    update(picture) {
      felt.update(picture);
      const truth = picture.bench?.rotor;
      // The rotor turns counterclockwise as its angle grows; at 0, its first pocket begins at the top.
      rotor.place(truth ? { angle: wrapped(truth.angle), moving: true } : null);
      const pocket = (table.rim ?? []).findIndex((one) => one.label === truth?.pocket);
      set(lies, {
        visibility: pocket < 0 ? "hidden" : "visible",
        transform: `rotate(${((pocket + 0.5) / Math.max(1, table.rim?.length ?? 1)) * 360})`,
      });
      rotor.center(truth?.pocket || "–", truth?.pocket ? "the ball lies" : "no ball lies");
      const at = truth?.ball;
      const angle = (at ?? 0) * 2 * Math.PI;
      set(ball, {
        visibility: at === null || at === undefined ? "hidden" : "visible",
        cx: (-Math.sin(angle) * 106).toFixed(2),
        cy: (-Math.cos(angle) * 106).toFixed(2),
      });
    },
    turn(turn) {
      felt.turn?.(turn);
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
    wheel.pulled = -moved;
    wheel.turned();
  });
  const end = (event) => {
    if (!path.length) return;
    const newest = path[path.length - 1];
    const before = path.findLast((one) => newest.at - one.at >= MOMENT_MS) ?? path[0]; // Few events may have come.
    const rested = event.timeStamp - newest.at > REST_MS;
    const speed = rested ? 0 : ((newest.turns - before.turns) / Math.max(1, newest.at - before.at)) * 1000;
    path = [];
    wheel.pulled = 0;
    wheel.turned();
    const turns = Math.min(MOST_TURNS, Math.abs(speed) * THROW_TURNS);
    // Clockwise as one sees it is negative.
    if (event.type === "pointerup" && turns >= LEAST_TURNS) thrown(-Math.sign(speed) * turns);
  };
  wheel.node.addEventListener("pointerup", end);
  wheel.node.addEventListener("pointercancel", end);
}
