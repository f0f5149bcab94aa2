// The tree of a policy. Only the rows in sight are elements; everything else is
// columns of numbers. Names and messages become text nodes and nothing else: a
// policy may come from anywhere.
'use strict';

const $ = (id) => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const count = data.id.length;
const list = $('list'), rows = $('rows'), side = $('side');
const words = {a: 'added', r: 'removed', c: 'changed'};
const printed = 3000; // rows that go on paper

// make is an element with a class and what stands in it; strings become text.
function make(tag, name, ...inside) {
  const e = document.createElement(tag);
  if (name) e.className = name;
  e.append(...inside);
  return e;
}

// Children in one pass, the most used first.
const children = Array.from({length: count}, () => []);
const tops = [], family = new Int32Array(count), depth = new Int32Array(count), level = new Int32Array(count), follows = new Uint8Array(count);
const runs = (n) => data.success[n] + data.failure[n];
for (let n = 0; n < count; n++) (data.parent[n] < 0 ? tops : children[data.parent[n]]).push(n);
for (let n = 0; n < count; n++) {
  children[n].sort((a, b) => runs(b) - runs(a) || a - b);
  const up = data.parent[n];
  family[n] = up < 0 ? n : family[up];
  depth[n] = up < 0 ? 0 : depth[up] + 1;
  follows[n] = up >= 0 && data.parent[up] >= 0 && children[up].length === 1 ? 1 : 0;
  level[n] = up < 0 ? 0 : level[up] + (follows[n] ? 0 : 1); // what follows alone does not go further in
}

const stateOf = (n) => data.states[data.state[n]];
const gatesOf = (n) => data.sets[data.set[n]];
function begins(n) { // gates that are asked from here on, and not above
  const up = data.parent[n];
  if (up < 0) return gatesOf(n);
  return gatesOf(n).filter((g) => !gatesOf(up).includes(g));
}
const mark = (n) => (data.mark ? data.mark[n] : ' ');
const markRow = (n) => (mark(n) === ' ' ? '' : ' m' + mark(n));

// Which rows there are: an order of nodes, made again when something opens.
const closed = new Uint8Array(count);
let shown = [], placeOf = new Int32Array(count).fill(-1), picked = -1, hits = new Set(), found = [], only = '';

function closeFrom(from) {
  for (let n = 0; n < count; n++) closed[n] = children[n].length > 0 && !follows[n] && level[n] >= from ? 1 : 0;
}

function wanted(n) {
  switch (only) {
    case 'found': return hits.has(n);
    case 'gates': return begins(n).length > 0;
    case 'failed': return data.failure[n] > 0;
    case 'ends': return data.ended[n] > 0;
    case 'changed': return mark(n) !== ' ';
  }
  return true;
}

function arrange() {
  const keep = new Uint8Array(count);
  for (let n = count - 1; n >= 0; n--) {
    if (wanted(n)) keep[n] = 1;
    if (keep[n] && data.parent[n] >= 0) keep[data.parent[n]] = 1;
  }
  shown = [];
  placeOf.fill(-1);
  const todo = [...tops].reverse();
  while (todo.length) {
    const n = todo.pop();
    if (!keep[n]) continue;
    placeOf[n] = shown.length;
    shown.push(n);
    if (!closed[n]) for (let i = children[n].length - 1; i >= 0; i--) todo.push(children[n][i]);
  }
  draw();
}

// Rows in sight.
const pool = [];
let height = 30, waiting = false;

function rowOf(i) {
  if (pool[i]) return pool[i];
  const e = make('div', 'row');
  e.setAttribute('role', 'treeitem');
  e.fold = make('span', 'fold');
  e.bar = make('i');
  e.count = make('span', 'count');
  e.name = make('bdi', 'name');
  e.says = make('bdi', 'says');
  e.tags = make('span', 'tags');
  e.append(e.fold, make('i', 'bar', e.bar), e.count, make('span', 'text', e.name, e.says), e.tags);
  rows.append(e);
  return pool[i] = e;
}

