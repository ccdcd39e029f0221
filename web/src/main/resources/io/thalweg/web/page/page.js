// SPDX-License-Identifier: Apache-2.0
// Asks the job each second how it is doing and shows it. All that comes from the job is set as text, never as HTML.
import { Graph } from "./graph.js";
import { drawHeat, drawRates } from "./charts.js";
import { showControl } from "./control.js";
import { showDoctor } from "./doctor.js";
import { bytes, count, element, moment, percent, rate, span, time, us } from "./text.js";

const PERIOD = 1000;
const MOST_COLUMNS = 600;
const at = id => document.getElementById(id);

const graph = new Graph(at("graph"), at("edges"), at("graph-scroll"), choose);
let plan = null;
let chosen = -1;
let paused = false;
let columns = [];
let upToUs = [];
let last = null;
let judged = 0;
let failures = 0;

async function ask(path) {
  const answer = await fetch(path, { cache: "no-store" });
  if (!answer.ok) {
    const said = await answer.json().catch(() => ({}));
    throw new Error(said.error || "the answer is " + answer.status);
  }
  return answer.json();
}

async function turn() {
  try {
    if (!paused && !document.hidden) {
      await refresh();
    }
    failures = 0;
  } catch (problem) {
    failures++;
    if (failures > 1 || last === null) {
      tellLost(problem);
    }
  }
  setTimeout(turn, failures > 3 ? 3 * PERIOD : PERIOD);
}

function newestColumn() {
  return columns.length > 0 ? columns[columns.length - 1].number : 0;
}

async function refresh() {
  if (plan === null) {
    const asked = await ask("api/plan");
    if (!asked.topology) {
      notice("The job is starting.", true);
      return;
    }
    plan = asked;
    showPlan();
  }
  const state = await ask("api/state?after=" + newestColumn() + "&chain=" + chosen + "&judged=" + judged);
  if (state.run !== plan.run || (state.chains && state.chains.length !== plan.chains.length)) {
    location.reload(); // another job listens here by now
    return;
  }
  if (!state.chains) {
    return;
  }
  last = state;
  const newest = newestColumn(); // an answer that was asked for at the same time may have brought the same
  columns = columns.concat(state.columns.filter(each => each.number > newest)).slice(-MOST_COLUMNS);
  if (state.upToUs.length > 0) {
    upToUs = state.upToUs;
  }
  if (state.doctor) {
    judged = state.judged;
    showDoctor(plan, state.doctor, hasEnded(state));
  }
  show(state);
}

function notice(text, calm) {
  const place = at("notice");
  place.hidden = text === "";
  place.classList.toggle("calm", Boolean(calm));
  if (place.textContent !== text) {
    place.textContent = text;
  }
}

function hasEnded(state) {
  return state.state !== "RUNNING" && state.state !== "RESTARTING";
}

function tellLost(problem) {
  if (last !== null && hasEnded(last)) {
    notice("The job has ended (" + last.state + "). What is shown is how it ended.", last.state !== "FAILED");
  } else if (last !== null) {
    at("state").textContent = "NO ANSWER";
    at("state").className = "pill";
    notice("The job does not answer any more: it has ended, or cannot be reached. What is shown is of "
        + new Date(last.epochMs).toLocaleTimeString() + ".");
  } else {
    notice("Nothing can be shown: " + problem.message + ".");
  }
}

function show(state) {
  document.title = plan.topology + " · " + state.state.toLowerCase();
  at("state").textContent = state.state;
  at("state").className = "pill " + state.state;
  at("since").textContent = "for " + span(state.elapsedMs);
  if (state.state === "RESTARTING") {
    notice("The job has failed; it starts again in a moment.");
  } else if (hasEnded(state)) {
    notice("The job has ended (" + state.state + ").", state.state !== "FAILED");
  } else if (state.restarts > 0) {
    notice("Restarted " + count(state.restarts) + (state.restarts === 1 ? " time" : " times")
        + (state.lastFailure ? "; last after: " + state.lastFailure : ""));
  } else {
    notice("");
  }
  showTotals(state);
  showControl(state, hasEnded(state));
  graph.show(state);
  showTasks(state);
  showTime(state);
  showSafety(state);
  showBad(state);
  showLost(state);
  showKept(state);
}

