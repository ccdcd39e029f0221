// SPDX-License-Identifier: Apache-2.0
// What happened in the last minutes, drawn on canvases: a column for each second, the newest at the right.
import { short, us } from "./text.js";

const LEFT = 58;
const BOTTOM = 18;
const TOP = 6;
const WIDE = 300;
const NARROW = 120;
const LEAST = 60;

function prepare(canvas, known) {
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = "11px system-ui, sans-serif";
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue(name).trim();
  const most = width < 600 ? NARROW : WIDE;
  const shown = Math.min(most, Math.max(LEAST, Math.ceil(known / LEAST) * LEAST));
  return { pen, width, height, colour, shown, step: (width - LEFT) / shown };
}

function axis(area, columns) {
  const { pen, width, height, colour, shown, step } = area;
  pen.fillStyle = colour("--quiet");
  pen.strokeStyle = colour("--line");
  pen.textBaseline = "alphabetic";
  pen.beginPath();
  pen.moveTo(LEFT, height - BOTTOM + 0.5);
  pen.lineTo(width, height - BOTTOM + 0.5);
  pen.stroke();
  const every = shown <= LEAST ? 15 : shown <= NARROW ? 30 : 60;
  pen.textAlign = "right";
  pen.fillText("now", width, height - 4);
  pen.textAlign = "center";
  for (let back = every; back < shown; back += every) {
    pen.fillText(back % 60 === 0 ? "−" + back / 60 + " min" : "−" + back + " s", width - back * step, height - 4);
  }
  return columns.slice(-shown);
}

// The right edge of a column.
function right(area, columns, i) {
  return area.width - (columns.length - 1 - i) * area.step;
}

export function drawRates(canvas, all) {
  const area = prepare(canvas, all.length);
  const { pen, width, height, colour } = area;
  const columns = axis(area, all);
  const most = Math.max(1, ...columns.map(each => Math.max(each.in, each.out)));
  const y = value => height - BOTTOM - value / most * (height - BOTTOM - TOP - 4);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  pen.fillStyle = colour("--quiet");
  pen.strokeStyle = colour("--line");
  for (const value of [most / 2, most]) {
    pen.fillText(short(value), LEFT - 6, y(value));
    pen.beginPath();
    pen.moveTo(LEFT, Math.round(y(value)) + 0.5);
    pen.lineTo(width, Math.round(y(value)) + 0.5);
    pen.stroke();
  }
  for (const [name, key] of [["--out", "out"], ["--in", "in"]]) {
    pen.strokeStyle = colour(name);
    pen.lineWidth = 2;
    pen.beginPath();
    columns.forEach((column, i) => {
      const x = right(area, columns, i) - area.step / 2;
      if (i === 0) {
        pen.moveTo(x, y(column[key]));
      } else {
        pen.lineTo(x, y(column[key]));
      }
    });
    pen.stroke();
    pen.lineWidth = 1;
  }
}

export function drawHeat(canvas, all, upToUs) {
  const area = prepare(canvas, all.length);
  const { pen, height, colour, step } = area;
  const columns = axis(area, all);
  let least = upToUs.length;
  let most = 0;
  let densest = 1;
  for (const column of columns) {
    for (let i = 0; i < column.latencies.length; i += 2) {
      least = Math.min(least, column.latencies[i]);
      most = Math.max(most, column.latencies[i]);
      densest = Math.max(densest, column.latencies[i + 1]);
    }
  }
  if (most < least) {
    return;
  }
  least = Math.max(0, least - 1);
  most = Math.max(least + 7, most + 1);
  const rows = most - least + 1;
  const tall = (height - BOTTOM - TOP) / rows;
  const y = bucket => height - BOTTOM - (bucket - least) * tall;
  const heat = colour("--heat");
  columns.forEach((column, i) => {
    const to = Math.round(right(area, columns, i));
    const from = Math.round(right(area, columns, i) - step);
    for (let k = 0; k < column.latencies.length; k += 2) {
      const dense = densest > 1 ? Math.log(1 + column.latencies[k + 1]) / Math.log(1 + densest) : 1;
      pen.fillStyle = `rgba(${heat}, ${(0.12 + 0.88 * dense).toFixed(3)})`;
      const top = Math.round(y(column.latencies[k]) - tall);
      pen.fillRect(from, top, Math.max(1, to - from), Math.round(y(column.latencies[k])) - top);
    }
  });
  pen.fillStyle = colour("--quiet");
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const every = Math.max(1, Math.ceil(18 / tall));
  for (let bucket = least; bucket < most; bucket += every) {
    if (bucket < upToUs.length) {
      pen.fillText(us(upToUs[bucket] + 1), LEFT - 6, y(bucket + 1));
    }
  }
}