function shade(n) { // of five: how many of the runs succeeded
  return 's' + (runs(n) ? Math.min(4, Math.floor(5 * data.success[n] / runs(n))) : 2);
}

const risks = ['', '', 'changes', 'high risk'];

function fill(e, n, at) {
  const s = stateOf(n), own = children[n].length;
  e.node = n;
  e.id = 'n' + n;
  e.className = 'row' + (data.parent[n] < 0 ? ' family' : '') + markRow(n) + (hits.has(n) ? ' hit' : '') + (ran.has(n) ? ' ran' : '') + (n === picked ? ' on' : '');
  e.style.transform = `translateY(${at * height}px)`;
  e.style.paddingLeft = `calc(var(--in) * ${Math.min(level[n], 14)})`;
  e.setAttribute('aria-level', depth[n] + 1);
  e.setAttribute('aria-selected', n === picked);
  if (own) e.setAttribute('aria-expanded', !closed[n]);
  else e.removeAttribute('aria-expanded');
  const sign = own === 0 ? '·' : closed[n] ? '▸' : follows[n] && own === 1 ? '' : '▾';
  e.fold.replaceChildren(make('b', 'link', follows[n] ? '↓' : ''), make('span', '', sign));
  e.bar.className = shade(n);
  e.bar.style.width = Math.max(4, Math.round(100 * runs(n) / Math.max(1, runs(family[n])))) + '%';
  e.count.textContent = data.success[n] + ' of ' + runs(n);
  e.name.textContent = s.key;
  e.says.textContent = s.says;
  e.tags.replaceChildren();
  const gates = gatesOf(n).length;
  if (gates) e.tags.append(make('b', 'tag gate', begins(n).length ? gates + ' gate' + (gates > 1 ? 's' : '') : String(gates)));
  if (risks[s.risk]) e.tags.append(make('b', 'tag r' + s.risk, risks[s.risk]));
  if (data.ended[n]) e.tags.append(make('b', 'tag leaf', '✓ ' + data.ended[n]));
}

function measure() { // rows are higher on phones
  height = parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row'));
}

function draw(all) {
  rows.style.height = shown.length * height + 'px';
  const first = all ? 0 : Math.max(0, Math.floor(list.scrollTop / height) - 6);
  const last = Math.min(shown.length, all ? printed : Math.ceil((list.scrollTop + list.clientHeight) / height) + 6);
  for (let i = first; i < last; i++) {
    const e = rowOf(i - first);
    e.hidden = false;
    fill(e, shown[i], i);
  }
  for (const e of pool.splice(Math.max(0, last - first))) e.remove();
  if (picked >= 0 && placeOf[picked] >= first && placeOf[picked] < last) list.setAttribute('aria-activedescendant', 'n' + picked);
  else list.removeAttribute('aria-activedescendant');
}

function soon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}

// Choosing a step.
function pick(n, scroll = true) {
  if (n === undefined || n < 0) return;
  picked = n;
  let moved = false;
  for (let up = data.parent[n]; up >= 0; up = data.parent[up]) if (closed[up]) { closed[up] = 0; moved = true; }
  if (only && placeOf[n] < 0) { only = $('only').value = ''; moved = true; }
  if (moved || placeOf[n] < 0) arrange();
  tell(n); // before scrolling: what it says takes room on phones
  if (scroll) {
    const top = placeOf[n] * height, room = list.clientHeight;
    if (top < list.scrollTop + height) list.scrollTop = Math.max(0, top - 2 * height);
    else if (top > list.scrollTop + room - 2 * height) list.scrollTop = top - room + 3 * height;
  }
  draw();
}

function toggle(n, to) {
  if (n < 0 || !children[n].length) return;
  closed[n] = to === undefined ? 1 - closed[n] : to;
  arrange();
}

function link(text, go) {
  const a = make('a', '', text);
  a.href = '#';
  a.addEventListener('click', (event) => { event.preventDefault(); go(); });
  return a;
}

