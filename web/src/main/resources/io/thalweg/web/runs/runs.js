// SPDX-License-Identifier: Apache-2.0
// Lists the jobs of a machine, the runs that are kept, of which it compares two, and the tunings. All that comes from jobs is set as text.
import { showTuning, stateOf, times } from "./steps.js";
import { NONE, bytes, count, element, rate, short, span, us } from "./text.js";

const PERIOD = 2000;
const PLAN_ROWS = 500;
const at = id => document.getElementById(id);

let before = new Map(); // of running jobs, the status before the last one
let chosen = []; // ids, in the order of choice
let shown = []; // details of these
let listed = "";
let listedTunings = "";
let chosenTuning = ""; // its id
let shownTuning = null; // its details
const wrong = new Map(); // what cannot be shown, by what it is

// Stays until it can be shown.
function tell(what, problem) {
  if (problem) {
    wrong.set(what, problem);
  } else {
    wrong.delete(what);
  }
  const text = [...wrong.values()].join(" ");
  if (at("notice").textContent !== text) {
    at("notice").textContent = text;
  }
  at("notice").hidden = text === "";
}

async function ask(path) {
  const answer = await fetch(path, { cache: "no-store" });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    throw new Error(said.error || "the answer is " + answer.status);
  }
  return said;
}

async function turn() {
  if (!document.hidden) {
    let problem = "";
    for (const [path, show] of [["jobs", said => showJobs(said.jobs)], ["runs", showRuns], ["tunings", showTunings]]) {
      try {
        show(await ask("api/" + path));
      } catch (failed) { // the others are shown nevertheless
        problem = "thalweg web does not answer: " + failed.message + ". What is shown may be old.";
      }
    }
    tell("lists", problem);
    if (wrong.has("run")) {
      load();
    }
    if (wrong.has("tuning")) {
      loadTuning();
    }
  }
  setTimeout(turn, PERIOD);
}

// Columns: [title, kind]; a cell is a text or a node.
function table(place, heads, rows) {
  if (rows.length === 0) {
    place.replaceChildren();
    return;
  }
  const top = element("thead");
  const head = element("tr");
  head.append(...heads.map(([title, kind]) => {
    const cell = element("th", title, kind);
    cell.scope = "col";
    return cell;
  }));
  top.append(head);
  const body = element("tbody");
  body.append(...rows.map(row => {
    const line = element("tr", "", row.differs ? "differs" : "");
    line.append(...row.cells.map((value, i) => {
      const cell = element("td", "", heads[i][1]);
      cell.append(value === undefined ? "" : value);
      return cell;
    }));
    return line;
  }));
  place.replaceChildren(top, body);
}

function link(job) {
  if (!/^http:\/\//.test(job.web || "")) {
    return job.topology;
  }
  const made = element("a", job.topology);
  made.href = job.web;
  made.rel = "noreferrer";
  return made;
}

function rateOf(job, name) {
  const was = before.get(job.id);
  const ms = was ? job.elapsedMs - was.elapsedMs : 0;
  return ms > 0 && job[name] >= was[name] ? rate((job[name] - was[name]) * 1000 / ms) : "";
}

function showJobs(jobs) {
  at("no-jobs").hidden = jobs.length > 0;
  table(at("jobs"), [["Job", ""], ["Topology", "long"], ["State", ""], ["On", ""], ["For", "n"], ["Records in", "n"], ["", "n"],
    ["Records out", "n"], ["", "n"], ["Bad", "n"], ["Restarts", "n"]],
    jobs.map(job => ({ cells: job.problem
      ? [job.id, job.problem, "NO ANSWER", "", "", "", "", "", "", "", ""]
      : [job.id, link(job), job.state, job.on, span(job.elapsedMs), count(job.recordsIn), rateOf(job, "recordsIn"),
        count(job.recordsOut), rateOf(job, "recordsOut"), count(job.recordsBad), count(job.restarts)] })));
  const now = new Map();
  for (const job of jobs.filter(each => !each.problem)) {
    now.set(job.id, job);
  }
  before = now;
}

