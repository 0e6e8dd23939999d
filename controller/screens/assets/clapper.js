/** The clapper of a bench's wheel, to scale: pegs as they truly stand, the leather as one of them bends it, the contact. */

import { el, fill, set, setText, svg, whenChanged } from "./dom.js";
import { point, sector } from "./wheel.js";

const LENGTH_MM = 45;
/** Of a leather; one that bends far is longer. */
const STEEPEST = 0.72;
/** How far it leans when it slips off, as a part of its length. */
const CURVE = 0.3;
const FACE_MM = 62;
/** How much of the wheel's face stands in the enlarged view. */
const DISC_PEGS = 103;
/** Radius of the pegs' circle in the whole wheel's drawing. */

/** Returns along the pegs' circle. */
const mm = (build, degrees) => (build.radius_mm * degrees * Math.PI) / 180;

/** Where a peg touches the leather, near a place of the rim. */
function touchOf(build, peg, direction, near) {
  const place = (peg * 360) / build.pegs_deg.length + build.pegs_deg[peg];
  return place + 360 * Math.round((near - place) / 360) + build.set_deg - direction * build.half_deg;
}

function slipOf(build, direction) {
  return build.slips_deg[direction > 0 ? 0 : 1];
}

/** The leather of one wheel, in millimetres from the top of the pegs' circle, y downwards. */
class Strip {
  constructor(build) {
    this.build = build;
    const furthest = Math.max(...[1, -1].map((way) => Math.abs(mm(build, build.set_deg + way * slipOf(build, way)))));
    this.length = Math.max(LENGTH_MM, furthest / STEEPEST);
    this.root = Math.sqrt(this.length ** 2 - furthest ** 2);
  }

  /** The path of its middle line. */
  path({ lean, bend }) {
    const way = lean?.direction ?? 0;
    let beside = -mm(this.build, this.build.set_deg + way * bend);
    // A leather that slants lies against the peg's shoulder: it is pushed a little further than one that hangs.
    const slope = (beside / this.root) * (1 + CURVE);
    beside -= way * mm(this.build, this.build.half_deg) * (Math.hypot(1, slope) - 1) * Math.min(1, Math.abs(slope));
    const tip = Math.sqrt(Math.max(0, this.length ** 2 - beside ** 2)) - this.root;
    const end = beside * ((this.root + tip) / this.root);
    return `M0 ${(-this.root).toFixed(2)} Q${(CURVE * end).toFixed(2)} ${((tip - this.root) / 2).toFixed(2)} ${end.toFixed(2)} ${tip.toFixed(2)}`;
  }
}

/** `radius`: of the circle on which the pegs are drawn */
function pegs(build, radius) {
  const scale = radius / build.radius_mm;
  return build.pegs_deg.flatMap((off, i) => {
    const even = i / build.pegs_deg.length;
    const bent = build.bent.includes(i + 1);
    const [x, y] = point(even + off / 360, radius).split(" ");
    const [x0, y0] = point(even, radius).split(" ");
    const stood = svg("circle", { class: "stood", cx: x0, cy: y0, r: ((build.peg_mm / 2) * scale).toFixed(2) });
    if (build.missing.includes(i + 1)) return [stood];
    const peg = svg("circle", { class: bent ? "peg bent" : "peg", "data-peg": i + 1, cx: x, cy: y, r: ((build.peg_mm / 2) * scale).toFixed(2) });
    return bent ? [stood, svg("path", { class: "bow", d: `M${x0} ${y0} L${x} ${y}` }), peg] : [peg];
  });
}

/** The clapper in the whole wheel's drawing, and enlarged beside it. */
export class Clapper {
  constructor(wheel, sections) {
    this.sections = sections;
    this.built = null;
    this.strip = null;
    this.pegs = svg("g", {});
    this.small = svg("path", { class: "strip" });
    wheel.disc.querySelectorAll(".peg").forEach((node) => node.remove());
    wheel.disc.append(this.pegs);
    this.smallRoot = svg("circle", { class: "root", r: 2.2 });
    wheel.node.querySelector(".front .clapper")?.replaceWith(svg("g", { class: "leather" }, this.small, this.smallRoot));
    this.face = svg("g", {});
    this.turning = svg("g", {}, this.face);
    this.marks = svg("path", { class: "marks" });
    this.strikes = svg("path", { class: "marks strikes" });
    this.slips = svg("path", { class: "marks slips" });
    this.large = svg("path", { class: "strip" });
    this.housing = svg("rect", { class: "housing", rx: 2 });
    this.lamp = svg("circle", { class: "lamp", r: 3.4 });
    this.contact = svg("text", { class: "contact", x: 15 });
    this.degrees = svg("text", { class: "contact", x: -15, "text-anchor": "end" });
    this.view = svg(
      "svg",
      { class: "close-up", role: "img", "aria-label": "The clapper, enlarged" },
      this.turning, this.large, this.marks, this.strikes, this.slips, this.housing, this.lamp, this.contact, this.degrees,
    );
    this.words = el("p", { class: "why", "aria-live": "off" });
    this.node = el(
      "figure",
      { class: "clapper-view" },
      this.view,
      el("figcaption", { class: "legend" }, el("span", {}, "touch"), el("span", { class: "strikes" }, "strike"), el("span", { class: "slips" }, "release")),
      this.words,
    );
    this.way = 1;
    this.x = 0;
    this.rebuild = whenChanged((build) => this.build(build));
  }

