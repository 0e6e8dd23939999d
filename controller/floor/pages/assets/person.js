/** Who has logged on to the floor, and for those who administer it the page of what all people did. */

import { el } from "./dom.js";
import { session, showSession } from "./session.js";

export async function showPerson() {
  showSession();
  const { role } = await session();
  const pages = document.querySelector("nav");
  if (role !== "administer" || !pages || pages.querySelector('[href="/access"]')) return;
  pages.append(" ", el("a", { href: "/access" }, "access"));
}