function when(ms) {
  if (!Number.isFinite(ms)) {
    return NONE;
  }
  const at = new Date(ms);
  const two = number => String(number).padStart(2, "0");
  return at.getFullYear() + "-" + two(at.getMonth() + 1) + "-" + two(at.getDate()) + " " + two(at.getHours()) + ":"
    + two(at.getMinutes()) + ":" + two(at.getSeconds());
}

function latency(us50) {
  return us50 === undefined ? "" : us(us50);
}

function leftOut(damaged) {
  return "What is kept of " + count(damaged) + " of them is damaged and left out.";
}

function showRuns(said) {
  at("place").textContent = said.place || "";
  const runs = said.runs || [];
  at("no-runs").hidden = runs.length > 0 && !said.damaged;
  at("no-runs").textContent = said.problem ? "The runs cannot be read: " + said.problem + "."
    : said.damaged ? leftOut(said.damaged) : "No run is kept yet. thalweg run JOB --web keeps one.";
  at("choose").hidden = runs.length === 0;
  const text = JSON.stringify(runs.map(run => [run, stateOf(run)]));
  if (text === listed) {
    return; // so that the focus stays where it is
  }
  listed = text;
  const focus = document.activeElement && document.activeElement.value;
  table(at("runs"), [["", ""], ["Started", ""], ["Topology", "long"], ["State", ""], ["On", ""], ["Took", "n"], ["Records in", "n"],
    ["In/s", "n"], ["Half below", "n"], ["99 % below", "n"], ["Bad", "n"], ["Late", "n"]],
    runs.map(run => ({ cells: [box(run), when(run.startedMs), run.topology, stateOf(run), run.on, span(run.elapsedMs), count(run.in),
      short(run.inRate), latency(run.p50Us), latency(run.p99Us), count(run.bad), count(run.late)] })));
  const again = [...at("runs").querySelectorAll("input")].find(each => each.value === focus);
  if (again) {
    again.focus();
  }
  if (shown.some(run => runs.some(each => each.id === run.id && each.changedMs !== run.changedMs))) {
    load();
  }
}

function showTunings(said) {
  const tunings = said.tunings || [];
  at("no-tunings").hidden = tunings.length > 0 && !said.damaged;
  at("no-tunings").textContent = said.problem ? "The tunings cannot be read: " + said.problem + "."
    : said.damaged ? leftOut(said.damaged) : "No tuning is kept yet. thalweg tune JOB --web keeps one.";
  const text = JSON.stringify(tunings.map(tuning => [tuning, stateOf(tuning)]));
  if (text === listedTunings) {
    return;
  }
  listedTunings = text;
  const focus = document.activeElement && document.activeElement.value;
  table(at("tunings"), [["", ""], ["Started", ""], ["Topology", "long"], ["For", ""], ["State", ""], ["Took", "n"], ["Steps", "n"],
    ["Kept", "n"], ["Gain", "n"]],
    tunings.map(tuning => ({ cells: [button(tuning), when(tuning.startedMs),
      stateOf(tuning) === tuning.state ? link(tuning) : tuning.topology, tuning.goal || "", stateOf(tuning), span(tuning.elapsedMs),
      count(tuning.steps || 0), count(tuning.kept || 0), tuning.gain ? times(tuning.gain) : ""] })));
  const again = tuningButton(focus);
  if (again) {
    again.focus();
  }
  if (shownTuning && tunings.some(each => each.id === shownTuning.id && each.changedMs !== shownTuning.changedMs)) {
    loadTuning();
  }
}

function tuningButton(id) {
  return [...at("tunings").querySelectorAll("button")].find(each => each.value === id);
}

