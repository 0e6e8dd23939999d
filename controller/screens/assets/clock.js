/** The time of day at the table's place. It comes with each picture and goes on by itself in between. */

import { role, setText } from "./dom.js";

const MINUTE_MS = 60000;
const LOOK_MS = 1000;

/**
 * The time of day: `14:05`.
 *
 * `offset_min`: of the place, ahead of UTC
 */
function timeOfDay(utc_ms, offset_min) {
  return new Date(utc_ms + offset_min * MINUTE_MS).toISOString().slice(11, 16);
}

export function clock() {
  const node = role("clock");
  let ahead_ms = 0; // What the table's clock shows more than this page's.
  let offset_min = 0;
  let heard_ms = 0; // The newest time that the table sent; 0 before the first.
  const show = () => heard_ms && setText(node, timeOfDay(performance.now() + ahead_ms, offset_min));
  setInterval(show, LOOK_MS);
  return ({ utc_ms, utc_offset_min }) => {
    offset_min = utc_offset_min;
    // A picture that is sent again has the time of its making: only a newer one sets the clock.
    if (utc_ms !== heard_ms) ahead_ms = utc_ms - performance.now();
    heard_ms = utc_ms;
    show();
  };
}
