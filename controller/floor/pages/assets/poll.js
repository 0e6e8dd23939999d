/** A document of the floor, requested again and again while the page is seen. */

import { role, setText } from "./dom.js";

const LOST = "No connection to the floor's computer. What is shown is old.";

/**
 * Ask, show, and ask again.
 *
 * Returns a function that asks at once.
 */
export function poll(address, show, every_ms) {
  let timer = 0;
  let latest = 0;
  const ask = async () => {
    clearTimeout(timer);
    if (!document.hidden) {
      latest += 1;
      const mine = latest;
      const failure = await once(address(), (found) => mine === latest && show(found));
      if (mine !== latest) return; // Something else was requested meanwhile.
      const banner = role("connection");
      banner.hidden = !failure;
      setText(banner, failure);
      document.body.classList.toggle("lost", Boolean(failure));
    }
    clearTimeout(timer);
    timer = window.setTimeout(ask, every_ms);
  };
  document.addEventListener("visibilitychange", () => document.hidden || ask());
  ask();
  return ask;
}

/** Returns what is wrong, or nothing. */
async function once(address, show) {
  let found;
  try {
    const answer = await fetch(address, { cache: "no-store" });
    found = await answer.json();
    if ("error" in found) return found.error;
    if (!answer.ok) return LOST;
  } catch {
    return LOST;
  }
  show(found);
  return "";
}
