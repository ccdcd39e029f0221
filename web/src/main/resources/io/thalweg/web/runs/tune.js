// SPDX-License-Identifier: Apache-2.0
// Asks each second how far a tuning is, and shows it.
import { span } from "./text.js";
import { showTuning } from "./steps.js";

const PERIOD = 1000;
const at = id => document.getElementById(id);

let paused = false;
let last = null;
let shown = "";
let failures = 0;

async function turn() {
  try {
    if (!paused && !document.hidden) {
      const answer = await fetch("api/tuning", { cache: "no-store" });
      const said = await answer.json().catch(() => ({}));
      if (!answer.ok) {
        throw new Error(said.error || "the answer is " + answer.status);
      }
      show(said);
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

function notice(text, calm) {
  at("notice").hidden = text === "";
  at("notice").classList.toggle("calm", Boolean(calm));
  if (at("notice").textContent !== text) {
    at("notice").textContent = text;
  }
}

function tellLost(problem) {
  if (last === null) {
    notice("Nothing can be shown: " + problem.message + ".");
  } else if (last.over) {
    notice("The tuning has ended (" + last.state + "). What is shown is how it ended.", last.state !== "FAILED");
  } else {
    at("state").textContent = "NO ANSWER";
    at("state").className = "pill";
    notice("thalweg tune does not answer any more: it has ended, or cannot be reached. What is shown is of "
      + new Date(last.changedMs).toLocaleTimeString() + ".");
  }
}

function show(tuning) {
  last = tuning;
  document.title = tuning.topology + " · tune · " + tuning.state.toLowerCase();
  at("job").textContent = tuning.topology;
  at("state").textContent = tuning.state;
  at("state").className = "pill " + tuning.state;
  at("since").textContent = "for " + span(tuning.elapsedMs);
  notice(tuning.over ? "The tuning has ended (" + tuning.state + ")." : "", tuning.state !== "FAILED");
  const text = JSON.stringify({ ...tuning, changedMs: 0, elapsedMs: 0 });
  if (text !== shown) { // so that what is selected stays so
    shown = text;
    showTuning(at("tuning"), tuning);
  }
}

function pause() {
  paused = !paused;
  at("pause").setAttribute("aria-pressed", String(paused));
  at("pause").textContent = paused ? "Continue page" : "Pause page";
}

at("pause").addEventListener("click", pause);
document.addEventListener("keydown", event => {
  if ((event.key === "p" || event.key === "P") && !event.ctrlKey && !event.altKey && !event.metaKey) {
    pause();
  }
});
turn();
