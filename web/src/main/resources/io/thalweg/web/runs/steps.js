// SPDX-License-Identifier: Apache-2.0
// Shows one tuning: its steps, what came of them, and the settings that pay. All that comes from the job is set as text.
import { NONE, count, element, gain, short, span, us } from "./text.js";

const SILENT_MS = 40000; // a tuning is kept anew every ten seconds
const VERDICTS = {
  KEPT: "kept", WITHDRAWN: "withdrawn", WITHIN_NOISE: "within noise", OUTPUT_DIFFERS: "output differs", FAILED: "job fails",
  UNDECIDED: "undecided", TRYING: "being tried",
};

// That of a tuning, or of a run, of which nothing was heard any more.
export function stateOf(kept) {
  return !kept.over && Date.now() - kept.changedMs > SILENT_MS ? kept.state + ", silent since" : kept.state;
}

export function times(ratio) {
  return Number.isFinite(ratio) ? ratio.toFixed(2) + "×" : NONE;
}

// In records per second, or as a latency.
function value(report, number) {
  return report.limitUs === null ? short(number) + "/s" : us(number);
}

function words(choice) {
  return choice.name + ": " + choice.value + (choice.operator ? " of " + choice.operator : "");
}

function effect(report, measured) {
  return times(measured.ratio) + (measured.high > 0 ? " (" + measured.low.toFixed(2) + " to " + measured.high.toFixed(2) + ")" : "")
    + ", " + value(report, measured.before) + " → " + value(report, measured.after) + ", " + count(measured.pairs)
    + (measured.pairs === 1 ? " pair" : " pairs");
}

function list(lines) {
  const made = element("dl", "", "facts");
  for (const [name, text] of lines) {
    if (text) {
      made.append(element("dt", name), element("dd", text));
    }
  }
  return made;
}

function card(report, step, over) {
  const trying = step.outcome === "TRYING" && !over;
  const item = element("li", "", step.outcome);
  const head = element("h3", step.choice.name + ": " + (step.was === null ? "" : step.was + " → ") + step.choice.value);
  head.append(" ", element("span", step.outcome === "TRYING" && over ? "not finished" : VERDICTS[step.outcome] || step.outcome, "pill"));
  item.append(head, list([
    ["Where", step.choice.operator || "the whole job"],
    ["Advised by", step.from + ": " + step.why],
    ["Predicted", gain(step.predicted) || "nothing"],
    ["Pairs", step.pairs.map(pair => value(report, pair.before) + " → " + value(report, pair.after)).join(" · ")],
    ["Measured", step.measured ? effect(report, step.measured) : trying ? "" : "nothing"],
    ["Prediction", trying ? "" : step.prediction],
    ["Verdict", step.reason],
  ]));
  return item;
}

function goal(report) {
  return report.limitUs === null ? report.goal
    : report.goal + " below " + us(report.limitUs) + " at " + count(report.rate) + " records/s";
}

// Whether the settings that it began with are left out. Older tunings never tried it.
function isReset(report) {
  const kept = report.kept.map(words);
  return Boolean(report.reset) && report.reset.outcome === "KEPT" && !report.reset.settings.map(words).every(each => kept.includes(each));
}

function withoutGiven(report) {
  const reset = report.reset;
  return reset ? (reset.measured ? effect(report, reset.measured) + "; " : "") + VERDICTS[reset.outcome] + ": " + reset.reason : "";
}

function changes(report) {
  const added = report.kept.filter(each => !report.start.some(other => words(other) === words(each))).map(words);
  return [...(isReset(report) ? ["none of what it began with"] : []), ...added].join(", ");
}

function nothing(report) {
  const paid = report.steps.some(step => step.outcome === "KEPT") || (report.reset && report.reset.outcome === "KEPT");
  return paid ? "nothing: changes paid one by one, and not together"
    : "nothing: no change that was tried pays";
}

function facts(tuning, report) {
  const given = [...Object.entries(tuning.settings).map(([name, text]) => "--set " + name + "=" + text),
    ...Object.entries(tuning.options).map(([name, text]) => text ? name + " " + text : name)];
  const lines = [["Now", tuning.next], ["Failure", tuning.failure], ["Job", tuning.job], ["Given", given.join(", ")]];
  if (report) {
    lines.push(["For", goal(report)],
      ["As it was", report.before > 0 ? value(report, report.before) : ""],
      ["Begun with", report.start.map(words).join(", ")],
      ["Without that", withoutGiven(report)],
      ["Output", report.outputs.map(output => output.name + " " + count(output.records)).join(", ")],
      ["Kept", changes(report) || (tuning.over ? nothing(report) : "nothing yet")],
      ["All of it", report.total ? effect(report, report.total) : ""],
      ["Ended", report.ended],
      ["Took", tuning.over ? span(tuning.elapsedMs) + ", " + count(report.runs) + " runs" : ""]);
  }
  return list([...lines, ["Thalweg", tuning.version]]);
}

function refused(report) {
  return [...report.skipped.map(choice => [choice, "withdrawn by an earlier call"]),
    ...report.unfit.map(each => [each.choice, "refused: " + each.why])].map(([choice, why]) => [words(choice), why]);
}

// All of it, within a place that holds nothing else.
export function showTuning(place, tuning) {
  const report = tuning.report;
  const parts = [facts(tuning, report), element("h3", "Steps")];
  if (!report || report.steps.length === 0) {
    parts.push(element("p", tuning.over ? "No change was tried." : "No change has been tried yet.", "quiet"));
  } else {
    const steps = element("ol", "", "findings steps");
    steps.append(...report.steps.map(step => card(report, step, tuning.over)));
    parts.push(steps);
  }
  if (report && refused(report).length > 0) {
    parts.push(element("h3", "Not tried"), list(refused(report)));
  }
  if (tuning.tuned && (tuning.over || changes(report))) { // until then it says that nothing pays
    parts.push(element("h3", "Settings: " + tuning.file));
    const text = element("pre", tuning.tuned, "scroll");
    text.tabIndex = 0;
    parts.push(text, element("p", tuning.command, "command"));
  }
  place.replaceChildren(...parts);
}