function toGate(id) {
  tab('gates');
  for (const e of document.querySelectorAll('article.on')) e.classList.remove('on');
  const e = $('g' + id);
  if (e) { e.classList.add('on'); e.scrollIntoView({block: 'center'}); }
}

// tell says of a step what is known.
function tell(n) {
  const s = stateOf(n), out = [make('h2', '', make('bdi', '', s.key))];
  const percent = (a, b) => Math.round(100 * a / Math.max(1, b)) + '%';
  if (mark(n) !== ' ') out.push(make('p', '', make('span', 'm' + mark(n), words[mark(n)]), data.was[n] ? ' ' + data.was[n] : ''));
  if (data.parent[n] >= 0) {
    out.push(make('p', '', make('bdi', '', s.says)));
    out.push(make('p', '', `${percent(runs(n), runs(family[n]))} of the family's runs come through here; of these ${runs(n)}, ${data.success[n]} succeeded (${percent(data.success[n], runs(n))}).`));
  } else {
    out.push(make('p', '', `A family: ${runs(n)} runs, ${data.success[n]} in success.`));
  }
  if (data.ended[n]) out.push(make('p', 'good', `${data.ended[n]} runs ended here in success.`));
  if (risks[s.risk]) out.push(make('p', s.risk > 2 ? 'bad' : '', s.risk > 2 ? 'High risk: what it does is hard to take back, or leaves the workspace.' : 'It changes things.'));
  if (s.tools.length) out.push(make('h3', '', 'Tools'), make('p', '', ...s.tools.flatMap((t) => [make('code', '', t), ' '])));
  const gates = gatesOf(n), fresh = begins(n);
  if (gates.length) {
    out.push(make('h3', '', 'Gates asked here'));
    out.push(make('ul', '', ...gates.map((g) => make('li', '', link(data.gates[g].says || data.gates[g].id.slice(0, 12), () => toGate(data.gates[g].id)), ` (${data.gates[g].does}${fresh.includes(g) ? '' : ', from above'})`))));
  }
  if (children[n].length) {
    out.push(make('h3', '', 'Next'));
    out.push(make('ul', '', ...children[n].slice(0, 12).map((c) => make('li', '', link(stateOf(c).key, () => pick(c)), ` ${data.success[c]} of ${runs(c)}`))));
    if (children[n].length > 12) out.push(make('p', 'dim', `and ${children[n].length - 12} more`));
  }
  const path = [];
  for (let up = n; up >= 0; up = data.parent[up]) path.unshift(up);
  if (path.length > 1) {
    const hidden = Math.max(0, path.length - 13);
    out.push(make('h3', '', 'The way here'));
    if (hidden) out.push(make('p', 'dim', `${hidden} steps, then`));
    out.push(make('ol', '', ...path.slice(hidden, -1).map((up) => make('li', '', link(stateOf(up).key, () => pick(up))))));
  }
  out.push(make('p', 'dim', make('code', '', data.id[n])));
  side.replaceChildren(...out);
  side.scrollTop = 0;
}

// Search: every word has to stand in what the step, its tools or its gates are called.
const says = data.states.map((s) => [s.key, s.says, ...s.tools].join(' ').toLowerCase());
const gateSays = data.sets.map((set) => set.map((g) => data.gates[g].id + ' ' + data.gates[g].says).join(' ').toLowerCase());

function search(text) {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean);
  found = [];
  if (parts.length) {
    const known = says.map((s) => parts.map((p) => s.includes(p)));
    for (let n = 0; n < count; n++) {
      const own = data.parent[n] < 0 || data.set[data.parent[n]] !== data.set[n] ? gateSays[data.set[n]] : '';
      if (parts.every((p, i) => known[data.state[n]][i] || own.includes(p) || data.id[n].startsWith(p))) found.push(n);
    }
  }
  hits = new Set(found);
  sayFound(parts.length > 0);
  if (only === 'found') arrange();
  else draw();
}