function tiles(list, values) {
  while (list.children.length > values.length) {
    list.lastChild.remove();
  }
  values.forEach(([name, value, more, alarm], i) => {
    let tile = list.children[i];
    if (!tile) {
      tile = element("div");
      tile.append(element("dt"), element("dd"));
      list.append(tile);
    }
    tile.className = alarm ? "alarm" : "";
    tile.children[0].textContent = name;
    tile.children[1].replaceChildren(value, element("small", more || ""));
  });
}

function showTotals(state) {
  const values = [
    ["Records in", count(state.in), rate(state.inRate)],
    ["Records out", count(state.out), rate(state.outRate)],
    ["Bad", count(state.bad), "", state.bad > 0],
    ["Late", count(state.late), "", state.late > 0],
    ...(plan.calls ? [["Open windows", count(state.windows), ""]] : []),
    ["Processor", state.process.cores.toFixed(2), "cores in use"],
    ["Heap", bytes(state.process.heapBytes), count(state.process.gcCount) + " GCs, " + span(state.process.gcMs)],
  ];
  if (state.lag !== undefined) {
    values.splice(2, 0, ["Behind", count(state.lag), "records not read yet"]);
  }
  tiles(at("totals"), values);
}

// Columns: [title, kind]; kind is "n" for numbers, "long" for long texts. A cell is a text, a node, or {text, alarm}.
function table(place, caption, heads, rows) {
  if (rows.length === 0) {
    place.replaceChildren();
    return;
  }
  const head = element("tr");
  head.append(...heads.map(([title, kind]) => {
    const cell = element("th", title, kind);
    cell.scope = "col";
    return cell;
  }));
  const body = element("tbody");
  for (const row of rows) {
    const line = element("tr");
    row.forEach((value, i) => {
      const cell = element("td", "", heads[i][1]);
      if (value && value.alarm) {
        cell.classList.add("alarm");
      }
      cell.append(value && value.text !== undefined ? value.text : value);
      line.append(cell);
    });
    body.append(line);
  }
  const top = element("thead");
  top.append(head);
  place.replaceChildren(...(caption ? [element("caption", caption)] : []), top, body);
}

function bar(part) {
  const all = element("span", "", "bar");
  for (const [name, share] of [["busy", part.busy], ["held", part.heldBack], ["wait", part.waiting]]) {
    const piece = element("i", "", name);
    piece.style.width = percent(share).replace(" ", "");
    all.append(piece);
  }
  all.title = shares(part);
  return all;
}

function shares(part) {
  return "busy " + percent(part.busy) + ", back-pressured " + percent(part.heldBack) + ", waiting " + percent(part.waiting);
}

function showTasks(state) {
  const section = at("tasks-section");
  section.hidden = chosen < 0;
  if (chosen < 0 || state.chain !== chosen) {
    return;
  }
  const chain = plan.chains[chosen];
  at("tasks-title").textContent = "Tasks of " + chain.operators.join(" + ") + (chain.runsAs ? " (" + chain.runsAs + ")" : "");
  const mean = state.tasks.reduce((sum, task) => sum + task.in, 0) / Math.max(1, state.tasks.length);
  const lag = state.tasks.some(task => task.lag !== undefined);
  const mark = number => ({ text: count(number), alarm: number > 0 });
  // Those that this engine tells.
  const known = [
    [["Task", "n"], task => String(task.index)],
    [["In/s", "n"], task => count(task.in)],
    [["Of mean", "n"], task => ({ text: mean > 0 ? percent(task.in / mean) : "", alarm: mean > 0 && task.in / mean >= 1.5 })],
    [["Out/s", "n"], task => count(task.out)],
    [["In", "n"], task => count(task.totalIn)],
    [["Out", "n"], task => count(task.totalOut)],
    [["Time", ""], bar],
    [["Busy", "n"], task => percent(task.busy)],
    [["Back-pressured", "n"], task => percent(task.heldBack)],
    [["Waiting", "n"], task => percent(task.waiting)],
    plan.queues && [["Queued", "n"], task => count(task.queued)],
    plan.calls && [["Longest call", "n"], task => us(task.longestMs * 1000)],
    plan.calls && [["Slow calls", "n"], task => mark(task.slowCalls)],
    [["Bad", "n"], task => mark(task.bad)],
    [["Late", "n"], task => mark(task.late)],
    plan.calls && [["Keys", "n"], task => count(task.keys)],
    plan.calls && [["State", "n"], task => bytes(task.stateBytes)],
    lag && [["Behind", "n"], task => task.lag === undefined ? "" : count(task.lag)],
    lag && [["Paused splits", "n"], task => count(task.heldSplits)],
  ].filter(Boolean);
  table(at("tasks"), state.chains[chosen].tasks > state.tasks.length ? "The first " + state.tasks.length + " tasks" : "",
    known.map(([head]) => head), state.tasks.map(task => known.map(([, cell]) => cell(task))));
}

