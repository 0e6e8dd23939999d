/** The bench's logic analyser: the lines over the last seconds, held if one likes. */

import { Waves } from "./waves.js";
import { el, fill, role, set, setText } from "./dom.js";

const NARROWEST = 10;
/** So many columns are drawn at least. */
const STEPS = 100;
/** So often an arrow key moves the cursor over what is drawn. */

function roleOf(name, kind) {
  const node = role(name);
  if (!(node instanceof kind)) throw new Error(`the element of the role ${name} is no ${kind.name}`);
  return node;
}

function time(seconds) {
  return `${seconds.toFixed(seconds < 10 ? 3 : 2)} s`;
}

export class Analyser {
  constructor() {
    this.waves = new Waves();
    this.slider = el("input", { type: "range", min: 0, max: 1, step: 1 / STEPS, value: 1, "aria-label": "cursor" });
    fill(role("scope"), this.waves.names, this.waves.drawing, this.waves.counts, this.slider);
    this.base = roleOf("time-base", HTMLSelectElement);
    this.hold = roleOf("hold", HTMLButtonElement);
    this.newest = null;
    /** What is drawn: the newest, or what is held. */
    this.shown = null;
    this.now = 0;
    /** Of the drawn width, from 0 to 1, while somebody points. */
    this.pointed = null;
    this.listen();
  }

  listen() {
    this.base.addEventListener("change", () => this.draw());
    this.hold.addEventListener("click", () => {
      set(this.hold, { "aria-pressed": String(!this.held) });
      this.draw();
    });
    const { drawing } = this.waves;
    const at = (event) => {
      const box = drawing.getBoundingClientRect();
      this.point(Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width))));
    };
    drawing.addEventListener("pointerdown", at);
    drawing.addEventListener("pointermove", at);
    drawing.addEventListener("pointerleave", () => this.leave());
    this.slider.addEventListener("input", () => this.point(Number(this.slider.value)));
    this.slider.addEventListener("blur", () => this.leave());
  }

  get held() {
    return this.hold.getAttribute("aria-pressed") === "true";
  }

  /** `part`: of the drawn width */
  point(part) {
    this.pointed = part;
    this.draw();
  }

  leave() {
    if (this.pointed === null || document.activeElement === this.slider) return;
    this.pointed = null;
    this.draw();
  }

  update({ bench }) {
    this.newest = bench?.signals ?? null;
    if (!this.held || !this.shown) this.now = bench?.seconds ?? 0;
    this.draw();
  }

  /**
   * The columns that are drawn.
   *
   * `columns`: all
   */
  window(columns, column_ms) {
    const chosen = Number(this.base.value) * 1000;
    const wide = Math.min(columns, Math.max(NARROWEST, Math.round(chosen / column_ms)));
    return { first: columns - wide, end: columns };
  }

  draw() {
    if (!this.held || !this.shown) this.shown = this.newest;
    role("signals").hidden = !this.shown;
    if (this.shown) this.drawShown(this.shown);
  }

  drawShown(shown) {
    const { first, end } = this.window(shown.columns, shown.column_ms);
    this.waves.show(shown, first, end);
    const column = this.pointed === null ? null : Math.min(end - 1, first + this.pointed * (end - first));
    this.waves.point(column);
    const begins = shown.end_s - (shown.columns * shown.column_ms) / 1000;
    const ago = column === null ? 0 : this.now - begins - (column * shown.column_ms) / 1000;
    const still = this.now - shown.end_s > 0.5 ? "; no line has changed since" : "";
    const words = column === null ? `up to ${shown.end_s.toFixed(1)} s${still}` : `${time(ago)} before now`;
    setText(role("signals-at"), words);
    set(this.slider, { "aria-valuetext": words });
    this.slider.value = String(this.pointed ?? 1);
  }
}
