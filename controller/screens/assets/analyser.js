/** The bench's logic analyser: the lines over the last seconds, held if one likes. */

import { Waves } from "./waves.js";
import { fill, role, set, setText } from "./dom.js";

/** So many columns are drawn at least. */
const NARROWEST = 10;

export function analyser() {
  const waves = new Waves();
  const [base, hold] = [role("time-base"), role("hold")];
  let newest = null;
  let shown = null; // The newest, or what is held.
  fill(role("scope"), waves.names, waves.drawing, waves.counts);

  function draw() {
    const held = hold.getAttribute("aria-pressed") === "true";
    if (!held || !shown) shown = newest;
    role("signals").hidden = !shown;
    if (!shown) return;
    const { columns, column_ms: columnMs, end_s: ends } = shown;
    const wide = Math.min(columns, Math.max(NARROWEST, Math.round((Number(base.value) * 1000) / columnMs)));
    waves.show(shown, columns - wide, columns);
    setText(role("signals-at"), `up to ${ends.toFixed(1)} s`);
  }

  base.addEventListener("change", draw);
  hold.addEventListener("click", () => {
    set(hold, { "aria-pressed": String(hold.getAttribute("aria-pressed") !== "true") });
    draw();
  });
  return ({ bench }) => {
    newest = bench?.signals ?? null;
    draw();
  };
}
