/** What can be done at a bench: the table's controls, the hands beside it, what breaks. By mouse, touch or keyboard. */

import { el, fill, role, whenChanged } from "./dom.js";

const USUAL = { enter: "Enter", "no-spin": "x", "no-roll": "x", correct: "e", "floor-key": "k" };
/** Keys of controls, where it is not the first letter. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

export function hands(table, does) {
  controls(table, does);
  fill(role("keys"), ...table.keys.map((one) => key(one, does)));
  breaks(table, does);
  keyboard();
  const showFaults = whenChanged((faults) => fill(role("faults"), ...faults.map((one) => el("li", {}, one))));
  return ({ bench }) => showFaults(bench?.faults ?? []);
}

/** `cap`: the key that presses it. A button with a name of its own shows nothing that is not in it. */
function button(words, cap, attributes, click) {
  const name = cap && cap !== words && !attributes["aria-label"] && el("kbd", { "aria-hidden": "true" }, cap === "Escape" ? "Esc" : cap);
  const node = el("button", { type: "button", "data-cap": cap, title: cap && `key ${cap}`, ...attributes }, name, name && " ", words);
  node.addEventListener("click", click);
  return node;
}

/** A button for each control, by the device that it is on. */
function controls(table, does) {
  const caps = capsOf(table.controls.map((one) => one.control), table.keys.flatMap(({ key }) => [key, key.toUpperCase()]));
  const devices = [...new Set(table.controls.map((one) => one.device))];
  fill(
    role("controls"),
    ...devices.map((device) => {
      const own = table.controls.filter((one) => one.device === device);
      return el(
        "div",
        { class: `device ${device}`, role: "group", "aria-label": device },
        ...own.map(({ label, control }) => button(label, caps.get(control), { "data-control": control }, () => does({ press: control }))),
      );
    }),
  );
}

/** A key for each control: itself if it is a digit, a letter of its name, or any that is free. */
function capsOf(names, taken) {
  const used = new Set(taken);
  const caps = new Map();
  const order = (name) => (USUAL[name] ? 0 : name.length); // Digits before ranks such as 10.
  for (const name of [...names].sort((one, other) => order(one) - order(other))) {
    const cap = [USUAL[name] ?? name[0], ...name, ...LETTERS].find((one) => one !== "-" && !used.has(one));
    caps.set(name, cap);
    used.add(cap);
  }
  return caps;
}

/** What hands do; the second button is the same the other way round. */
function key({ key, words, step, reverse, choices }, does) {
  const choose = Object.keys(choices).length ? () => open(words, choices, does) : () => does(step);
  const other = key.toUpperCase();
  const turned = reverse && button("↻", other, { "data-key": other, "aria-label": `${words}, the other way round` }, () => does(reverse));
  return el("span", { class: "pair" }, button(words, key, { "data-key": key }, choose), turned);
}

/** A menu; a choice closes it. */
function open(title, choices, does) {
  const node = role("menu");
  const close = () => {
    node.hidden = true;
    fill(node);
  };
  const letters = LETTERS + LETTERS.toUpperCase();
  const entries = Object.entries(choices).map(([words, step], i) =>
    button(words, letters[i], { "data-choice": letters[i] }, () => {
      close();
      does(step);
    }),
  );
  fill(node, el("h3", {}, title), ...entries, button("back", "Escape", { "data-choice": "Escape" }, close));
  node.hidden = false;
  node.querySelector("button").focus();
}

function breaks(table, does) {
  const form = role("inject");
  const { fault, target } = form.elements;
  const { breakages } = table;
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
    const { fault: name, amount } = breakages[fault.selectedIndex];
    does({ fault: { name, ...(!target.disabled && { target: target.value }), ...(amount && { amount }) } });
  });
}

/** The keys of the keyboard, wherever no form element has the focus. */
function keyboard() {
  document.addEventListener("keydown", (event) => {
    const at = event.target instanceof Element ? event.target : null;
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (at?.closest("input, select, textarea")) return;
    // A button that has the focus is pressed by Enter and Space, as anywhere.
    if (at?.closest("button, a") && (event.key === "Enter" || event.key === " ")) return;
    const menu = role("menu");
    const node = (menu.hidden ? document : menu).querySelector(`[data-cap="${CSS.escape(event.key)}"]`);
    if (!node) return;
    event.preventDefault();
    node.click();
  });
}