function button(tuning) {
  const made = element("button", "Show");
  made.type = "button";
  made.value = tuning.id;
  made.setAttribute("aria-pressed", String(chosenTuning === tuning.id));
  made.setAttribute("aria-label", "Show the tuning of " + tuning.topology + " at " + when(tuning.startedMs));
  made.addEventListener("click", () => {
    chosenTuning = chosenTuning === tuning.id ? "" : tuning.id;
    loadTuning();
  });
  return made;
}

async function loadTuning() {
  for (const each of at("tunings").querySelectorAll("button")) {
    each.setAttribute("aria-pressed", String(each.value === chosenTuning));
  }
  const wanted = chosenTuning;
  try {
    const tuning = wanted === "" ? null : await ask("api/tuning?id=" + wanted);
    if (wanted !== chosenTuning) {
      return; // another choice was made meanwhile
    }
    if (tuning && tuning.problem) {
      throw new Error(tuning.problem);
    }
    shownTuning = tuning;
    at("tuning-section").hidden = tuning === null;
    if (tuning !== null) {
      at("tuning-title").textContent = tuning.topology + ", tuning of " + when(tuning.startedMs) + ": " + stateOf(tuning);
      showTuning(at("tuning"), tuning);
    }
    tell("tuning", "");
  } catch (problem) {
    if (wanted === chosenTuning) {
      tell("tuning", "The tuning cannot be shown: " + problem.message + ".");
    }
  }
}

function closeTuning() {
  const back = chosenTuning;
  chosenTuning = "";
  loadTuning();
  (tuningButton(back) || at("past-title")).focus();
}

function box(run) {
  const made = element("input");
  made.type = "checkbox";
  made.value = run.id;
  made.checked = chosen.includes(run.id);
  made.setAttribute("aria-label", "Choose the run of " + run.topology + " at " + when(run.startedMs));
  made.addEventListener("change", () => {
    chosen = made.checked ? [...chosen, run.id].slice(-2) : chosen.filter(each => each !== run.id);
    load();
  });
  return made;
}

async function load() {
  for (const each of at("runs").querySelectorAll("input")) {
    each.checked = chosen.includes(each.value);
  }
  const wanted = chosen;
  try {
    const runs = await Promise.all(wanted.map(id => ask("api/run?id=" + id)));
    if (wanted !== chosen) {
      return; // another choice was made meanwhile
    }
    const problem = runs.find(run => run.problem);
    if (problem) {
      throw new Error(problem.problem);
    }
    if (runs.some(run => !run.plan || !run.points)) {
      throw new Error("it is kept by another version of Thalweg");
    }
    shown = runs.sort((a, b) => a.startedMs - b.startedMs);
    show();
    tell("run", "");
  } catch (problem) {
    if (wanted === chosen) {
      tell("run", "The run cannot be shown: " + problem.message + ".");
    }
  }
}

function change(a, b, ratio) {
  if (a === undefined || b === undefined || a === null || b === null) {
    return "";
  }
  if (a === b) {
    return "same";
  }
  return ratio && a > 0 && b > 0 ? (b / a).toFixed(b / a < 10 ? 2 : 0) + "×" : (b > a ? "+" : "−") + count(Math.abs(b - a));
}

// [name, of a run, how it is written, whether a change is a ratio]
const MEASURES = [
  ["Took", run => run.elapsedMs, span, true],
  ["Counted since the last restart, for", run => run.countedMs, span, true],
  ["Records in", run => run.in, count, true],
  ["Records out", run => run.out, count, true],
  ["Records in per second", run => run.inRate, rate, true],
  ["Records out per second", run => run.outRate, rate, true],
  ["Half of the latencies below", run => run.p50Us, us, true],
  ["90 % below", run => run.p90Us, us, true],
  ["99 % below", run => run.p99Us, us, true],
  ["99.9 % below", run => run.p999Us, us, true],
  ["Longest", run => run.maxUs, us, true],
  ["CPU time", run => run.cpuSeconds, value => value.toFixed(2) + " s", true],
  ["CPU time per million records", run => run.in > 0 ? run.cpuSeconds / run.in * 1e6 : undefined, value => value.toFixed(2) + " s", true],
  ["Heap at the end", run => run.heapBytes, bytes, true],
  ["Garbage collections", run => run.gcCount, count, false],
  ["Time in them", run => run.gcMs, span, true],
  ["Newest checkpoint", run => run.checkpoints, count, false],
  ["Bad", run => run.bad, count, false],
  ["Late", run => run.late, count, false],
  ["Restarts", run => run.restarts, count, false],
];

