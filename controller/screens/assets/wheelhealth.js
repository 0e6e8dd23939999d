/** A wheel's health: what was found and what to do, the measures by day, and how they changed. */

import { get } from "./answers.js";
import { el, fill, role, setText } from "./dom.js";
import { healthTable, rotorTable } from "./healthtable.js";
import { describe } from "./parts.js";

function found(finding) {
  const at = new Date(finding.utc_ms);
  return el(
    "li",
    {},
    el("b", {}, finding.detail),
    finding.remedy,
    " ",
    el("small", {}, `round ${finding.round}, `, el("time", { datetime: at.toISOString() }, at.toLocaleString("sv-SE"))),
  );
}

function rotorWords(report, round) {
  const spins = `${report.spins} ${report.spins === 1 ? "spin" : "spins"} measured`;
  const since = round ? `${spins} since work on the wheel was logged in round ${round}` : spins;
  if (!report.spins) return "No spin was measured yet.";
  return report.findings.length ? `✕ Found (${since}):` : `✓ Nothing found (${since}).`;
}

function words(report) {
  if (report.rotor) return rotorWords(report, report.rotor.since_round);
  if (!report.calibrated) return "The wheel is not calibrated: its spins are not measured.";
  const since = `calibrated ${report.calibrated}, ${report.spins} ${report.spins === 1 ? "spin" : "spins"} measured`;
  if (!report.spins) return `The wheel was ${since} yet.`.replace("0 spins", "no spin");
  return report.findings.length ? `✕ Found since the wheel was calibrated (${since}):` : `✓ Nothing found: the wheel is as calibrated (${since}).`;
}

function show(report) {
  setText(role("status"), words(report));
  role("status").className = report.findings.length ? "verified wrong" : "verified";
  fill(role("findings"), ...report.findings.map(found));
  role("measures").hidden = !report.spins;
  if (!report.spins) return;
  const rotor = report.rotor;
  role("legend-clapper").hidden = rotor !== null;
  role("legend-rotor").hidden = rotor === null;
  fill(role("days"), ...(rotor ? rotorTable(rotor.days, rotor.level) : healthTable(report.days)));
  const shown = rotor ? "where balls come down, and what the rotor loses" : "strikes, releases, losses, balance and pegs";
  fill(role("plots"), el("img", { src: "/wheel.svg", alt: `${shown}, over time; the table above has the figures by day` }));
}

const table = await get("/table.json");
if (!("error" in table)) describe(table, "wheel");
const report = await get("/wheel.json");
if ("error" in report) setText(role("status"), report.error);
else show(report);
