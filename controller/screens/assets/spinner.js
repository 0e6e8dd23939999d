// @ts-check
/** Makes smooth turning out of places that arrive now and then. */

const STALE_MS = 1500;
const MIN_DELAY_MS = 60;
const MAX_DELAY_MS = 400;
const OVERRUN_MS = 250;
/** How long a wheel goes on at its last speed when no news comes. */

/** @typedef {{at: number, x: number}} Sample when, in ms; and where, in turns, whole turns included */

/** @param {number} turns @returns {number} the same place, 0 to 1 */
export function wrapped(turns) {
  return ((turns % 1) + 1) % 1;
}

/** A little behind the times, so that there are always two places to go between. */
export class Spinner {
  /** @param {(turns: number) => void} show */
  constructor(show) {
    this.show = show;
    /** @type {Sample[]} */
    this.samples = [];
    this.speed = 0; // turns a millisecond
    this.delay = MIN_DELAY_MS;
    this.moving = false;
    this.frame = 0;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Where the wheel is now. @param {number} angle turns, 0 to 1 @param {boolean} moving */
  place(angle, moving) {
    const now = performance.now();
    const last = this.samples.at(-1);
    this.moving = moving;
    if (!last || now - last.at > STALE_MS || this.still.matches) {
      const near = last ? last.x + wrapped(angle - last.x + 0.5) - 0.5 : angle;
      this.jump(now, this.still.matches || !last ? angle : near, last);
      return;
    }
    const passed = Math.max(1, now - last.at);
    const expected = last.x + this.speed * passed;
    const x = expected + wrapped(angle - expected + 0.5) - 0.5;
    if (Math.abs(x - last.x) > 1e-9 || moving) {
      this.speed = (x - last.x) / passed;
      this.delay = Math.min(MAX_DELAY_MS, Math.max(MIN_DELAY_MS, 0.7 * this.delay + 0.4 * passed));
    }
    if (!moving) this.speed = 0;
    this.samples.push({ at: now, x });
    if (this.samples.length > 20) this.samples.shift();
    this.run();
  }

  /** @param {number} now @param {number} x @param {Sample | undefined} last */
  jump(now, x, last) {
    this.speed = 0;
    const ease = last && !this.still.matches ? [{ at: now - this.delay, x: last.x }] : [];
    this.samples = [...ease, { at: now, x }];
    if (ease.length) this.run();
    else this.show(x);
  }

  run() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.frame = 0;
    const now = performance.now();
    const then = now - this.delay;
    this.show(this.at(then));
    const last = this.samples.at(-1);
    if (last && (then < last.at || (this.moving && then < last.at + OVERRUN_MS))) this.run();
  }

  /** @param {number} then @returns {number} turns */
  at(then) {
    const later = this.samples.findIndex((sample) => sample.at >= then);
    if (later > 0) {
      const [a, b] = [this.samples[later - 1], this.samples[later]];
      return a.x + ((b.x - a.x) * (then - a.at)) / Math.max(1, b.at - a.at);
    }
    if (later === 0) return this.samples[0].x;
    const last = this.samples[this.samples.length - 1];
    return last.x + this.speed * Math.min(OVERRUN_MS, then - last.at);
  }
}
