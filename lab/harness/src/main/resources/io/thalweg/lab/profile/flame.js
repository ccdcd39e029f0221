// SPDX-License-Identifier: Apache-2.0
'use strict';
(() => {
  const ROW = 18;
  const NARROWEST = 0.0005;
  const trees = JSON.parse(document.getElementById('stacks').textContent);
  const find = document.getElementById('find');
  const short = name => name.replace(/^(?:[a-z_$][\w$]*\.)+(?=[A-Z])/, '');

  /** Calls of one package have one colour. */
  function colour(name) {
    let hash = 0;
    for (const c of name.split('.').slice(0, 3).join('.')) hash = (hash * 31 + c.charCodeAt(0)) % 60;
    return 'hsl(' + (hash + 10) + ' 85% ' + (62 + hash % 5 * 3) + '%)';
  }

  function draw(place, path) {
    const tree = trees[place.dataset.graph];
    const words = find.value.toLowerCase();
    place.replaceChildren();
    let rows = 0;
    const box = (node, depth, x, width, way) => {
      if (width < NARROWEST) return;
      rows = Math.max(rows, depth + 1);
      const element = document.createElement('div');
      const share = (100 * node.v / tree.v).toPrecision(3) + ' %';
      element.textContent = width > 0.02 ? short(node.n) : '';
      element.title = node.n + '\n' + node.v.toLocaleString('en') + ' ' + place.dataset.unit + ', ' + share;
      element.style.left = 100 * x + '%';
      element.style.width = 100 * width + '%';
      element.style.bottom = ROW * depth + 'px';
      element.style.background = colour(node.n);
      element.classList.toggle('found', words !== '' && node.n.toLowerCase().includes(words));
      element.classList.toggle('below', depth < path.length - 1);
      element.addEventListener('click', () => draw(place, way));
      place.append(element);
      const chosen = path[depth + 1];
      let left = x;
      for (const callee of node.c) {
        if (chosen && depth + 1 < path.length) {
          if (callee === chosen) box(callee, depth + 1, x, width, [...way, callee]);
          continue;
        }
        const part = width * callee.v / node.v;
        box(callee, depth + 1, left, part, [...way, callee]);
        left += part;
      }
    };
    box(tree, 0, 0, 1, [tree]);
    place.style.height = ROW * rows + 'px';
    place.path = path;
  }

  const graphs = document.querySelectorAll('[data-graph]');
  graphs.forEach(place => draw(place, [trees[place.dataset.graph]]));
  find.addEventListener('input', () => graphs.forEach(place => draw(place, place.path)));
  document.documentElement.dataset.drawn = 'yes';
})();
