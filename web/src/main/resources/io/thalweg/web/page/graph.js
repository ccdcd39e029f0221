// SPDX-License-Identifier: Apache-2.0
// The chains as boxes, and the edges between them. The server says the layer and the place of each; here they become columns where there
// is width, and rows where there is not.
import { count, element, percent, rate, short } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 236;
const NARROW = 172;
const ACROSS = 104;
const BETWEEN = 26;
const DOWN = 62;
const MARGIN = 8;
const BACK = 36;
const MOST_OPERATORS = 6;
const LEAST_SCALE = 0.7;

export class Graph {
  constructor(place, edges, scroll, choose) {
    this.at = place;
    this.svg = edges;
    this.scroll = scroll;
    this.choose_ = choose;
    this.boxes = [];
    this.links = [];
    this.plan = null;
    this.width = WIDTH;
  }

  draw(plan) {
    this.plan = plan;
    this.boxes.forEach(box => box.button.remove());
    const operators = new Map(plan.operators.map(each => [each.name, each]));
    this.boxes = plan.chains.map((chain, i) => this.box(operators, chain, i));
    this.links = plan.links.map(link => {
      const path = document.createElementNS(SVG, "path");
      const head = document.createElementNS(SVG, "path");
      head.setAttribute("class", "head");
      const text = document.createElementNS(SVG, "text");
      const side = document.createElementNS(SVG, "text");
      side.setAttribute("class", "side");
      side.textContent = link.side || link.grouping.split(" ").slice(0, 2).join(" ");
      return { link, path, head, text, side, twins: [] };
    });
    const between = new Map(); // the links from one chain to another
    for (const each of this.links) {
      const ends = each.link.from + " " + each.link.to;
      each.twins = between.get(ends) || [];
      each.twins.push(each);
      between.set(ends, each.twins);
    }
    this.svg.replaceChildren(...this.links.flatMap(each => [each.path, each.head]), ...this.links.flatMap(each => [each.text, each.side]));
    this.place();
  }

  box(operators, chain, i) {
    const button = element("button", "", "chain");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    for (const name of chain.operators.slice(0, MOST_OPERATORS)) {
      const operator = operators.get(name);
      const line = element("span", name, "op");
      line.title = operator ? operator.kind + " " + name + ": " + operator.description : name;
      if (operator && operator.kind !== name) {
        line.append(" ", element("span", operator.kind));
      }
      button.append(line);
    }
    if (chain.operators.length > MOST_OPERATORS) {
      button.append(element("span", "and " + (chain.operators.length - MOST_OPERATORS) + " more", "rate"));
    }
    const rates = element("span", "", "rate");
    const bar = element("span", "", "bar");
    const pieces = ["busy", "held", "wait"].map(name => element("i", "", name));
    bar.append(...pieces);
    const share = element("span", "", "share");
    const queue = element("span", "", "queue");
    const fill = element("span", "", "bar");
    const filled = element("i", "", "fill");
    fill.append(filled);
    const queued = document.createTextNode("");
    queue.append(fill, queued);
    const marks = element("span", "", "marks");
    button.append(rates, bar, share, queue, marks);
    button.addEventListener("click", () => this.choose_(i));
    button.addEventListener("keydown", event => this.move(event, i));
    this.at.append(button);
    return { chain, button, rates, pieces, share, queue, fill, filled, queued, marks, x: 0, y: 0, height: 0 };
  }

  // To the nearest box in that direction.
  move(event, from) {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (!way) {
      return;
    }
    event.preventDefault();
    const start = this.boxes[from];
    let best = -1;
    let least = Infinity;
    this.boxes.forEach((box, i) => {
      const x = box.x - start.x;
      const y = box.y + box.height / 2 - start.y - start.height / 2;
      const along = x * way[0] + y * way[1];
      const aside = Math.abs(x * way[1]) + Math.abs(y * way[0]);
      if (i !== from && along > 1 && along + 2 * aside < least) {
        least = along + 2 * aside;
        best = i;
      }
    });
    if (best >= 0) {
      this.focus(best);
    }
  }

  focus(i) {
    this.boxes[i].button.focus();
  }

  choose(chosen) {
    this.boxes.forEach((box, i) => box.button.setAttribute("aria-pressed", String(i === chosen)));
  }

