/** Hands on a wheel with a clapper, and a technician at it: pushed, held, braked; calibrated, built otherwise, bent pegs. */

import { el, fill, role, set, setText, whenChanged } from "./dom.js";

function number(label, attributes) {
  return el("label", {}, label, el("input", { type: "number", step: "any", ...attributes }));
}

/** A form whose buttons each ask for something; Enter in a field presses the first one. */
function form(name, fields, buttons, does) {
  const node = el("form", { "data-act": name, novalidate: true }, ...fields);
  for (const [words] of buttons) node.append(el("button", { type: "submit", value: words }, words));
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    const makes = new Map(buttons).get(event.submitter?.value ?? buttons[0][0]);
    does(makes((name) => Number(node.elements[name].value)));
  });
  return node;
}

export function workshop(acts) {
  const refused = el("p", { class: "status", role: "status" });
  const does = async (body) => {
    const error = await acts(body);
    setText(refused, error);
    return error;
  };
  const progress = el("progress", { max: 1, hidden: true, "aria-label": "calibration" });
  const option = el("select", { name: "build" });
  const value = number("", { name: "value", "aria-label": "value" });
  const shown = () => value.querySelector("input").value = built[option.value] ?? "";
  let built = {};
  option.addEventListener("change", shown);
  const showBuild = whenChanged((options) => {
    const chosen = option.value;
    built = options;
    fill(option, ...Object.keys(options).map((one) => el("option", { value: one }, one.replaceAll("_", " "))));
    if (chosen) option.value = chosen;
    shown();
  });
  fill(
    role("wheel-hands"),
    form("push", [number("push, °/s", { name: "push", value: 20 })], [["push it", (read) => ({ push: read("push") })]], does),
    form(
      "brake",
      [number("brake, N m", { name: "brake", value: 1 }), number("for, s", { name: "seconds", value: 1 })],
      [["brake it", (read) => ({ brake: read("brake"), seconds: read("seconds") })]],
      does,
    ),
    form("hold", [], [["hold it", () => ({ hold: true })], ["let it go", () => ({ let_go: true })]], does),
  );
  fill(
    role("technician"),
    el("h2", { class: "caption" }, "The technician ", el("small", {}, "(between rounds)")),
    progress,
    refused,
    form("calibrate", [], [["calibrate", () => ({ calibrate: true })]], does),
    form(
      "peg",
      [number("peg", { name: "peg", value: 1, step: 1 }), number("degrees", { name: "degrees", value: 1 })],
      [
        ["bend", (read) => ({ bend: read("peg"), degrees: read("degrees") })],
        ["straighten", (read) => ({ bend: read("peg"), degrees: 0 })],
        ["take out", (read) => ({ remove: read("peg") })],
      ],
      does,
    ),
    form("build", [el("label", {}, "built with", option), value], [["change", (read) => ({ build: option.value, value: read("value") })]], does),
  );
  return ({ bench }) => {
    const wheel = bench?.wheel;
    role("workshop").hidden = !wheel;
    if (!wheel) return;
    showBuild(wheel.options);
    set(progress, { hidden: !wheel.work, value: wheel.done });
    const off = role("off");
    setText(off, wheel.work ? `The technician records the wheel: ${wheel.work}` : "POWER OFF");
    off.classList.toggle("work", Boolean(wheel.work));
  };
}