function heads(first, kind) {
  return shown.length === 1 ? [[first, ""], ["", kind]] : [[first, ""], ["Earlier", kind], ["Later", kind], ["", ""]];
}

function showMeasures() {
  const texts = [
    ["Started", run => when(run.startedMs)], ["State", stateOf], ["Job", run => run.job], ["On", run => run.on],
    ["Failure", run => run.failure || ""], ["Thalweg", run => run.version],
  ].filter(([, of]) => shown.some(run => of(run)));
  const rows = texts.map(([name, of]) => {
    const values = shown.map(of);
    const differs = values.length === 2 && values[0] !== values[1] && name !== "Started";
    return { cells: [name, ...values, ...(values.length === 2 ? [differs ? "differs" : ""] : [])], differs };
  });
  for (const [name, of, write, ratio] of MEASURES) {
    const values = shown.map(of);
    if (values.some(value => value !== undefined && value !== null)) {
      rows.push({ cells: [name, ...values.map(value => value === undefined || value === null ? "not measured" : write(value)),
        ...(values.length === 2 ? [change(values[0], values[1], ratio)] : [])] });
    }
  }
  table(at("measures"), heads("", "long"), rows);
}

// Objects of texts by name, one for each run; only rows that differ if there are two and all is asked for otherwise.
function compared(maps, onlyDifferences) {
  const names = [...new Set(maps.flatMap(map => [...map.keys()]))];
  return names.map(name => {
    const values = maps.map(map => map.has(name) ? map.get(name) : "not there");
    const differs = values.length === 2 && values[0] !== values[1];
    return { cells: [name, ...values, ...(values.length === 2 ? [differs ? "differs" : ""] : [])], differs };
  }).filter(row => row.differs || !onlyDifferences).sort((a, b) => Number(b.differs) - Number(a.differs));
}

function settingsOf(run) {
  const plan = run.plan.options.map(each => [(each.operator ? each.operator + ": " : "") + each.name, each.value]);
  return new Map([...Object.entries(run.settings).map(([name, value]) => ["--set " + name, value]), ...Object.entries(run.options),
    ["threads", String(run.plan.workers)], ...plan]);
}

function planOf(run) {
  const rows = run.plan.operators.map(each => ["operator " + each.name, each.kind + ", " + each.parallelism
    + (each.parallelism === 1 ? " task, " : " tasks, ") + each.description + (each.stateful ? ", keeps state" : "")]);
  for (const edge of run.plan.edges) {
    rows.push([edge.from + (edge.side ? " (" + edge.side + ")" : "") + " → " + edge.to + (edge.input > 0 ? " (second input)" : ""),
      edge.grouping + ", " + edge.tasksFrom + " → " + edge.tasksTo + ", " + (edge.fused ? "fused" : "not fused: " + edge.reason)]);
  }
  return new Map(rows);
}

function saidOf(run) {
  if (!run.doctor) {
    return new Map([["bound", "not judged"]]);
  }
  const rows = [["bound", run.doctor.bound ? run.doctor.bound.text : run.doctor.problem || "not judged"]];
  for (const finding of run.doctor.findings || []) {
    const where = finding.task || finding.operator;
    rows.push([finding.rule + (where ? " in " + where : ""), finding.why + "; " + finding.remedy
      + (finding.option ? " (" + finding.option + ")" : "")]);
  }
  return new Map(rows);
}