  place() {
    if (this.plan === null) {
      return;
    }
    const plan = this.plan;
    const room = this.scroll.clientWidth;
    const across = plan.layers * WIDTH + (plan.layers - 1) * ACROSS + 2 * MARGIN;
    const down = room < 640 || across * LEAST_SCALE > room && plan.breadth * (WIDTH + BETWEEN) < across;
    this.width = down && room < 640 ? NARROW : WIDTH;
    this.at.classList.toggle("narrow", this.width === NARROW);
    this.boxes.forEach(box => {
      box.height = box.button.offsetHeight;
    });
    const tallest = this.boxes.reduce((most, box) => Math.max(most, box.height), 1);
    const tops = [];
    if (down) {
      const heights = new Array(plan.layers).fill(0);
      for (const box of this.boxes) {
        heights[box.chain.at[0]] = Math.max(heights[box.chain.at[0]], box.height);
      }
      let y = MARGIN;
      for (const height of heights) {
        tops.push(y);
        y += height + DOWN;
      }
      tops.push(y);
    }
    this.boxes.forEach(box => {
      const [layer, slot] = box.chain.at;
      if (down) {
        box.x = MARGIN + slot * (this.width + BETWEEN);
        box.y = tops[layer];
      } else {
        box.x = MARGIN + layer * (WIDTH + ACROSS);
        box.y = MARGIN + slot * (tallest + BETWEEN) + (tallest - box.height) / 2;
      }
      box.button.style.left = box.x + "px";
      box.button.style.top = box.y + "px";
    });
    const back = plan.links.some(link => link.feedback) ? BACK : 0;
    const width = down ? 2 * MARGIN + plan.breadth * this.width + (plan.breadth - 1) * BETWEEN + back : across;
    const height = down ? tops[plan.layers] - DOWN + MARGIN : 2 * MARGIN + plan.breadth * tallest + (plan.breadth - 1) * BETWEEN + back;
    const scale = Math.max(LEAST_SCALE, Math.min(1, room / width));
    this.at.style.width = width * scale + "px";
    this.at.style.height = height * scale + "px";
    this.at.style.transformOrigin = "0 0";
    this.svg.setAttribute("width", String(width));
    this.svg.setAttribute("height", String(height));
    this.scaled(scale);
    this.links.forEach(each => this.route(each, down, tops, tallest));
  }

  // The boxes and the edges shrink, the place that they take was computed for it.
  scaled(scale) {
    for (const each of [this.svg, ...this.boxes.map(box => box.button)]) {
      each.style.transform = scale === 1 ? "" : "scale(" + scale + ")";
      each.style.transformOrigin = "0 0";
    }
    if (scale !== 1) {
      this.boxes.forEach(box => {
        box.button.style.left = box.x * scale + "px";
        box.button.style.top = box.y * scale + "px";
      });
    }
  }

  route(each, down, tops, tallest) {
    const from = this.boxes[each.link.from];
    const to = this.boxes[each.link.to];
    const aside = (each.twins.indexOf(each) - (each.twins.length - 1) / 2) * 24;
    if (each.link.feedback) {
      this.routeBack(each, from, to, down);
      return;
    }
    const points = [];
    if (down) {
      points.push([from.x + this.width / 2 + aside, from.y + from.height]);
      for (const [layer, slot] of each.link.points.slice(1, -1)) {
        points.push([MARGIN + slot * (this.width + BETWEEN) + this.width / 2, tops[layer]]);
        points.push([MARGIN + slot * (this.width + BETWEEN) + this.width / 2, tops[layer + 1] - DOWN]);
      }
      points.push([to.x + this.width / 2 + aside, to.y]);
    } else {
      points.push([from.x + this.width, from.y + from.height / 2 + aside]);
      for (const [layer, slot] of each.link.points.slice(1, -1)) {
        const y = MARGIN + slot * (tallest + BETWEEN) + tallest / 2;
        points.push([MARGIN + layer * (WIDTH + ACROSS), y], [MARGIN + layer * (WIDTH + ACROSS) + this.width, y]);
      }
      points.push([to.x, to.y + to.height / 2 + aside]);
    }
    let text = "M" + points[0].join(",");
    for (let i = 1; i < points.length; i++) {
      const [x0, y0] = points[i - 1];
      const [x1, y1] = points[i];
      const bend = down ? [x0, (y0 + y1) / 2, x1, (y0 + y1) / 2] : [(x0 + x1) / 2, y0, (x0 + x1) / 2, y1];
      text += i % 2 === 0 ? "L" + x1 + "," + y1 : "C" + bend.join(",") + "," + x1 + "," + y1;
    }
    each.path.setAttribute("d", text);
    const [x, y] = points[points.length - 1];
    each.head.setAttribute("d", down ? `M${x},${y}l-5,-9h10z` : `M${x},${y}l-9,-5v10z`);
    const [a, b] = [points[points.length - 2], points[points.length - 1]];
    const middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    each.text.setAttribute("x", String(middle[0]));
    each.text.setAttribute("y", String(middle[1] - 3));
    each.side.setAttribute("x", String(middle[0]));
    each.side.setAttribute("y", String(middle[1] + 13));
  }