  /** Draw a wheel that is built so. */
  build(build) {
    this.built = build;
    this.strip = new Strip(build);
    const { radius_mm: radius, leather_mm: thick } = build;
    const count = build.pegs_deg.length;
    const scale = DISC_PEGS / radius;
    fill(this.pegs, ...pegs(build, DISC_PEGS));
    set(this.small, { transform: `translate(0 ${-DISC_PEGS}) scale(${scale})`, "stroke-width": Math.max(thick, 1 / scale) });
    set(this.smallRoot, { cy: -DISC_PEGS - this.strip.root * scale });
    const half = Math.min(140, Math.max(70, 1.3 * mm(build, 360 / count)));
    const top = -this.strip.root - 16;
    set(this.view, { viewBox: `${-half} ${top} ${2 * half} ${FACE_MM - 8 - top}` });
    set(this.housing, { x: -11, y: -this.strip.root - 12, width: 22, height: 14 });
    set(this.lamp, { cy: -this.strip.root - 5 });
    set(this.contact, { y: -this.strip.root - 2.5 });
    set(this.degrees, { y: -this.strip.root - 2.5 });
    set(this.large, { "stroke-width": thick });
    const numbers = build.pegs_deg.map((_, i) => {
      const [x, y] = point(i / count, radius - 17).split(" ");
      return svg("text", { class: "number", transform: `translate(${x} ${y}) rotate(${(i * 360) / count})` }, i + 1);
    });
    const outside = svg("circle", { class: "face", r: radius + 9 });
    const names = this.sections.map((section, i) => sector(section, i, count, { rim: radius - 24, hub: radius - FACE_MM - 10, text: radius - 39 }));
    fill(this.face, outside, ...names, ...numbers, ...pegs(build, radius));
  }

  /** `truth`: where the wheel is now, and the peg that bends the leather */
  draw({ angle: turns, clapper }) {
    const { built, strip } = this;
    const lean = clapper.peg ? { peg: clapper.peg - 1, direction: clapper.direction } : null;
    const bend = lean ? Math.max(0, (turns * 360 - touchOf(built, lean.peg, lean.direction, turns * 360)) * lean.direction) : 0;
    const back = turns - this.x - Math.round(turns - this.x);
    if (back) this.way = Math.sign(back);
    this.x = turns;
    const leather = { lean, bend };
    set(this.turning, { transform: `translate(0 ${built.radius_mm}) rotate(${(-turns * 360).toFixed(3)})` });
    const path = strip.path(leather);
    set(this.large, { d: path });
    set(this.small, { d: path });
    const { bent } = clapper;
    set(this.lamp, { class: bent ? "lamp bent" : "lamp" });
    set(this.view, { "data-peg": leather.lean ? leather.lean.peg + 1 : null });
    setText(this.contact, bent ? "contact open" : "contact closed");
    setText(this.degrees, leather.lean ? `bent ${leather.bend.toFixed(1)}°` : "hangs free");
    this.mark(leather.lean?.direction ?? this.way);
  }

  /** Where the middle of a peg that comes in this direction touches, strikes, and is released. */
  mark(way) {
    const { built } = this;
    const at = (bend) => `M${mm(built, way * (built.half_deg - bend) - built.set_deg).toFixed(2)} 8v6`;
    set(this.marks, { d: at(0) });
    set(this.strikes, { d: at(built.strikes_deg) });
    set(this.slips, { d: at(slipOf(built, way)) });
  }

  update(picture) {
    const { wheel, true: truth } = picture.bench ?? {};
    if (!wheel || !truth) return;
    this.rebuild({ ...wheel, work: "", done: 0 });
    this.draw(truth);
    setText(this.words, truth.clapper.words);
  }
}
