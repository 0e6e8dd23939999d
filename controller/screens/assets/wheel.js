/** A wheel with a clapper at the top: its disc, which turns, and what stands still before it. */

import { el, set, setText, svg } from "./dom.js";

const RIM = 100;
const HUB = 56;
const BOX = "-112 -120 224 232";
const SHORT = 2; // characters that stand upright between two pegs

/** The same place, from 0 to 1 turns. */
export function wrapped(turns) {
  return ((turns % 1) + 1) % 1;
}

/** `turns`: clockwise from the top */
export function point(turns, radius) {
  const angle = turns * 2 * Math.PI;
  return `${(Math.sin(angle) * radius).toFixed(2)} ${(-Math.cos(angle) * radius).toFixed(2)}`;
}

/** A section, with its label upright or along the radius. */
export function sector(section, i, n, { rim, hub, text } = { rim: RIM, hub: HUB }) {
  const [from, to] = [i / n, (i + 1) / n];
  const path = `M${point(from, rim)} A${rim} ${rim} 0 0 1 ${point(to, rim)} L${point(to, hub)} A${hub} ${hub} 0 0 0 ${point(from, hub)} Z`;
  const middle = ((i + 0.5) / n) * 360;
  const label = section.label;
  const upright = text !== undefined || label.length <= SHORT;
  const kind = !upright ? "along" : text === undefined && label.length === SHORT ? "two" : "";
  const turn = `rotate(${middle.toFixed(3)}) translate(0 ${-(text ?? (upright ? 89 : 79))})${upright ? "" : " rotate(-90)"}`;
  return svg(
    "g",
    { class: `sector c${section.colour < 0 ? "x" : section.colour % 8}` },
    svg("path", { d: path }),
    svg("text", { transform: turn, class: kind }, label),
  );
}

function disc(sections) {
  const n = sections.length;
  const pegs = sections.map((_, i) => {
    const [x, y] = point(i / n, RIM + 3).split(" ");
    return svg("circle", { class: "peg", cx: x, cy: y, r: 1.5 });
  });
  return svg(
    "svg",
    { class: "disc", viewBox: BOX, "aria-hidden": "true" },
    svg("circle", { class: "rim", r: RIM + 6 }),
    ...sections.map((section, i) => sector(section, i, n)),
    ...pegs,
    svg("circle", { class: "ring", r: HUB }),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => svg("path", { class: "spoke", d: `M${point(i / 8, 47)} L${point(i / 8, HUB - 3)}` })),
  );
}

/** The wheel itself. */
export class Wheel {
  constructor(sections) {
    this.sections = sections;
    this.disc = disc(sections);
    this.title = svg("title", { id: "wheel-title" }, "The wheel");
    this.hub = svg("text", { class: "hub-word", y: 5 });
    this.words = svg("text", { class: "hub-small", y: 25 });
    this.belief = svg("path", { class: "belief", d: "M0 -68 l-6 11 h12 z", visibility: "hidden" });
    const front = svg(
      "svg",
      { class: "front", viewBox: BOX, role: "img", "aria-labelledby": "wheel-title" },
      this.title,
      svg("circle", { class: "hub", r: 46 }),
      this.hub,
      this.words,
      this.belief,
      svg("path", { class: "clapper", d: "M-7 -120 h14 l-3 13 l-4 9 l-4 -9 z" }),
    );
    this.node = el("div", { class: "wheel" }, this.disc, front);
    this.pulled = 0;
    this.x = 0; // turns since the beginning: the disc goes the shorter way to the next place
  }

  /** `turns`: by which a hand drags it */
  pull(turns) {
    this.pulled = turns;
    this.turned();
  }

  turned() {
    // The clapper's place grows clockwise along the rim, so the wheel turns the other way.
    this.disc.style.transform = `rotate(${-(this.x + this.pulled) * 360}deg)`;
  }

  /** `turn`: null if nobody knows */
  place(turn) {
    this.node.classList.toggle("unknown", turn === null);
    this.node.classList.toggle("moving", Boolean(turn?.moving));
    if (!turn) return;
    this.x += wrapped(turn.angle - this.x + 0.5) - 0.5;
    this.turned();
  }

  /** Where the table believes the clapper to be; null hides the mark. */
  believe(angle, truth) {
    set(this.belief, {
      visibility: angle === null ? "hidden" : "visible",
      transform: `rotate(${((wrapped((angle ?? 0) - truth + 0.5) - 0.5) * 360).toFixed(2)})`,
    });
  }

  center(words, below) {
    setText(this.hub, words);
    setText(this.words, below);
    set(this.hub, { class: `hub-word${words.length > 3 ? " long" : ""}` });
    setText(this.title, `The wheel: ${words} ${below}`);
  }

  /** The section at the clapper. */
  label(angle) {
    return this.sections[Math.min(this.sections.length - 1, Math.floor(wrapped(angle) * this.sections.length))].label;
  }
}

/** What stands in the middle: turns, or why there are none. The result stands beside the wheel. */
export function centre(wheel, picture) {
  const { result, turn, tone, revolutions: turned } = picture;
  if (result) wheel.center("", "");
  else if (!turn) wheel.center("?", "place unknown");
  else if (turn.moving && turned) revolutions(wheel, turned);
  else if (turn.moving) wheel.center("…", "turning");
  else if (tone === "void") wheel.center("–", "no spin");
  else wheel.center("", "wheel at rest");
}

/** Turns made; how many are needed is of interest only until they are made. */
export function revolutions(wheel, { made, of }) {
  wheel.center(String(made), made < of ? `of ${of} turns` : "turns made");
}
