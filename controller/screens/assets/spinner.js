/** Makes smooth turning out of places that arrive now and then. */

const STALE_MS = 1500;
const MIN_DELAY_MS = 60;
const MAX_DELAY_MS = 400;
const OVERRUN_MS = 250;
/** How long a wheel goes on at its last speed when no news comes. */

/** Returns the same place, 0 to 1. */
export function wrapped(turns) {
  return ((turns % 1) + 1) % 1;
}

function alike(one, other) {
  return one?.peg === other?.peg && one?.direction === other?.direction && one?.closed === other?.closed;
}

/** A little behind the times, so that there are always two places to go between. */
export class Spinner {
  /** `show`: with the sample from which the wheel came there */
  constructor(show) {
    this.show = show;
    this.samples = [];
    this.speed = 0; // turns a millisecond
    this.delay = MIN_DELAY_MS;
    this.moving = false;
    this.frame = 0;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  /**
   * Where the wheel is now.
   *
   * `angle`: turns, 0 to 1
   */
  place(angle, moving, lean = null) {
    const now = performance.now();
    const last = this.samples.at(-1);
    this.moving = moving;
    if (!last || now - last.at > STALE_MS || this.still.matches) {
      const near = last ? last.x + wrapped(angle - last.x + 0.5) - 0.5 : angle;
      this.jump({ at: now, x: this.still.matches || !last ? angle : near, lean }, last);
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
    if (!moving && !this.frame && Math.abs(x - last.x) < 1e-9 && alike(lean, last.lean)) {
      last.at = now; // It stands as it stood: nothing to draw.
      return;
    }
    this.samples.push({ at: now, x, lean });
    if (this.samples.length > 20) this.samples.shift();
    this.run();
  }

  jump(sample, last) {
    this.speed = 0;
    const ease = last && !this.still.matches ? [{ ...last, at: sample.at - this.delay }] : [];
    this.samples = [...ease, sample];
    if (ease.length) this.run();
    else this.show(sample.x, sample);
  }

  run() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.frame = 0;
    const now = performance.now();
    const then = now - this.delay;
    this.show(this.at(then), this.samples.findLast((sample) => sample.at <= then) ?? this.samples[0]);
    const last = this.samples.at(-1);
    if (last && (then < last.at || (this.moving && then < last.at + OVERRUN_MS))) this.run();
  }

  /** Returns turns. */
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
