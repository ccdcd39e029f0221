// SPDX-License-Identifier: Apache-2.0
// Draws the charts of a report from the results embedded in it. No library, no network; whatever comes from the results is set
// as text, never as markup.
'use strict';
(() => {
  const root = document.documentElement;
  window.addEventListener('error', event => { root.dataset.error = event.message; });

  const results = JSON.parse(document.getElementById('results').textContent);
  const cells = results.cells;
  const SVG = 'http://www.w3.org/2000/svg';
  const ENGINES = ['thalweg', 'storm', 'jstorm', 'flink', 'jet', 'kstreams', 'kafka', 'hand'];
  const DASHES = ['', '7 3', '2 3', '9 3 2 3'];
  /** Below so many pixels, as on a phone, names stand above what they name. */
  const NARROW = 640;

  // ---- elements -----------------------------------------------------------------------------------------------------------

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== undefined && value !== null) node.setAttribute(name, value);
    }
    node.append(...children.filter(child => child !== null && child !== undefined));
    return node;
  }
  const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

  function canvas(width, height, title, description) {
    return svg('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}. ${description}`});
  }

  // ---- numbers ------------------------------------------------------------------------------------------------------------

  function digits(value) {
    if (!Number.isFinite(value)) return String(value);
    if (Math.abs(value) >= 999.5) return Math.round(value).toLocaleString('en-US');
    return String(Number(value.toPrecision(3)));
  }
  function count(value) {
    const scale = value >= 999.5e6 ? 1e9 : value >= 999.5e3 ? 1e6 : value >= 9995 ? 1e3 : 1;
    return digits(value / scale) + ({1e9: ' G', 1e6: ' M', 1e3: ' k'}[scale] || '');
  }
  function tick(value) {
    const scale = value >= 1e9 ? 1e9 : value >= 1e6 ? 1e6 : value >= 1e3 ? 1e3 : 1;
    return digits(value / scale) + ({1e9: ' G', 1e6: ' M', 1e3: ' k'}[scale] || '');
  }
  function time(us) {
    return us >= 999500 ? digits(us / 1e6) + ' s' : us >= 999.5 ? digits(us / 1e3) + ' ms' : digits(us) + ' µs';
  }
  const times = ratio => digits(ratio) + '×';
  const percent = value => digits(value) + ' %';
  const megabytes = value => digits(value) + ' MB';

  // ---- scales -------------------------------------------------------------------------------------------------------------

  function linear(values, from, to, {zero = true, integers = false} = {}) {
    let low = zero ? 0 : Math.min(...values);
    let high = Math.max(...values);
    if (high <= low) high = low + 1;
    const rough = (high - low) / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    let step = [1, 2, 2.5, 5, 10].map(n => n * power).find(n => n >= rough);
    if (integers) step = Math.max(1, Math.round(step));
    const ticks = [];
    if (zero) high = Math.ceil(high / step - 1e-9) * step;
    for (let t = Math.ceil(low / step - 1e-9) * step; t <= high + step * 1e-9; t += step) ticks.push(t);
    return Object.assign(v => from + (v - low) / (high - low) * (to - from), {ticks, low, high});
  }

  function log(values, from, to, {whole = false} = {}) {
    const positive = values.filter(v => v > 0);
    let low = Math.log10(Math.min(...positive));
    let high = Math.log10(Math.max(...positive));
    if (whole || high - low < 0.3) {
      low = Math.floor(low - 1e-9);
      high = Math.ceil(high + 1e-9);
    }
    const span = high - low;
    const every = Math.max(1, Math.ceil(span / 7));
    const ticks = [];
    for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
      if (power % every !== 0) continue;
      for (const n of span <= 2.2 ? [1, 2, 5] : [1]) {
        const at = Math.log10(n) + power;
        if (at >= low - 1e-9 && at <= high + 1e-9) ticks.push(n * 10 ** power);
      }
    }
    const scale = v => from + (Math.log10(Math.max(v, 10 ** low)) - low) / span * (to - from);
    return Object.assign(scale, {ticks, low: 10 ** low, high: 10 ** high});
  }

  // ---- colours: one hue an engine, one tone a variant -----------------------------------------------------------------------

  const variants = new Map(); // an engine may have the name of something that every object has, such as constructor
  for (const cell of cells) {
    const seen = variants.get(cell.engine) || [];
    if (!seen.includes(cell.variant)) variants.set(cell.engine, [...seen, cell.variant]);
  }
  const strangers = [...variants.keys()].filter(engine => !ENGINES.includes(engine));
  function look(engine, variant) {
    const hue = ENGINES.includes(engine) ? `var(--${engine})` : `var(--other${(6 + strangers.indexOf(engine)) % 8})`;
    const nth = Math.max(0, (variants.get(engine) || []).indexOf(variant));
    const share = [100, 62, 42][nth % 3];
    return {colour: share === 100 ? hue : `color-mix(in srgb, ${hue} ${share}%, var(--panel))`, dash: DASHES[nth % DASHES.length]};
  }
  const nameOf = cell => `${cell.engine} · ${cell.variant}`;
  const figureOf = cell => cell.valid ? cell.records_per_s : null;
  const claimOf = cell => cell.claim && cell.claim.records_per_s;
  const ratesOf = cell => cell.runs.filter(run => run.records_per_s > 0);
  const coresOf = cell => figureOf(cell) && cell.cpu_s_per_million !== null ? cell.cpu_s_per_million * figureOf(cell).median / 1e6 : null;
  const keepsRate = cell => !['0', undefined].includes(cell.settings.rate) && !('rate-search' in cell.settings);
  const unsettled = cell => cell.settled === false;
  const reasonOf = cell => (cell.testable ? '' : 'not testable here: ') + (cell.reason || 'no reason was recorded');

  // ---- tips ---------------------------------------------------------------------------------------------------------------

  const tip = html('div', {class: 'tip', hidden: ''});
  document.body.append(tip);
  function showTip(text, event) {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const right = event.clientX + 16 + box.width > innerWidth;
    tip.style.left = Math.max(4, right ? event.clientX - 16 - box.width : event.clientX + 16) + 'px';
    tip.style.top = Math.max(4, Math.min(event.clientY + 12, innerHeight - box.height - 4)) + 'px';
  }
  function withTip(node, text) {
    node.addEventListener('pointermove', event => showTip(text, event));
    node.addEventListener('pointerleave', () => { tip.hidden = true; });
    return node;
  }
  function describe(cell) {
    const figure = figureOf(cell);
    const lines = [`${cell.case} · ${nameOf(cell)}`];
    if (figure) {
      lines.push(`${count(figure.median)} records/s (${count(figure.min)} to ${count(figure.max)}, ${figure.runs} runs)`);
      if (figure.ci95 && !unsettled(cell)) lines.push(`95 % interval ${count(figure.ci95.low)} to ${count(figure.ci95.high)}`);
      if (cell.mb_per_s !== null) lines.push(`${digits(cell.mb_per_s)} MB/s`);
      if (cell.latency_us) lines.push(`latency p50 ${time(cell.latency_us.p50)}, p99 ${time(cell.latency_us.p99)}`);
    } else {
      lines.push(reasonOf(cell));
    }
    if (cell.claim && cell.claim.says) lines.push(`authors: ${cell.claim.says}` + (cell.testable && cell.ratio !== null ? `, here ${times(cell.ratio)}` : ''));
    if (figure && unsettled(cell)) lines.push('its rate had not settled: the figure is in no ratio');
    if (cell.why) lines.push(cell.why);
    return lines.join('\n');
  }

  // ---- parts of charts ----------------------------------------------------------------------------------------------------

  function swatch(colour, dash, dot, dotColour = colour) {
    return svg('svg', {viewBox: '0 0 26 10', 'aria-hidden': 'true'},
      svg('line', {x1: 0, x2: 26, y1: 5, y2: 5, stroke: colour, 'stroke-width': 2, 'stroke-dasharray': dash || null}),
      dot ? svg('circle', {cx: 13, cy: 5, r: 3, fill: dot === 'hollow' ? 'var(--panel)' : dotColour, stroke: dotColour}) : null);
  }
  const legend = entries => html('ul', {class: 'legend'}, ...entries.map(([mark, text]) => html('li', {}, mark, text)));

  function table(head, rows) {
    return html('details', {}, html('summary', {}, 'The figures of this chart as a table'),
      html('div', {class: 'wide'}, html('table', {},
        html('thead', {}, html('tr', {}, ...head.map(text => html('th', {scope: 'col'}, text)))),
        html('tbody', {}, ...rows.map(row => html('tr', {}, ...row.map(text => html('td', {}, String(text)))))))));
  }
  function figure(kind, title, subtitle, ...content) {
    return html('figure', {'data-chart': kind},
      html('figcaption', {}, title, subtitle ? html('small', {}, subtitle) : null), ...content);
  }
  function shorten(text, most) {
    return text.length <= most ? text : text.slice(0, most - 1) + '…';
  }

  /** Names of cases differ at their ends. */
  function ending(text, most) {
    return text.length <= most ? text : '…' + text.slice(1 - most);
  }

  // ---- dots: a point for each run, of cases that belong to no sweep -----------------------------------------------------------

  function dots(list, title, width) {
    const shown = list.filter(figureOf);
    const absent = reasons(list.filter(cell => !figureOf(cell)).map(cell => ({cell, x: cell.case})), '');
    if (!shown.length) return figure('none', title, '', absent);
    const groups = new Map();
    for (const cell of shown) groups.set(cell.case, [...groups.get(cell.case) || [], cell]);
    const claims = shown.map(claimOf).filter(v => v > 0);
    const narrow = width < NARROW;
    const left = narrow ? 16 : 20 + 6.6 * Math.max(...shown.map(cell => nameOf(cell).length));
    const right = narrow ? width - 16 : width - 110;
    const row = narrow ? 36 : 20, head = 22, gap = 10, top = 30;
    const height = top + [...groups.values()].reduce((sum, group) => sum + head + group.length * row + gap, 0) + 22;
    const values = [...shown.flatMap(cell => [figureOf(cell).median, ...ratesOf(cell).map(run => run.records_per_s)]), ...claims].filter(v => v > 0);
    const [low, high] = values.length ? [0.8 * Math.min(...values), 1.25 * Math.max(...values)] : [1, 10];
    const x = log([low, high], left, right, {whole: high / low < 4});
    const chart = canvas(width, height, title, `A point for each run, records a second on a logarithmic axis, ${shown.length} cells with a figure.`);
    for (const t of x.ticks) {
      chart.append(svg('line', {class: 'grid', x1: x(t), x2: x(t), y1: top - 6, y2: height - 24}),
        svg('text', {x: x(t), y: top - 12, 'text-anchor': 'middle'}, tick(t)),
        svg('text', {x: x(t), y: height - 8, 'text-anchor': 'middle'}, tick(t)));
    }
    let y = top;
    for (const [name, group] of groups) {
      chart.append(svg('text', {class: 'case', x: 0, y: y + 15}, ending(name, Math.floor(width / 7))));
      y += head;
      for (const cell of group) {
        dotRow(chart, cell, x, y, {left, right, width, narrow});
        y += row;
      }
      y += gap;
    }
    const mark = (...parts) => svg('svg', {viewBox: '0 0 26 10', 'aria-hidden': 'true'}, ...parts);
    const entries = [[mark(svg('circle', {class: 'run', cx: 13, cy: 5, r: 3.6, fill: 'var(--ink)', stroke: 'var(--ink)'})), 'a run'],
      [mark(svg('line', {class: 'median', x1: 13, x2: 13, y1: 0, y2: 10})), 'median of the runs that count']];
    if (shown.some(cell => figureOf(cell).ci95)) {
      entries.push([mark(svg('line', {class: 'interval', stroke: 'var(--ink)', x1: 2, x2: 24, y1: 5, y2: 5})), '95 % interval of their mean']);
    }
    if (shown.some(cell => ratesOf(cell).some(run => !run.settled))) {
      entries.push([mark(svg('circle', {class: 'run hollow', cx: 13, cy: 5, r: 3.6, fill: 'var(--panel)', stroke: 'var(--ink)'})), 'a run that had not settled']);
    }
    if (claims.length) entries.push([mark(diamond(13, 5, 'var(--ink)')), 'the authors’ figure']);
    return figure('dots', title, 'Records a second, a point for each run; logarithmic axis.', chart, legend(entries), absent,
      table(['case', 'engine', 'variant', 'records/s', '95 % interval', 'authors'], shown.map(cell => [cell.case, cell.engine, cell.variant,
        count(figureOf(cell).median), intervalOf(cell), cell.claim && cell.claim.says || 'no claim'])));
  }

  function intervalOf(cell) {
    const {ci95} = figureOf(cell);
    return unsettled(cell) ? 'not settled' : ci95 ? `${count(ci95.low)} to ${count(ci95.high)}` : 'too few runs';
  }

  function diamond(cx, cy, colour) {
    return svg('path', {class: 'claim-point', stroke: colour, d: `M${cx - 5},${cy}L${cx},${cy - 5}L${cx + 5},${cy}L${cx},${cy + 5}Z`});
  }

  /** Where there is little room, the name stands above its points. */
  function dotRow(chart, cell, x, y, {left, right, width, narrow}) {
    const found = figureOf(cell);
    const {colour} = look(cell.engine, cell.variant);
    const at = narrow ? y + 26 : y + 10, base = y + 14;
    const says = describe(cell);
    const inside = v => x(Math.min(x.high, Math.max(x.low, v)));
    chart.append(
      svg('text', {class: 'label', x: narrow ? 8 : left - 12, y: base, 'text-anchor': narrow ? null : 'end'},
        narrow ? shorten(nameOf(cell), Math.floor((width - 110) / 6.6)) : nameOf(cell)),
      withTip(svg('text', {class: 'label', x: width - 2, y: base, 'text-anchor': 'end'}, count(found.median) + (unsettled(cell) ? ' unsettled' : '')), says),
      svg('line', {class: 'grid', x1: left, x2: right, y1: at, y2: at}));
    if (found.ci95 && !unsettled(cell)) {
      chart.append(withTip(svg('line', {class: 'interval', stroke: colour, x1: inside(found.ci95.low), x2: inside(found.ci95.high), y1: at, y2: at}), says));
    }
    for (const run of ratesOf(cell)) {
      chart.append(withTip(svg('circle', {class: run.settled ? 'run' : 'run hollow', cx: x(run.records_per_s), cy: at, r: 3.6,
        fill: run.settled ? colour : 'var(--panel)', stroke: colour}),
      `${says}\nthis run: ${count(run.records_per_s)} records/s${run.settled ? '' : ', not settled'}`));
    }
    chart.append(svg('line', {class: 'median', x1: inside(found.median), x2: inside(found.median), y1: at - 7, y2: at + 7}));
    if (claimOf(cell) > 0) chart.append(withTip(diamond(x(claimOf(cell)), at, 'var(--ink)'), says));
  }

  // ---- lines: a sweep over one setting ----------------------------------------------------------------------------------------

  /** Cases whose names differ only in a number, as in `layers=3`; the rest are of no sweep. */
  function families(list) {
    const all = new Map(), plain = [];
    for (const cell of list) {
      const [, name, x, value] = /^(.*?)[ .,]*([\w-]+)=(\S+)$/.exec(cell.case) || [];
      if (x === undefined || !Number.isFinite(Number(value))) {
        plain.push(cell);
        continue;
      }
      const family = all.get(`${name} ${x}`) || {name, x, points: []};
      family.points.push({cell, x: Number(value)});
      all.set(`${name} ${x}`, family);
    }
    const sweeps = [];
    for (const family of all.values()) {
      if (new Set(family.points.map(p => p.x)).size > 1) sweeps.push(family);
      else plain.push(...family.points.map(p => p.cell));
    }
    return {sweeps, plain};
  }

  /** Of these there is nothing between two values, so no line joins them: how many run side by side, and how many must confirm. */
  const CATEGORIES = ['acks', 'ackers', 'brokers', 'partitions', 'processes', 'producers', 'relays', 'replicas', 'sinks', 'sources', 'tasks', 'threads'];

  function p99Of(cell) {
    const runs = cell.runs.filter(run => run.latency_us && (run.settled || unsettled(cell))).map(run => run.latency_us.p99);
    return figureOf(cell) && cell.latency_us && runs.length
      ? {median: cell.latency_us.p99, min: Math.min(...runs), max: Math.max(...runs), runs: runs.length} : null;
  }

  function sweep({name, x, points}, width) {
    if (points.some(p => keepsRate(p.cell) && p99Of(p.cell))) {
      return [lineChart(points, x, name, 'p99 latency', p99Of, () => null, time, width)];
    }
    const charts = [lineChart(points, x, name, 'records/s', figureOf, claimOf, count, width)];
    if (/byte|payload|size/i.test(x) && points.some(p => p.cell.mb_per_s !== null)) {
      const mb = cell => cell.mb_per_s / cell.records_per_s.median;
      const has = cell => figureOf(cell) && cell.mb_per_s !== null;
      charts.push(lineChart(points, x, name, 'MB/s', cell => !has(cell) ? null
        : {median: cell.mb_per_s, min: cell.records_per_s.min * mb(cell), max: cell.records_per_s.max * mb(cell), runs: cell.records_per_s.runs},
        cell => has(cell) && claimOf(cell) ? claimOf(cell) * mb(cell) : null, digits, width));
    }
    return charts;
  }

  function lineChart(list, xKey, name, unit, valueOf, claimOf, show, room) {
    const joined = !CATEGORIES.includes(xKey);
    const series = new Map();
    for (const {cell, x} of list) {
      const line = series.get(nameOf(cell)) || {key: nameOf(cell), engine: cell.engine, ...look(cell.engine, cell.variant), points: []};
      line.points.push({x, cell, found: valueOf(cell), claim: claimOf(cell)});
      series.set(line.key, line);
    }
    const all = [...series.values()];
    all.forEach(line => line.points.sort((a, b) => a.x - b.x));
    const points = all.flatMap(line => line.points);
    const heading = (name ? name + ': ' : '') + `${unit} by ${xKey}`;
    const values = points.flatMap(p => [p.found && p.found.min, p.found && p.found.max, p.claim]).filter(v => v > 0);
    const absent = points.filter(p => !p.found);
    if (!values.length) {
      return figure('none', heading, '', reasons(absent, xKey));
    }
    const width = Math.min(620, room), height = 330, left = 66, bottom = height - 44;
    const xs = [...new Set(points.map(p => p.x))].sort((a, b) => a - b);
    const wideX = joined && xs[0] > 0 && xs[xs.length - 1] / xs[0] >= 20;
    const step = (width - 20 - left) / xs.length;
    const x = wideX ? log(xs, left + 14, width - 20) : joined ? linear(xs, left + 14, width - 20, {zero: false})
      : value => left + (xs.indexOf(value) + 0.5) * step;
    // Points of one category stand side by side.
    const beside = line => joined ? 0 : (all.indexOf(line) - (all.length - 1) / 2) * Math.min(9, 0.7 * step / all.length);
    const wideY = Math.max(...values) / Math.min(...values) > 25;
    const y = wideY ? log(values, bottom, 14, {whole: true}) : linear(values, bottom, 14);
    const chart = canvas(width, height, heading, `${joined ? 'Lines' : 'Points'} over ${xKey}: ${all.map(line => line.key).join(', ')}.`);
    for (const t of y.ticks) {
      chart.append(svg('line', {class: 'grid', x1: left, x2: width - 6, y1: y(t), y2: y(t)}),
        svg('text', {x: left - 8, y: y(t) + 4, 'text-anchor': 'end'}, show === time ? time(t) : tick(t)));
    }
    let lastTick = -99;
    for (const value of xs) {
      chart.append(svg('line', {class: 'axis', x1: x(value), x2: x(value), y1: bottom, y2: bottom + 4}));
      if (x(value) - lastTick > 34) {
        chart.append(svg('text', {x: x(value), y: bottom + 18, 'text-anchor': 'middle'}, tick(value)));
        lastTick = x(value);
      }
    }
    chart.append(svg('line', {class: 'axis', x1: left, x2: width - 6, y1: bottom, y2: bottom}),
      svg('text', {x: (left + width) / 2, y: height - 6, 'text-anchor': 'middle'}, xKey + (wideX ? ' (logarithmic)' : '')),
      svg('text', {x: 12, y: (bottom + 14) / 2, 'text-anchor': 'middle', transform: `rotate(-90 12 ${(bottom + 14) / 2})`},
        unit + (wideY ? ' (logarithmic)' : '')));
    const path = (some, value) => 'M' + some.map(p => `${x(p.x).toFixed(1)},${y(value(p)).toFixed(1)}`).join('L');
    for (const line of all) {
      const claimed = line.points.filter(p => p.claim);
      if (joined && claimed.length > 1) chart.append(svg('path', {class: 'claim', stroke: line.colour, d: path(claimed, p => p.claim)}));
      for (const p of claimed) {
        chart.append(withTip(svg('circle', {class: 'claim-point', stroke: line.colour, cx: x(p.x) + beside(line), cy: y(p.claim), r: 3.2}), describe(p.cell)));
      }
    }
    for (const line of all) {
      const found = line.points.filter(p => p.found);
      if (!found.length) continue;
      if (joined) {
        chart.append(svg('path', {class: 'line', stroke: line.colour, 'stroke-dasharray': line.dash || null, d: path(found, p => p.found.median)}));
      }
      for (const p of found) {
        const at = x(p.x) + beside(line);
        if (p.found.runs > 1) {
          chart.append(svg('line', {x1: at, x2: at, y1: y(p.found.min), y2: y(p.found.max), stroke: line.colour, 'stroke-width': 1.2}));
        }
        chart.append(withTip(svg('circle', {class: unsettled(p.cell) ? 'point hollow' : 'point', fill: unsettled(p.cell) ? 'var(--panel)' : line.colour,
          stroke: line.colour, cx: at, cy: y(p.found.median), r: 3.6}), describe(p.cell)));
      }
    }
    const entries = all.filter(line => line.points.some(p => p.found)).map(line => [swatch(joined ? line.colour : 'transparent', line.dash, 'full', line.colour), line.key]);
    const claimers = all.filter(line => line.points.some(p => p.claim));
    entries.push(...claimers.map(line => [swatch(joined ? line.colour : 'transparent', '6 4', 'hollow', line.colour), `${line.engine}, the authors’`]));
    return figure(joined ? 'lines' : 'categories', heading, 'Median of the runs, with their range. A hollow point had not settled.', chart, legend(entries), reasons(absent, xKey),
      table([xKey, 'line', unit, 'authors'], points.map(p => [p.x, nameOf(p.cell),
        p.found ? show(p.found.median) : reasonOf(p.cell), p.claim ? show(p.claim) : 'none'])));
  }

  function reasons(absent, xKey) {
    const same = new Map();
    for (const p of absent) {
      const text = `${nameOf(p.cell)}: ${reasonOf(p.cell)}`;
      same.set(text, [...same.get(text) || [], p.x]);
    }
    return same.size === 0 ? null
      : html('details', {class: 'reasons'},
        html('summary', {}, absent.length === 1 ? 'One cell without a figure, and why' : `${absent.length} cells without a figure, and why`),
        html('ul', {class: 'none'}, ...[...same].map(([text, at]) => html('li', {}, `${text} (${[xKey, at.join(', ')].filter(Boolean).join(' ')})`))));
  }

  // ---- percentiles: where sources keep a rate, beside the cores that were busy for it -------------------------------------------

  const PERCENTILES = [['p50', 50], ['p90', 90], ['p95', 95], ['p99', 99], ['p999', 99.9], ['p9999', 99.99]];
  const hasPercentiles = cell => keepsRate(cell) && figureOf(cell) && cell.latency_us !== null && cell.latency_us.p50 > 0;

  function percentiles(name, list, width) {
    const half = width >= 976 ? (width - 16) / 2 : Math.min(620, width);
    const shown = list.map(cell => ({cell, cores: coresOf(cell), ...look(cell.engine, cell.variant)}));
    const entries = shown.map(({cell, colour, dash}) => [swatch(colour, dash, unsettled(cell) ? 'hollow' : 'full'), nameOf(cell) + (unsettled(cell) ? ', not settled' : '')]);
    return figure('percentiles', `${name}: latency at ${count(Number(list[0].settings.rate.replace(/_/g, '')))} records/s`,
      'Medians of the runs, from when a record was due; both axes are logarithmic. A core that never sleeps buys latency, so read it beside the cores.',
      html('div', {class: 'pair'}, curves(name, shown, half), cores(name, shown, half)), legend(entries),
      table(['engine', ...PERCENTILES.map(([, p]) => `${p} %`), 'cores'], shown.map(({cell, cores: busy}) => [nameOf(cell),
        ...PERCENTILES.map(([key]) => time(cell.latency_us[key])), busy === null ? 'not measured' : digits(busy)])));
  }

  function curves(name, shown, width) {
    const height = 300, left = 62, right = width - 16, bottom = height - 40, top = 12;
    const values = shown.flatMap(({cell}) => PERCENTILES.map(([key]) => cell.latency_us[key])).filter(v => v > 0);
    const [low, high] = [Math.min(...values) / 1.3, Math.max(...values) * 1.3];
    const y = log([low, high], bottom, top, {whole: high / low < 4});
    const nines = percentile => -Math.log10(1 - percentile / 100);
    const x = linear(PERCENTILES.map(([, p]) => nines(p)), left + 8, right, {zero: false});
    const chart = canvas(width, height, `${name}, latency by percentile`, `Curves of ${shown.map(({cell}) => nameOf(cell)).join(', ')}.`);
    for (const t of y.ticks) {
      chart.append(svg('line', {class: 'grid', x1: left, x2: right, y1: y(t), y2: y(t)}),
        svg('text', {x: left - 8, y: y(t) + 4, 'text-anchor': 'end'}, time(t)));
    }
    let last = -99;
    for (const [, p] of PERCENTILES) {
      chart.append(svg('line', {class: 'axis', x1: x(nines(p)), x2: x(nines(p)), y1: bottom, y2: bottom + 4}));
      if (x(nines(p)) - last > 34) {
        last = x(nines(p));
        chart.append(svg('text', {x: last, y: bottom + 18, 'text-anchor': 'middle'}, String(p)));
      }
    }
    chart.append(svg('line', {class: 'axis', x1: left, x2: right, y1: bottom, y2: bottom}),
      svg('text', {x: (left + right) / 2, y: height - 6, 'text-anchor': 'middle'}, '% of the records are faster'));
    for (const {cell, colour, dash} of shown) {
      const points = PERCENTILES.map(([key, p]) => ({p, us: cell.latency_us[key]})).filter(({us}) => us > 0);
      chart.append(svg('path', {class: 'curve', stroke: colour, 'stroke-dasharray': dash || null,
        d: 'M' + points.map(({p, us}) => `${x(nines(p)).toFixed(1)},${y(us).toFixed(1)}`).join('L')}));
      for (const {p, us} of points) {
        chart.append(withTip(svg('circle', {class: unsettled(cell) ? 'point hollow' : 'point', cx: x(nines(p)), cy: y(us), r: 3.2,
          fill: unsettled(cell) ? 'var(--panel)' : colour, stroke: colour}), `${p} %: ${time(us)}\n${describe(cell)}`));
      }
    }
    return chart;
  }

  function cores(name, shown, width) {
    const row = 36, top = 24, left = 8, right = width - 8, height = top + shown.length * row + 24;
    const x = linear([1, ...shown.map(entry => entry.cores || 0)], left, right);
    const chart = canvas(width, height, `${name}, cores kept busy`, `Points of ${shown.map(({cell}) => nameOf(cell)).join(', ')}.`);
    chart.append(svg('text', {class: 'case', x: 0, y: 14}, 'Cores kept busy'));
    for (const t of x.ticks) {
      chart.append(svg('line', {class: 'grid', x1: x(t), x2: x(t), y1: top, y2: height - 22}),
        svg('text', {x: x(t), y: height - 6, 'text-anchor': 'middle'}, digits(t)));
    }
    shown.forEach(({cell, cores: busy, colour}, i) => {
      const y = top + i * row;
      chart.append(svg('text', {class: 'label', x: left, y: y + 14}, shorten(nameOf(cell), Math.floor((width - 100) / 6.6))),
        svg('text', {class: 'label', x: right, y: y + 14, 'text-anchor': 'end'}, busy === null ? 'not measured' : digits(busy)),
        svg('line', {class: 'grid', x1: left, x2: right, y1: y + 26, y2: y + 26}));
      if (busy !== null) chart.append(withTip(svg('circle', {class: 'cores', cx: x(busy), cy: y + 26, r: 4.5, fill: colour}), describe(cell)));
    });
    return chart;
  }

  // ---- over time ----------------------------------------------------------------------------------------------------------------

  const PANELS = [
    {title: 'Throughput', unit: 'records/s', show: count, tick, lines: [['records_per_s', '', '']]},
    {title: 'Latency', unit: 'logarithmic', show: time, tick: time, log: true, tall: 170,
      lines: [['p50_us', '', 'p50'], ['p99_us', '5 3', 'p99'], ['max_us', '1.5 3', 'max']]},
    {title: 'CPU of the engine', unit: '% of a core', show: percent, tick: digits, lines: [['cpu_percent', '', '']]},
    {title: 'Memory', unit: 'MB', show: megabytes, tick, lines: [['rss_mb', '', 'RSS'], ['heap_mb', '5 3', 'heap in use']]},
    {title: 'Loopback', unit: 'MB/s', show: value => digits(value) + ' MB/s', tick, lines: [['loopback_mb', '', '']]},
    {title: 'GC', unit: 'ms in each second', show: value => digits(value) + ' ms', tick: digits, lines: [['gc_ms', '', '']]},
    {title: 'The machine', unit: '% of all cores', show: percent, tick: digits,
      lines: [['machine_cpu_percent', '', 'in use'], ['steal_percent', '1.5 3', 'stolen by the host']]},
    {title: 'Context switches', unit: 'a second', show: count, tick, lines: [['context_switches', '', '']]},
  ];

  function medianRun(cell) {
    const found = figureOf(cell);
    const runs = cell.runs.filter(run => run.series.t.length);
    if (!found) return runs[0];
    const counts = run => run.records_per_s !== null && (run.settled || !cell.runs.some(each => each.records_per_s !== null && each.settled));
    const distance = run => counts(run) ? Math.abs(run.records_per_s - found.median) : Infinity;
    return runs.reduce((best, run) => distance(run) < distance(best) ? run : best, runs[0]);
  }

  function overTime(list, width) {
    const withSeries = list.filter(cell => cell.runs.some(run => run.series.t.length));
    if (!withSeries.length) return null;
    const cases = [...new Set(withSeries.map(cell => cell.case))];
    const most = Math.max(...withSeries.map(cell => cell.runs.length));
    const pickCase = html('select', {}, ...cases.map(name => html('option', {value: name}, name)));
    const pickRun = html('select', {}, html('option', {value: ''}, 'the one at the median'),
      ...Array.from({length: most}, (unused, i) => html('option', {value: i}, `run ${i + 1}`)));
    const drawing = html('div', {});
    const hidden = new Set();
    const draw = () => {
      const shown = withSeries.filter(cell => cell.case === pickCase.value)
        .map(cell => ({cell, key: nameOf(cell), run: pickRun.value === '' ? medianRun(cell) : cell.runs[Number(pickRun.value)]}))
        .filter(entry => entry.run && entry.run.series.t.length);
      drawing.replaceChildren(...panels(pickCase.value, shown, hidden, width, draw));
    };
    pickCase.addEventListener('change', draw);
    pickRun.addEventListener('change', draw);
    draw();
    return figure('time', 'Over time', 'Seconds since the first record of each run. Faint: warming up or draining, not measured.',
      html('div', {class: 'controls'}, html('label', {}, 'Case ', pickCase), most > 1 ? html('label', {}, 'Run ', pickRun) : null), drawing);
  }

  function panels(name, entries, hidden, width, redraw) {
    const marks = html('div', {class: 'legend', role: 'group', 'aria-label': 'Engines shown'}, ...entries.map(entry => {
      const button = html('button', {type: 'button', 'aria-pressed': String(!hidden.has(entry.key))},
        swatch(look(entry.cell.engine, entry.cell.variant).colour), entry.key);
      button.addEventListener('click', () => {
        if (!hidden.delete(entry.key)) hidden.add(entry.key);
        redraw();
      });
      return button;
    }));
    const shown = entries.filter(entry => !hidden.has(entry.key));
    if (!shown.length) return [marks, html('p', {class: 'none'}, 'No engine is chosen, or none has seconds of this run.')];
    const left = 76, right = width - 12, over = width < NARROW ? 38 : 24;
    let height = 0;
    const kept = PANELS.filter(panel => shown.some(({run}) => panel.lines.some(([key]) => run.series[key].some(v => v > 0))))
      .map(panel => {
        const top = height + over;
        const bottom = top + (panel.tall || 96);
        height = bottom + 10;
        return {...panel, top, bottom};
      });
    const {bottom} = kept[kept.length - 1] || {bottom: 0};
    height = bottom + 44;
    const last = Math.max(...shown.map(({run}) => Math.max(...run.series.t)));
    const x = linear([last], left, right, {integers: true});
    const chart = canvas(width, height, `${name} over time`,
      `Stacked panels on one time axis: ${kept.map(panel => panel.title).join(', ')}; engines: ${shown.map(entry => entry.key).join(', ')}.`);
    kept.forEach(panel => drawPanel(chart, panel, shown, x, left, right));
    for (const t of x.ticks) chart.append(svg('text', {x: x(t), y: bottom + 16, 'text-anchor': 'middle'}, tick(t)));
    chart.append(svg('text', {x: (left + right) / 2, y: bottom + 32, 'text-anchor': 'middle'}, 'seconds'));
    follow(chart, kept, shown, x, {width, height});
    const mean = (run, key) => {
      const values = run.series[key].filter((v, i) => v !== null && run.series.measured[i]);
      return values.length ? values.reduce((a, b) => a + b, 0) / values.length : null;
    };
    const columns = kept.flatMap(panel => panel.lines.map(([key, , label]) => ({key, panel, label})));
    return [marks, chart, table(['mean of the measured seconds', ...columns.map(({panel, label}) => `${panel.title} ${label}`)],
      shown.map(({key: engine, run}) => [engine, ...columns.map(({key, panel}) => {
        const value = mean(run, key);
        return value === null ? 'not timed' : panel.show(value);
      })]))];
  }

  function drawPanel(chart, panel, shown, x, left, right) {
    const {top, bottom} = panel;
    const values = shown.flatMap(({run}) => panel.lines.flatMap(([key]) => run.series[key].filter(v => v !== null)));
    const positive = values.filter(v => v > 0).sort((a, b) => a - b);
    const medians = shown.map(({run}) => panel.lines[0][0] === 'records_per_s' ? Math.max(...run.series.records_per_s) : 0).filter(v => v > 0);
    const wide = panel.log || (medians.length > 1 && Math.max(...medians) / Math.min(...medians) > 12);
    // On a logarithmic axis the first and last seconds, of hardly any records, would take most of the room.
    const y = wide
      ? log([panel.log ? positive[0] / 1.3 : Math.min(...medians) / 3, positive[positive.length - 1] * 1.3], bottom, top) : linear(values, bottom, top);
    const decades = y.ticks.filter(t => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
    const ticks = wide && y.ticks.length > 5 && decades.length > 1 ? decades : y.ticks;
    for (const t of ticks) {
      chart.append(svg('line', {class: 'grid', x1: left, x2: right, y1: y(t), y2: y(t)}),
        svg('text', {x: left - 7, y: y(t) + 4, 'text-anchor': 'end'}, panel.tick(t)));
    }
    for (const t of x.ticks) chart.append(svg('line', {class: 'grid', x1: x(t), x2: x(t), y1: top, y2: bottom}));
    const unit = wide && !panel.log ? panel.unit + ', logarithmic' : panel.unit;
    const narrow = right < NARROW;
    const start = narrow ? {x: 0, y: top - 23} : {x: left, y: top - 9};
    const heading = svg('text', start, svg('tspan', {class: 'case'}, panel.title), svg('tspan', {dx: 8}, unit));
    const strokes = {'': 'solid', '5 3': 'dashed', '1.5 3': 'dotted'};
    if (panel.lines.length > 1) {
      heading.append(svg('tspan', narrow ? {x: 0, y: top - 9} : {dx: 12}, panel.lines.map(([, dash, label]) => `${label} ${strokes[dash]}`).join(', ')));
    }
    chart.append(heading, svg('line', {class: 'axis', x1: left, x2: right, y1: bottom, y2: bottom}));
    for (const {cell, run} of shown) {
      const colour = look(cell.engine, cell.variant).colour;
      for (const [key, dash] of panel.lines) {
        const outside = pathOf(run.series, key, x, y, () => true);
        const measured = pathOf(run.series, key, x, y, i => run.series.measured[i]);
        if (outside) chart.append(svg('path', {class: 'outside', stroke: colour, 'stroke-dasharray': dash || null, d: outside}));
        if (measured) {
          chart.append(svg('path', {class: 'line', stroke: colour, 'stroke-dasharray': dash || null, 'stroke-width': dash ? 1.3 : null, d: measured}));
        }
      }
    }
  }

  /** A gap where a second has no figure. */
  function pathOf(series, key, x, y, take) {
    let path = '', pen = 'M';
    series[key].forEach((value, i) => {
      if (value === null || !take(i)) {
        pen = 'M';
      } else {
        path += `${pen}${x(series.t[i]).toFixed(1)},${y(value).toFixed(1)}`;
        pen = 'L';
      }
    });
    return path;
  }

  /** A line across all panels at the pointer, and what every engine did in that second. */
  function follow(chart, kept, shown, x, {width, height}) {
    const cross = svg('line', {class: 'cross', y1: 24, y2: height - 44, visibility: 'hidden'});
    chart.append(cross);
    chart.addEventListener('pointermove', event => {
      const box = chart.getBoundingClientRect();
      const at = (event.clientX - box.left) / box.width * width;
      const second = Math.round((at - x(0)) / (x(1) - x(0)));
      if (second < 0 || second > x.high) return;
      cross.setAttribute('x1', x(second));
      cross.setAttribute('x2', x(second));
      cross.setAttribute('visibility', 'visible');
      const down = (event.clientY - box.top) / box.height * height;
      const panel = kept.find(one => down <= one.bottom + 5);
      if (!panel) return;
      const lines = [`${panel.title} at ${second} s`];
      for (const {key, run} of shown) {
        const i = run.series.t.findIndex(t => Math.round(t) === second);
        const parts = panel.lines.map(([field, , label]) => {
          const value = i < 0 ? null : run.series[field][i];
          return value === null ? null : `${label} ${panel.show(value)}`.trim();
        }).filter(Boolean);
        lines.push(`${key}: ${parts.join(', ') || 'nothing'}`);
      }
      showTip(lines.join('\n'), event);
    });
    chart.addEventListener('pointerleave', () => {
      tip.hidden = true;
      cross.setAttribute('visibility', 'hidden');
    });
  }

  // ---- against the peers ----------------------------------------------------------------------------------------------------------

  function peers(rows, width) {
    const pairs = rows.map(row => row.dataset).map(data => ({...data, ratio: Number(data.ratio)}));
    if (!pairs.length) return null;
    const groups = new Map();
    for (const pair of pairs) groups.set(pair.case, [...groups.get(pair.case) || [], pair]);
    const narrow = width < NARROW, row = narrow ? 36 : 20, top = narrow ? 46 : 30, height = top + groups.size * row + 40;
    const left = narrow ? 16 : 14 + 6.5 * Math.max(...[...groups.keys()].map(name => name.length));
    const x = log([0.5, 2, ...pairs.map(pair => pair.ratio)], left, width - 20, {whole: true});
    const chart = canvas(width, height, 'Thalweg against its peers', `Points of how many times Thalweg is better, ${pairs.length} in all.`);
    chart.append(svg('rect', {class: 'behind-zone', x: left, y: top - 8, width: x(1) - left, height: groups.size * row + 8}));
    for (const t of x.ticks) {
      chart.append(svg('line', {class: t === 1 ? 'one' : 'grid', x1: x(t), x2: x(t), y1: top - 8, y2: top + groups.size * row}),
        svg('text', {x: x(t), y: top + groups.size * row + 16, 'text-anchor': 'middle'}, times(t)));
    }
    chart.append(svg('text', narrow ? {x: 0, y: top - 30} : {x: x(1) - 8, y: top - 14, 'text-anchor': 'end'}, '← the peer is ahead'),
      svg('text', narrow ? {x: width - 2, y: top - 14, 'text-anchor': 'end'} : {x: x(1) + 8, y: top - 14}, 'Thalweg is ahead →'));
    let y = top;
    for (const [name, group] of groups) {
      const at = narrow ? y + 24 : y + 9;
      chart.append(narrow ? svg('text', {class: 'label', x: 0, y: y + 13}, ending(name, Math.floor(width / 6.5)))
        : svg('text', {class: 'label', x: left - 8, y: y + 13, 'text-anchor': 'end'}, name),
      svg('line', {class: 'grid', x1: left, x2: width - 20, y1: at, y2: at}));
      for (const pair of group) {
        chart.append(withTip(svg('circle', {class: 'point', cx: x(pair.ratio), cy: at, r: 5, fill: look(pair.engine, pair.variant).colour,
          'fill-opacity': pair.overlap === 'true' ? 0.35 : 1, stroke: look(pair.engine, pair.variant).colour}),
          `${name}\nThalweg is ${times(pair.ratio)} ${pair.engine} ${pair.variant}, by ${pair.by}`
          + (pair.overlap === 'true' ? '\nsome runs overlap' : '')));
      }
      y += row;
    }
    const kinds = new Map(pairs.map(pair => [`${pair.engine} · ${pair.variant}`, pair]));
    const entries = [...kinds].map(([name, pair]) => [swatch('transparent', '', null), name, look(pair.engine, pair.variant).colour]);
    entries.forEach(entry => entry[0].append(svg('circle', {cx: 13, cy: 5, r: 4.5, fill: entry[2]})));
    return figure('peers', 'How many times Thalweg is better, best variant against best variant',
      'By records a second, or by 99th percentile of latency where the rate is given; logarithmic axis. Pale: runs overlap.', chart, legend(entries));
  }

  // ---- the page -----------------------------------------------------------------------------------------------------------------

  document.querySelectorAll('.dot').forEach(dot => { dot.style.background = look(dot.dataset.engine, dot.dataset.variant).colour; });
  /** Inside a figure in a place, whose border and padding take the rest. */
  const roomIn = width => Math.max(280, Math.min(1060, width - 31));

  function drawStudy(place) {
    const width = roomIn(place.clientWidth);
    const column = roomIn(place.clientWidth >= 976 ? (place.clientWidth - 16) / 2 : place.clientWidth);
    const list = cells.filter(cell => cell.study === place.dataset.chartsOf);
    const {sweeps, plain} = families(list);
    const kept = plain.filter(cell => !hasPercentiles(cell));
    const charts = sweeps.flatMap(each => sweep(each, column));
    const atARate = new Map();
    for (const cell of list.filter(hasPercentiles)) atARate.set(cell.case, [...atARate.get(cell.case) || [], cell]);
    place.replaceChildren(...[
      kept.length ? dots(kept, sweeps.length || atARate.size ? 'Single cases' : 'All cells', width) : null,
      charts.length ? html('div', {class: 'pair'}, ...charts) : null,
      ...[...atARate].map(([name, group]) => percentiles(name, group, width)),
      overTime(list, width),
    ].filter(Boolean));
  }
  /** For the room that there is, so that letters keep their size on a phone. */
  let drawnFor = 0;
  function draw() {
    if (root.clientWidth === drawnFor) return;
    drawnFor = root.clientWidth;
    document.querySelectorAll('[data-charts-of]').forEach(drawStudy);
    const place = document.getElementById('peers-chart');
    const chart = place && peers([...document.querySelectorAll('tr[data-ratio]')], roomIn(place.clientWidth));
    if (chart) place.replaceChildren(chart);
  }
  draw();
  addEventListener('resize', draw);

  // ---- downloads ------------------------------------------------------------------------------------------------------------------

  /** As the lab's JSON files are: a record for each second, not a column for each figure. */
  function original() {
    const rows = series => series.t.map((unused, i) =>
      Object.fromEntries(Object.entries(series).map(([key, column]) => [key, column[i]])));
    return {...results, cells: cells.map(cell => ({...cell, runs: cell.runs.map(run => ({...run, series: rows(run.series)}))}))};
  }
  /** Text that a spreadsheet would take for a formula is marked as text. */
  function csvField(value) {
    if (value === null || value === undefined) return '';
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const safe = /^[=+\-@\t\r]/.test(text) ? "'" + text : text;
    return /[",\r\n]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
  }
  const csv = (head, rows) => [head, ...rows].map(row => row.map(csvField).join(',')).join('\r\n') + '\r\n';
  const NAMES = ['study', 'case', 'engine', 'version', 'variant', 'guarantee'];
  const SPREAD = ['median', 'min', 'max', 'runs'];
  const CI95 = ['low', 'high'];
  const LATENCY = ['mean', 'p50', 'p90', 'p95', 'p99', 'p999', 'p9999', 'max'];
  const PLAIN = ['stages', 'settled', 'mb_per_s', 'cpu_s_per_million', 'allocated_bytes_per_record', 'rss_mb', 'gc_ms', 'valid', 'testable', 'reason', 'ratio', 'why', 'settings', 'tuning'];
  const RUN = ['turn', 'records_per_s', 'settled', 'warm_up_s', 'measured_s', 'sent', 'received', 'failed', 'cpu_s_per_million', 'allocated_bytes_per_record', 'live_heap_mb', 'reason'];
  const RECOVERY = ['recovery_seconds', 'lost', 'repeated'];
  /** Of all runs in which a process was killed: the median time, the most lost and repeated. */
  function recovery(cell, key) {
    const values = cell.runs.map(run => run.recovery && run.recovery[key]).filter(value => typeof value === 'number').sort((a, b) => a - b);
    const middle = values.length / 2;
    if (!values.length) return null;
    return key === 'recovery_seconds' ? (values[Math.ceil(middle) - 1] + values[Math.floor(middle)]) / 2 : values[values.length - 1];
  }
  const part = (whole, keys) => keys.map(key => whole ? whole[key] : null);
  function cellsCsv() {
    return csv([...NAMES, ...SPREAD.map(key => 'records_per_s_' + key), ...CI95.map(key => 'records_per_s_ci95_' + key), ...LATENCY.map(key => 'latency_us_' + key), 'claim_records_per_s', 'claim', ...RECOVERY, ...PLAIN],
      cells.map(cell => [...part(cell, NAMES), ...part(cell.records_per_s, SPREAD), ...part(cell.records_per_s && cell.records_per_s.ci95, CI95), ...part(cell.latency_us, LATENCY),
        ...part(cell.claim, ['records_per_s', 'says']), ...RECOVERY.map(key => recovery(cell, key)), ...part(cell, PLAIN)]));
  }
  function runsCsv() {
    return csv([...NAMES, ...RUN, ...LATENCY.map(key => 'latency_us_' + key), ...RECOVERY, 'profiled'], cells.flatMap(cell => cell.runs.map(run =>
      [...part(cell, NAMES), ...part(run, RUN), ...part(run.latency_us, LATENCY), ...part(run.recovery, RECOVERY), Boolean(run.profile)])));
  }
  function secondsCsv() {
    const runs = cells.flatMap(cell => cell.runs.map(run => ({cell, run})));
    const keys = runs.length ? Object.keys(runs[0].run.series) : [];
    return csv([...NAMES, 'turn', ...keys], runs.flatMap(({cell, run}) =>
      run.series.t.map((unused, i) => [...NAMES.map(key => cell[key]), run.turn, ...keys.map(key => run.series[key][i])])));
  }
  const FILES = {
    json: ['results.json', 'application/json', () => JSON.stringify(original())],
    cells: ['cells.csv', 'text/csv', cellsCsv],
    runs: ['runs.csv', 'text/csv', runsCsv],
    seconds: ['seconds.csv', 'text/csv', secondsCsv],
  };
  document.querySelectorAll('[data-download]').forEach(button => button.addEventListener('click', () => {
    const [name, type, content] = FILES[button.dataset.download];
    const address = URL.createObjectURL(new Blob([content()], {type: type + ';charset=utf-8'}));
    html('a', {href: address, download: 'thalweg-lab-' + name}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }));
  root.dataset.drawn = 'yes';
  // For tests, and for whoever wants the data in the console.
  window.thalwegLab = {results: original, cellsCsv, runsCsv, secondsCsv};
})();