function show() {
  at("chosen-section").hidden = shown.length === 0;
  if (shown.length === 0) {
    return;
  }
  const two = shown.length === 2;
  at("chosen-title").textContent = two
    ? shown[0].topology + (shown[1].topology === shown[0].topology ? "" : " and " + shown[1].topology) + ": two runs"
    : shown[0].topology + ", run of " + when(shown[0].startedMs);
  showMeasures();
  at("key-first").textContent = when(shown[0].startedMs);
  at("key-second").hidden = !two;
  at("key-second").textContent = two ? when(shown[1].startedMs) : "";
  draw();
  const settings = compared(shown.map(settingsOf), false);
  at("no-settings").hidden = settings.length > 0;
  table(at("settings"), heads("Name", "long"), settings);
  const plan = compared(shown.map(planOf), two);
  at("same-plan").hidden = !two;
  at("same-plan").textContent = plan.length === 0 ? "Both runs have the same plan." : "Only what differs.";
  table(at("plan"), heads("Part", "long"), plan.slice(0, PLAN_ROWS));
  table(at("said"), heads("", "long"), compared(shown.map(saidOf), false));
}

function draw() {
  const canvas = at("course");
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue(name).trim();
  const courses = shown.map(run => {
    const course = [];
    let was = [0, 0];
    for (let i = 0; i < run.points.length; i += 3) {
      const [ms, records] = [run.points[i], run.points[i + 1]];
      if (ms > was[0]) {
        course.push([ms, Math.max(0, records - was[1]) * 1000 / (ms - was[0])]);
        was = [ms, records];
      }
    }
    return course;
  });
  const longest = Math.max(1, ...courses.flat().map(point => point[0]));
  const most = Math.max(1, ...courses.flat().map(point => point[1]));
  const [left, bottom, top] = [58, 18, 8];
  const x = ms => left + ms / longest * (width - left - 4);
  const y = value => height - bottom - value / most * (height - bottom - top);
  pen.font = "11px system-ui, sans-serif";
  pen.fillStyle = colour("--quiet");
  pen.strokeStyle = colour("--line");
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const value of [0, most / 2, most]) {
    pen.fillText(short(value), left - 6, y(value));
    pen.beginPath();
    pen.moveTo(left, Math.round(y(value)) + 0.5);
    pen.lineTo(width, Math.round(y(value)) + 0.5);
    pen.stroke();
  }
  pen.textBaseline = "alphabetic";
  pen.fillText(span(longest), width - 4, height - 4);
  courses.forEach((course, i) => {
    pen.strokeStyle = colour(i === 0 ? "--in" : "--out");
    pen.setLineDash(i === 0 ? [] : [6, 3]);
    pen.lineWidth = 2;
    pen.beginPath();
    course.forEach(([ms, value], k) => {
      if (k === 0) {
        pen.moveTo(x(ms), y(value));
      } else {
        pen.lineTo(x(ms), y(value));
      }
    });
    pen.stroke();
    pen.lineWidth = 1;
  });
  pen.setLineDash([]);
}

function close() {
  const back = chosen[chosen.length - 1];
  chosen = [];
  load();
  const where = [...at("runs").querySelectorAll("input")].find(each => each.value === back);
  (where || at("past-title")).focus();
}

at("chosen-close").addEventListener("click", close);
at("tuning-close").addEventListener("click", closeTuning);
document.addEventListener("keydown", event => {
  if (event.key !== "Escape" || event.ctrlKey || event.altKey || event.metaKey) {
    return;
  }
  if (chosenTuning !== "") {
    closeTuning();
  } else if (chosen.length > 0) {
    close();
  }
});
function redraw() {
  if (shown.length > 0) {
    draw();
  }
}
window.addEventListener("resize", redraw);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
turn();
