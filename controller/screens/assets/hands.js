/** What can be done at a bench: the table's controls, the hands beside it, what breaks. By mouse, touch or keyboard. */

import { el, fill, role, setText, whenChanged } from "./dom.js";

const NAMED = ["Enter", "Escape", "Backspace"];
/** Keys of a keyboard that are known by a word. */

export function hands(table, does) {
  controls(table, does);
  breaks(table, does);
  keyboard(does);
  const showKeys = whenChanged((hints) => keys(hints, does));
  const showMenu = whenChanged((menu) => open(menu, does));
  const showFaults = whenChanged((faults) => fill(role("faults"), ...faults.map((one) => el("li", {}, one))));
  return ({ bench }) => {
    if (!bench) return;
    showKeys(bench.hints);
    showMenu(bench.menu);
    showFaults(bench.faults);
    if (bench.notice) setText(role("status"), bench.notice);
  };
}

function button(words, attributes, click) {
  const key = attributes["data-key"] ?? attributes["data-choice"] ?? "";
  // A button with a name of its own must show nothing that is not in it.
  const cap = key.trim() && !attributes["aria-label"] && el("kbd", { "aria-hidden": "true" }, key === "Escape" ? "Esc" : key);
  const node = el("button", { type: "button", ...attributes }, cap, cap && " ", words);
  node.addEventListener("click", click);
  return node;
}

/** A button for each control, by the device that it is on. */
function controls(table, does) {
  const devices = [...new Set(table.controls.map((one) => one.device))];
  fill(
    role("controls"),
    ...devices.map((device) => {
      const own = table.controls.filter((one) => one.device === device);
      return el(
        "div",
        { class: `device ${device}`, role: "group", "aria-label": device },
        ...own.map((one) => button(one.label, { "data-control": one.control }, () => does({ press: one.control }))),
      );
    }),
  );
}

/** Which key presses a control, on its button. */
function caps(hints) {
  for (const { key, control } of hints) {
    const node = control && role("controls").querySelector(`[data-control="${CSS.escape(control)}"]`);
    if (node && key !== control && !node.querySelector("kbd")) node.prepend(el("kbd", { "aria-hidden": "true" }, key), " ");
  }
}

/** What hands can do beside the controls; the second button is the same the other way round. */
function keys(hints, does) {
  caps(hints);
  const others = hints.filter((hint) => !hint.control);
  fill(
    role("keys"),
    ...others.map((hint) =>
      el(
        "span",
        { class: "pair" },
        button(hint.long, { "data-key": hint.key, title: `key ${hint.key}` }, () => does({ key: hint.key })),
        hint.shift && turned(hint, does),
      ),
    ),
  );
}

/** The same the other way round. */
function turned(hint, does) {
  const key = hint.key.toUpperCase();
  const node = button("↻", { "data-key": key, title: `key ${key}` }, () => does({ key }));
  node.append(el("span", { class: "unseen" }, ` ${hint.long}, the other way round`));
  return node;
}

function open(menu, does) {
  const node = role("menu");
  node.hidden = !menu;
  fill(node);
  if (!menu) return;
  fill(
    node,
    el("h3", {}, menu.title),
    ...menu.choices.map((choice) => button(choice.short, { "data-choice": choice.key, title: `key ${choice.key}` }, () => does({ key: choice.key }))),
    button("back", { "data-choice": "Escape" }, () => does({ key: "Escape" })),
  );
  node.querySelector("button")?.focus();
}

function breaks(table, does) {
  const form = role("inject");
  const { fault, target, repair, cut } = form.elements;
  const breakages = table.breakages ?? [];
  fill(fault, ...breakages.map((one) => el("option", { value: one.fault }, one.label)));
  const targets = () => {
    const places = breakages[fault.selectedIndex]?.targets ?? [];
    fill(target, ...places.map((one) => el("option", { value: one }, one.replaceAll("_", " "))));
    target.disabled = !places.length;
  };
  fault.addEventListener("change", targets);
  targets();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = breakages[fault.selectedIndex];
    if (chosen) does({ fault: chosen.fault, target: target.disabled ? "" : target.value, amount: chosen.amount });
  });
  repair.addEventListener("click", () => does({ repair: true }));
  cut.addEventListener("click", () => does({ cut: true }));
}

/** The keys of the keyboard, wherever no form element has the focus. */
function keyboard(does) {
  document.addEventListener("keydown", (event) => {
    const at = event.target instanceof Element ? event.target : null;
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (at?.closest("input, select, textarea")) return;
    // A button that has the focus is pressed by Enter and Space, as anywhere.
    if (at?.closest("button, a") && (event.key === "Enter" || event.key === " ")) return;
    if (event.key.length !== 1 && !NAMED.includes(event.key)) return;
    if (event.key === " " && at?.closest("[tabindex]")) return;
    event.preventDefault();
    does({ key: event.key });
  });
}