  // Beside the boxes, from the end of one to the beginning of the other, which may be the same.
  routeBack(each, from, to, down) {
    const [x0, y0] = down ? [from.x + this.width, from.y + from.height / 2 + 8] : [from.x + this.width / 2 + 20, from.y + from.height];
    const [x1, y1] = down ? [to.x + this.width, to.y + to.height / 2 - 8] : [to.x + this.width / 2 - 20, to.y + to.height];
    const far = down ? Math.max(x0, x1) + BACK : Math.max(y0, y1) + BACK;
    each.path.setAttribute("d", `M${x0},${y0}C` + (down ? `${far},${y0},${far},${y1}` : `${x0},${far},${x1},${far}`) + `,${x1},${y1}`);
    each.path.setAttribute("stroke-dasharray", "5 4");
    each.head.setAttribute("d", down ? `M${x1},${y1}l9,-5v10z` : `M${x1},${y1}l-5,9h10z`);
    for (const [text, below] of [[each.text, -3], [each.side, 13]]) {
      text.setAttribute("x", String(down ? far : (x0 + x1) / 2));
      text.setAttribute("y", String((down ? (y0 + y1) / 2 : far - BACK / 4) + below));
    }
  }

  show(state) {
    state.chains.forEach((now, i) => this.fill(this.boxes[i], now));
    this.links.forEach((each, i) => {
      const now = state.edges[i];
      each.text.textContent = now === null ? "" : rate(now);
      each.path.setAttribute("stroke-width", (1.2 + (now ? Math.log10(1 + now) / 2 : 0)).toFixed(1));
    });
    if (this.boxes.some(box => box.button.offsetHeight !== box.height)) {
      this.place();
    }
  }

  fill(box, now) {
    const rest = Math.max(0, 1 - now.busy - now.heldBack - now.waiting);
    const kind = [["busy", now.busy], ["held", now.heldBack], ["wait", now.waiting], ["thread", rest]].reduce((a, b) => b[1] > a[1] ? b : a)[0];
    box.button.classList.remove("busy", "held", "wait");
    if (kind !== "thread") {
      box.button.classList.add(kind);
    }
    const tasks = now.tasks || box.chain.parallelism;
    box.rates.replaceChildren("×" + tasks + " · ", element("b", short(now.in)), " in · ", element("b", short(now.out)), " out");
    [now.busy, now.heldBack, now.waiting].forEach((share, i) => {
      box.pieces[i].style.width = (100 * share).toFixed(1) + "%";
    });
    box.share.textContent = "busy " + percent(now.busy) + (now.heldBack >= 0.005 ? " · back-pressured " + percent(now.heldBack) : "");
    box.queue.style.display = now.room > 0 || now.queued > 0 ? "" : "none";
    box.fill.style.display = now.room > 0 ? "" : "none";
    box.filled.style.width = now.room > 0 ? Math.min(100, 100 * now.queued / now.room).toFixed(1) + "%" : "0";
    box.queued.textContent = now.room > 0 ? "queues " + percent(now.queued / now.room) + " full" : count(now.queued) + " batches queued";
    const marks = [];
    if (now.skew >= 1.5 && now.tasks > 1) {
      marks.push("skew " + now.skew.toFixed(1) + "×");
    }
    if (now.bad > 0) {
      marks.push(short(now.bad) + " bad");
    }
    if (now.late > 0) {
      marks.push(short(now.late) + " late");
    }
    box.marks.textContent = marks.join(" · ");
  }
}
