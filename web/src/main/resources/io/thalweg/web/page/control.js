// SPDX-License-Identifier: Apache-2.0
// Orders for the job, for those who have the token that it printed. The token stays in this tab: the address loses it at once.
const at = id => document.getElementById(id);
const KEPT = "thalweg-control";
const IN_ADDRESS = "#control=";
const SURE_MS = 5000;

const buttons = [...document.querySelectorAll("#control button")];
const labels = new Map(buttons.map(button => [button, button.textContent]));
let sure = null;
let timer = 0;
let told = 0;

function takeFromAddress() {
  if (location.hash.startsWith(IN_ADDRESS)) {
    sessionStorage.setItem(KEPT, location.hash.slice(IN_ADDRESS.length));
    history.replaceState(null, "", location.pathname + location.search);
    at("control-ask").hidden = true;
  }
}

function token() {
  return at("control-token").value.trim() || sessionStorage.getItem(KEPT) || "";
}

function say(text, failed) {
  at("control-said").textContent = text;
  at("control-said").classList.toggle("alarm", Boolean(failed));
}

function calm() {
  clearTimeout(timer);
  if (sure) {
    sure.textContent = labels.get(sure);
    sure = null;
  }
}

// What ends the job is asked for twice.
function click(button) {
  const again = sure === button;
  calm();
  if (button.dataset.sure && !again) {
    sure = button;
    button.textContent = button.dataset.sure;
    timer = setTimeout(calm, SURE_MS);
    return;
  }
  send(button.dataset.order);
}

async function send(order) {
  say("…");
  try {
    const answer = await fetch("api/" + order, {
      method: "POST", cache: "no-store", headers: { "Thalweg-Control": token() },
    });
    const said = await answer.json().catch(() => ({}));
    if (answer.status === 401) {
      sessionStorage.removeItem(KEPT);
      at("control-ask").hidden = false;
      at("control-token").focus();
    } else if (token() !== "") {
      sessionStorage.setItem(KEPT, token());
      at("control-token").value = "";
      at("control-ask").hidden = true;
    }
    say(said.said || said.error || "The answer is " + answer.status, !answer.ok);
  } catch (problem) {
    say("The job does not answer: " + problem.message, true);
  }
}

// The state of a job that takes no orders has no order.
export function showControl(state, ended) {
  at("control").hidden = !state.order;
  at("reads").hidden = Boolean(state.order);
  if (!state.order) {
    return;
  }
  for (const button of buttons) {
    button.disabled = ended;
  }
  if (state.order.number > told) {
    told = state.order.number;
    say(state.order.text, state.order.failed);
  }
}

for (const button of buttons) {
  button.addEventListener("click", () => click(button));
}
window.addEventListener("hashchange", takeFromAddress);
at("control-ask").hidden = sessionStorage.getItem(KEPT) !== null;
takeFromAddress();
