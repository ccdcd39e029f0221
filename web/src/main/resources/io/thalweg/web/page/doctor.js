// SPDX-License-Identifier: Apache-2.0
// What the doctor says of the job: what bounds it, and what would help. The names are those of the diagnosis's JSON.
import { NONE, element, gain, span } from "./text.js";

const at = id => document.getElementById(id);

function figures(evidence) {
  return evidence.map(({ name, value, unit }) => name + " "
    + (Number.isFinite(value) ? value.toLocaleString("en-US", { maximumFractionDigits: 2 }) : NONE)
    + (unit ? (unit.startsWith("/") ? "" : " ") + unit : "")).join(", ");
}

function line(list, name, text) {
  if (text) {
    list.append(element("dt", name), element("dd", text));
  }
}

function card(finding) {
  const item = element("li");
  const head = element("h3", finding.rule);
  const where = finding.task || finding.operator;
  if (where) {
    head.append(element("span", " in " + where, "quiet"));
  }
  const lines = element("dl");
  line(lines, "Measured", figures(finding.evidence));
  line(lines, "Remedy", finding.remedy);
  line(lines, "Option", finding.option);
  line(lines, "Predicted", gain(finding.predicted_gain));
  line(lines, "Wrong if", finding.refuted_by);
  item.append(head, element("p", finding.why), lines);
  return item;
}

// said is null before the first word.
export function showDoctor(plan, said, ended) {
  const none = at("doctor-none");
  const bound = said && said.bound;
  at("doctor-bound").textContent = bound ? "Bound by " + bound.text : "";
  at("doctor-bound").title = bound ? figures(bound.evidence) : "";
  at("findings").replaceChildren(...(said && said.findings || []).map(card));
  none.hidden = Boolean(bound && said.findings.length > 0);
  if (bound) {
    none.textContent = "Nothing to change. Measured: " + figures(bound.evidence) + ".";
  } else if (said && said.problem) {
    none.textContent = said.problem + ".";
  } else if (plan.judged) {
    none.textContent = "Nothing has been judged yet.";
  } else {
    none.textContent = "This page judges jobs of Thalweg's own engine only."
      + (plan.runner.startsWith("Flink") ? " thalweg doctor flink=HOST:PORT judges a job on a Flink cluster." : "");
  }
  at("doctor-about").textContent = bound
    ? "Judged every few seconds, from the last " + span(said.seconds * 1000) + (ended ? " of the job" : "")
      + ". Calls within operators are not sampled here; thalweg doctor does that. Predicted gains are estimates."
    : "";
}