function sayFound(asked) {
  const at = found.indexOf(picked);
  $('found').textContent = !asked ? '' : found.length === 0 ? 'nothing found' : at >= 0 ? `${at + 1} of ${found.length}` : `${found.length} found`;
}

function step(by) {
  if (!found.length) return;
  const at = found.indexOf(picked);
  pick(found[at < 0 ? 0 : (at + by + found.length) % found.length]);
  sayFound(true);
}

// A run, call by call. Where it left the tree the last step stays chosen.
const run = data.run;
const ran = new Set();
let atCall = 0;
if (run) {
  const nodeOf = new Map(data.id.map((id, n) => [id, n]));
  for (const call of run.steps || []) {
    call.n = nodeOf.has(call.node) ? nodeOf.get(call.node) : -1;
    if (call.n >= 0) ran.add(call.n);
  }
}

const treeSays = {advance: 'the tree expects this step', fragile: 'the tree knows this step and is not sure', explore: 'the tree does not know this step', recover: 'the tree leads back to a known way', stall: 'the run would be stopped here'};
const saidOf = {rejected: 'stopped', revision_required: 'sent back', approved_with_constraints: 'asks the user', approved: 'passes'};
function toCall(i) {
  const calls = (run && run.steps) || [];
  if (!calls.length) return;
  atCall = Math.max(0, Math.min(calls.length - 1, i));
  const call = calls[atCall];
  const said = saidOf[call.does] || call.does;
  $('at').value = atCall + 1;
  $('call').replaceChildren(`${atCall + 1} of ${calls.length}: `, make('code', '', call.tool), call.macro ? ` in ${call.macro}: ` : ': ',
    make('b', call.does === 'approved' ? 'good' : 'bad', said), call.verdict ? `, ${treeSays[call.verdict] || call.verdict}` : '', call.why ? ` (${call.why})` : '',
    call.n < 0 ? ', away from the tree' : '', (call.because || []).length ? ': ' + call.because.join('; ') : '');
  if (call.n >= 0) pick(call.n);
}

// Parts of the page.
const tabs = [...document.querySelectorAll('[data-tab]')];
function tab(name) {
  for (const b of tabs) {
    b.setAttribute('aria-selected', b.dataset.tab === name);
    $(b.dataset.tab).classList.toggle('on', b.dataset.tab === name);
  }
  if (name === 'tree') { draw(); list.focus({preventScroll: true}); }
}

// Unsafe windows, call by call: the list is one, whatever window a call is of.
const calls = [...document.querySelectorAll('.steps li')];
const nodeOfID = new Map(data.id.map((id, n) => [id, n]));
let atStep = -1;
function toStep(i) {
  if (!calls.length) return;
  if (atStep >= 0) calls[atStep].classList.remove('on');
  atStep = Math.max(0, Math.min(calls.length - 1, i));
  calls[atStep].classList.add('on');
  calls[atStep].focus({preventScroll: true});
  calls[atStep].scrollIntoView({block: 'nearest'});
}
function toWindow(by) { // the first call of the window after this one, or before
  const lists = [...document.querySelectorAll('.steps')];
  const now = atStep < 0 ? (by > 0 ? -1 : 1) : lists.indexOf(calls[atStep].parentElement);
  const list = lists[Math.max(0, Math.min(lists.length - 1, now + by))];
  if (!list) return;
  toStep(calls.indexOf(list.firstElementChild));
  list.closest('article').scrollIntoView({block: 'nearest'});
}
function fromStep() { // where the call stands in the tree
  const n = atStep < 0 ? undefined : nodeOfID.get(calls[atStep].dataset.node);
  if (n === undefined) return;
  tab('tree');
  pick(n);
}
const windowKeys = {
  ArrowDown: () => toStep(atStep + 1), j: () => toStep(atStep + 1), ArrowUp: () => toStep(atStep - 1), k: () => toStep(atStep - 1),
  n: () => toWindow(1), N: () => toWindow(-1), Enter: fromStep,
};
$('windows')?.addEventListener('click', (event) => {
  const a = event.target.closest('[data-gate]'), li = event.target.closest('.steps li');
  if (a) { event.preventDefault(); toGate(a.dataset.gate); } else if (li) toStep(calls.indexOf(li));
});