function showTime(state) {
  drawRates(at("rates"), columns);
  const measured = columns.some(column => column.latencies.length > 0) || Boolean(state.latency);
  at("no-latency").hidden = measured;
  at("heat").hidden = !measured;
  if (measured) {
    const l = state.latency;
    at("latency").textContent = l ? "since the start: half below " + us(l.p50Us) + ", 99 % below " + us(l.p99Us) + ", longest " + us(l.maxUs) : "";
    drawHeat(at("heat"), columns, upToUs);
    at("heat").setAttribute("aria-label", "Latency over time; " + at("latency").textContent);
  }
}

function showSafety(state) {
  const newest = state.checkpoints[state.checkpoints.length - 1];
  const values = [];
  if (newest) {
    values.push(["Newest checkpoint", String(newest.number), span(Math.max(0, state.epochMs - newest.beganMs - newest.tookMs)) + " ago"]);
  }
  if (state.acks) {
    values.push(
      ["Pending", count(state.acks.pending), "not acked yet"],
      ["Acked", count(state.acks.acked), ""],
      ["Failed", count(state.acks.failed), "", state.acks.failed > 0],
      ["Timed out", count(state.acks.timedOut), "", state.acks.timedOut > 0],
      ["Given up", count(state.acks.givenUp), "", state.acks.givenUp > 0]);
    if (state.acks.complete) {
      values.push(["Until acked", us(state.acks.complete.p50Us), "99 % below " + us(state.acks.complete.p99Us)]);
    }
  }
  tiles(at("acks"), values);
  const option = name => plan.options.find(each => each.name === name && each.operator === "");
  const none = at("no-safe");
  none.hidden = values.length > 0;
  none.textContent = option("checkpoint-interval")
    ? "No checkpoint is complete yet; one is taken every " + option("checkpoint-interval").value + "."
    : "The job takes no checkpoints and does not ack records.";
  table(at("checkpoints"), "",
    [["Checkpoint", "n"], ["Began", ""], ["Took", "n"], ["Aligned", "n"], ["Paused", "n"], ["Size", "n"]],
    state.checkpoints.slice(-10).reverse().map(each => [String(each.number), time(each.beganMs), each.tookMs + " ms",
      each.alignedMs + " ms", each.pausedMs + " ms", bytes(each.bytes)]));
}

