// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.

// In place of a number that is missing, as in what another version has kept.
export const NONE = "–";

export function element(name, text, className) {
  const made = document.createElement(name);
  if (text) {
    made.textContent = text;
  }
  if (className) {
    made.className = className;
  }
  return made;
}

export function count(number) {
  return Number.isFinite(number) ? Math.round(number).toLocaleString("en-US") : NONE;
}

// Three digits, with k, M or G.
export function short(number) {
  if (!Number.isFinite(number)) {
    return NONE;
  }
  let value = Math.max(0, number);
  for (const unit of ["", "k", "M", "G"]) {
    if (value < 999.5) {
      return (value < 9.995 && unit ? value.toFixed(2) : value < 99.95 && (unit || value % 1 >= 0.05) ? value.toFixed(1) : value.toFixed(0)) + unit;
    }
    value /= 1000;
  }
  return value.toFixed(0) + "T";
}

export function rate(number) {
  return short(number) + "/s";
}

export function percent(share) {
  return Number.isFinite(share) ? Math.round(share * 100) + " %" : NONE;
}

// What a change is to bring; nothing where nobody knows.
export function gain(predicted) {
  return predicted && Number.isFinite(predicted.low) && Number.isFinite(predicted.high)
    ? predicted.low.toFixed(2) + " to " + predicted.high.toFixed(2) + " times the " + predicted.of : "";
}

export function bytes(number) {
  if (!Number.isFinite(number)) {
    return NONE;
  }
  for (const [unit, size] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
    if (number >= size) {
      return (number / size).toFixed(number / size < 10 ? 1 : 0) + " " + unit;
    }
  }
  return number + " B";
}

export function span(ms) {
  if (!Number.isFinite(ms)) {
    return NONE;
  }
  const s = ms / 1000;
  if (s < 10) {
    return s.toFixed(1) + " s";
  }
  if (s < 120) {
    return s.toFixed(0) + " s";
  }
  if (s < 7200) {
    return Math.floor(s / 60) + " min " + Math.floor(s % 60) + " s";
  }
  return Math.floor(s / 3600) + " h " + Math.floor(s % 3600 / 60) + " min";
}

export function us(number) {
  if (!Number.isFinite(number)) {
    return NONE;
  }
  for (const [unit, size] of [["s", 1e6], ["ms", 1e3]]) {
    if (number >= size) {
      const value = number / size;
      return (value < 10 ? Number(value.toFixed(1)) : value.toFixed(0)) + " " + unit;
    }
  }
  return Math.round(number) + " µs";
}

export function time(epochMs) {
  return new Date(epochMs).toLocaleTimeString();
}

// Of event time, in UTC; what no calendar has, such as the end of time, is a dash.
export function moment(epochMs) {
  return Math.abs(epochMs) <= 8.64e15 ? new Date(epochMs).toISOString() : "–";
}
