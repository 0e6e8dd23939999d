/**
 * The wheel: its pockets in order, turning as fast as its index says, the ball on its track, and where it lies.
 *
 * Nothing measures which pocket passes where, and nothing stands at the ring that a pocket could be read from: until the
 * number is on record, no pocket is another than the others. The browser's compositor turns it; a turn costs no script.
 */

import { el, set, setText, svg } from "/assets/dom.js";
import { point } from "/assets/wheel.js";

const BOX = "-120 -120 240 240";
const [TRACK, OUTER, INNER, HUB] = [112, 102, 74, 46];
const [NUMBERS, LIES] = [92, 64];
const TURN = [{ transform: "rotate(0turn)" }, { transform: "rotate(1turn)" }];
/** A turn in a second; the rate of playing makes it slower, or turns it the other way. */
const SECOND = { duration: 1000, iterations: 1e8 };
/** Far from the beginning and from the end: years either way. */
const MIDDLE_MS = 5e10;
/** A wheel that takes longer stands, or is about to. */
const LONGEST_MS = 15000;

function sector({ label, colour }, i, n) {
  const [from, to] = [i / n, (i + 1) / n];
  const path = `M${point(from, OUTER)} A${OUTER} ${OUTER} 0 0 1 ${point(to, OUTER)} L${point(to, HUB)} A${HUB} ${HUB} 0 0 0 ${point(from, HUB)} Z`;
  const turned = `rotate(${(((i + 0.5) / n) * 360).toFixed(3)})`;
  return svg("g", { class: `slot ${colour}` }, svg("path", { d: path }), svg("text", { transform: `${turned} translate(0 ${-NUMBERS})` }, label));
}

function rotor(rim) {
  const n = rim.length;
  const slots = rim.map((pocket, i) => sector(pocket, i, n));
  const spokes = [0, 1, 2, 3].map((i) => svg("path", { class: "arm", d: `M0 0 L${point(i / 4, 26)}` }));
  const ball = svg("circle", { class: "ball-lies", cy: -LIES, r: 6, visibility: "hidden" });
  const node = svg(
    "svg",
    { class: "turns", viewBox: BOX, "aria-hidden": "true" },
    ...slots,
    svg("circle", { class: "fret", r: INNER }),
    svg("circle", { class: "cone", r: HUB }),
    ...spokes,
    svg("circle", { class: "turret", r: 8 }),
    ball,
  );
  return { node, slots, ball };
}

/** Turns a node as long as its time of a turn is known, and lets it stand where it is otherwise. */
function spinning(node) {
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  let animation = null;
  return {
    /** `turnMs`: positive counterclockwise */
    turn(turnMs) {
      const turns = Boolean(turnMs) && Math.abs(turnMs ?? 0) < LONGEST_MS && !still.matches;
      if (turns) {
        if (!animation) {
          animation = node.animate(TURN, SECOND);
          animation.currentTime = MIDDLE_MS;
        }
        animation.playbackRate = -1000 / (turnMs ?? 1); // The other way than a clock, seen from above.
        if (animation.playState !== "running") animation.play();
      } else animation?.pause();
      return turns;
    },
    /** Go on from the top. */
    top() {
      if (animation) animation.currentTime = MIDDLE_MS; // Whole turns.
    },
  };
}

export function ring(table) {
  const rim = table.rim ?? [];
  const { node: turns, slots, ball } = rotor(rim);
  const runner = svg("svg", { class: "runs", viewBox: BOX, "aria-hidden": "true" }, svg("circle", { class: "ball-runs", cy: -TRACK, r: 6 }));
  const title = svg("title", { id: "ring-title" }, "The wheel");
  const bowl = svg("svg", { class: "bowl", viewBox: BOX, role: "img", "aria-labelledby": "ring-title" }, title, svg("circle", { class: "wood", r: 118 }), svg("circle", { class: "track", r: TRACK }));
  const node = el("div", { class: "ring" }, bowl, turns, runner);
  const [wheel, run] = [spinning(turns), spinning(runner)];
  let made = -1;

  /** `pocket`: where the ball lies; empty while that is not on record */
  function lies(pocket) {
    const at = rim.findIndex((one) => one.label === pocket);
    slots.forEach((slot, i) => slot.classList.toggle("won", i === at));
    set(ball, { visibility: at < 0 ? "hidden" : "visible", transform: at < 0 ? null : `rotate(${(((at + 0.5) / rim.length) * 360).toFixed(3)})` });
    setText(title, at < 0 ? "The wheel" : `The wheel; the ball lies in ${pocket}`);
  }

  return {
    node,
    /** `truth`: on a bench, the rotor's angle, the ball's angle on the track or null, and its pocket */
    update({ figure, revolutions }, truth) {
      if (truth) {
        // The rotor turns counterclockwise as its angle grows; at 0, its first pocket begins at the top.
        turns.style.transform = `rotate(${-truth.angle}turn)`;
        runner.style.transform = `rotate(${-(truth.ball ?? 0)}turn)`;
        node.classList.toggle("ball-on-track", truth.ball !== null && truth.ball !== undefined);
        lies(truth.pocket);
        return;
      }
      const { pocket = "", rotor_turn_ms: rotorMs, ball_turn_ms: ballMs } = figure;
      wheel.turn(rotorMs);
      lies(pocket);
      const runs = run.turn(ballMs);
      node.classList.toggle("ball-on-track", runs);
      if (runs && revolutions && revolutions.made !== made) run.top(); // It passes the first beam.
      made = runs && revolutions ? revolutions.made : -1;
    },
  };
}