const go = (by) => pick(shown[Math.max(0, Math.min(shown.length - 1, placeOf[picked] + by))]);
const page = () => Math.max(1, Math.floor(list.clientHeight / height) - 2);
const treeKeys = {
  ArrowDown: () => go(1), j: () => go(1), ArrowUp: () => go(-1), k: () => go(-1),
  PageDown: () => go(page()), PageUp: () => go(-page()), Home: () => pick(shown[0]), End: () => pick(shown[shown.length - 1]),
  ArrowRight: () => (closed[picked] ? toggle(picked, 0) : pick(children[picked]?.[0])),
  ArrowLeft: () => (children[picked]?.length && !closed[picked] ? toggle(picked, 1) : pick(data.parent[picked])),
  Enter: () => toggle(picked), ' ': () => toggle(picked),
  ',': () => toCall(atCall - 1), '.': () => toCall(atCall + 1),
  n: () => step(1), N: () => step(-1), e: () => { closed.fill(0); arrange(); }, c: () => { closeFrom(0); arrange(); },
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $('help').open) return;
  const typing = event.target.matches('input:not([type=range]), select');
  if (event.target.id === 'at' && event.key.startsWith('Arrow')) return; // it moves itself
  if (event.key === 'Escape' && typing) { list.focus(); return; }
  if (typing) return;
  let act = null;
  if (event.key === '?') act = () => $('help').showModal();
  else if (event.key === '/') act = () => { tab('tree'); $('search').focus(); };
  else if (tabs[event.key - 1]) act = () => tab(tabs[event.key - 1].dataset.tab);
  else if ($('windows')?.classList.contains('on') && !event.target.matches('button, a')) act = windowKeys[event.key];
  else if ($('tree').classList.contains('on') && !event.target.matches('button, a')) act = treeKeys[event.key];
  if (act) { event.preventDefault(); act(); }
});

for (const b of tabs) b.addEventListener('click', () => tab(b.dataset.tab));
$('keys').addEventListener('click', () => $('help').showModal());
$('search').addEventListener('input', (event) => search(event.target.value));
$('search').addEventListener('keydown', (event) => { if (event.key === 'Enter') step(event.shiftKey ? -1 : 1); });
$('only').addEventListener('change', (event) => { only = event.target.value; if (only) closed.fill(0); arrange(); list.scrollTop = 0; });
$('open').addEventListener('click', treeKeys.e);
$('close').addEventListener('click', treeKeys.c);
rows.addEventListener('click', (event) => {
  const e = event.target.closest('.row');
  if (!e) return;
  if (event.target.closest('.fold')) toggle(e.node);
  else pick(e.node, false);
});
rows.addEventListener('dblclick', (event) => { const e = event.target.closest('.row'); if (e) toggle(e.node); });
list.addEventListener('scroll', soon, {passive: true});
addEventListener('resize', () => { measure(); soon(); });
addEventListener('beforeprint', () => { rows.classList.add('all'); draw(true); });
addEventListener('afterprint', () => { rows.classList.remove('all'); draw(); });

if (run) {
  $('at').addEventListener('input', (event) => toCall(event.target.value - 1));
  $('back').addEventListener('click', () => toCall(atCall - 1));
  $('on').addEventListener('click', () => toCall(atCall + 1));
}

document.documentElement.classList.add('js');
if (count > 400) closeFrom(2); // a first look at a large tree
if (data.mark) only = $('only').value = [...data.mark].some((m) => m !== ' ') ? 'changed' : '';
measure();
arrange();
tab('tree');
if (count && innerWidth > 760) pick(shown[0], false);
if (run) toCall(0);