function showBad(state) {
  at("bad-summary").textContent = state.bad === 0 && state.late === 0 ? "None." : count(state.bad) + " bad, " + count(state.late) + " late.";
  table(at("bad"), "Bad records by reason; the example is the first of each",
    [["Records", "n"], ["Operator", ""], ["Reason", "long"], ["First at", "long"], ["Example", "long"]],
    state.badReasons.map(each => [count(each.count), each.operator, each.reason, each.place, each.example]));
  table(at("late"), "Late records by chain", [["Records", "n"], ["Chain", "long"]],
    state.chains.map((chain, i) => [chain.late, plan.chains[i].operators.join(" + ")]).filter(row => row[0] > 0)
      .map(([late, name]) => [count(late), name]));
  table(at("late-by"), "How late they were: how much more disorder would have had to be allowed for them",
    [["Records", "n"], ["Operator", ""], ["Half up to", "n"], ["99 % up to", "n"], ["All up to", "n"]],
    state.lateRecords.map(each => [count(each.count), each.operator, lateBy(each.halfMs), lateBy(each.mostMs), lateBy(each.allMs)]));
  table(at("late-samples"), "Some late records, the newest of each operator first; the stamp is the watermark of the split before the record",
    [["Operator", ""], ["Record", "long"], ["From", "long"], ["Event time", ""], ["Stamp", ""], ["Watermark", ""], ["Late by", "n"]],
    state.lateRecords.flatMap(each => each.samples.slice().reverse().map(sample => [each.operator, sample.record, sample.split,
      moment(sample.timeMs), moment(sample.stampMs), moment(sample.watermarkMs), lateBy(sample.lateByMs)])));
}

function lateBy(ms) {
  return ms ? us(ms * 1000) : "";
}

function showLost(state) {
  at("lost-section").hidden = state.connections.length === 0;
  table(at("lost"), "", [["Operator", ""], ["System", "long"], ["Now", ""], ["Lost", "n"], ["For", "n"], ["Last reason", "long"]],
    state.connections.map(each => [each.operator, each.system,
      each.lostForMs > 0 ? { text: "lost for " + span(each.lostForMs), alarm: true } : "available",
      count(each.timesLost) + "×", span(each.lostMs), each.reason]));
}

function showKept(state) {
  at("kept-section").hidden = state.kept.length === 0;
  table(at("kept"), "", [["Operator", ""], ["Keys", "n"], ["Bytes", "n"]],
    state.kept.map(each => [each.operator, count(each.keys), bytes(each.bytes)]));
}

function showPlan() {
  showDoctor(plan, null, false);
  at("job").textContent = plan.topology;
  at("runner").textContent = plan.runner + (plan.workers > 0 ? ", " + plan.workers + (plan.workers === 1 ? " thread" : " threads") : "");
  graph.draw(plan);
  table(at("operators"), "", [["Operator", ""], ["Kind", ""], ["Tasks", "n"], ["Description", "long"], ["State", ""]],
    plan.operators.map(each => [each.name, each.kind, String(each.parallelism), each.description, each.stateful ? "keeps state" : ""]));
  table(at("plan-edges"), "", [["From", ""], ["To", ""], ["Grouping", ""], ["Tasks", ""], ["Type", "long"], ["Fused", "long"]],
    plan.edges.map(each => [each.from + (each.side ? " (" + each.side + ")" : ""), each.to + (each.input > 0 ? " (second input)" : "") + (each.feedback ? " (feedback)" : ""),
      each.grouping, each.tasksFrom + " → " + each.tasksTo, each.type, each.fused ? "yes" : "no: " + each.reason]));
  table(at("options"), "", [["Option", ""], ["Value", "long"], ["Operator", ""]],
    plan.options.map(each => [each.name, each.value, each.operator]));
}

function choose(chain) {
  chosen = chosen === chain ? -1 : chain;
  graph.choose(chosen);
  at("tasks").replaceChildren();
  if (chosen >= 0) {
    at("tasks-title").textContent = "Tasks of " + plan.chains[chosen].operators.join(" + ");
  }
  at("tasks-section").hidden = chosen < 0;
  if (chosen >= 0 && !paused) {
    refresh().catch(() => {});
  }
}

function pause() {
  paused = !paused;
  at("pause").setAttribute("aria-pressed", String(paused));
  at("pause").textContent = paused ? "Continue page" : "Pause page";
}

at("pause").addEventListener("click", pause);
at("tasks-close").addEventListener("click", () => choose(chosen));
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "INPUT") {
    return;
  }
  if (event.key === "Escape" && chosen >= 0) {
    const back = chosen;
    choose(chosen);
    graph.focus(back);
  } else if (event.key === "p" || event.key === "P") {
    pause();
  }
});
function redraw() {
  if (last !== null) {
    graph.place();
    showTime(last);
  }
}
window.addEventListener("resize", redraw);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
turn();
