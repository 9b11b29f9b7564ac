// Sample results for work on the page and for its tests: realistic figures, and the cases that break pages.
//   node sample.mjs json NAME      prints the results of a sample
//   node sample.mjs page [NAME]    writes dist/NAME.html (default: every sample) from dist/page.html
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { panelSets, rowPanels } from "./sample-panels.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/** Random numbers that are the same in every run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const optimizing = "Optimizing Tasks in F# (2021)";
const benchmarking = "Benchmarking F# 6 Tasks (2021)";

// id, label, family, library, bytes, bytes without escape analysis, ratio in process, ratio over HTTP, published
const figures = [
  ["sync", "plain function", "base", null, 135504, 143448, 1, 1, []],
  ["sync-again", "plain function, again", "control", null, 135504.003, 143447.997, 0.985, 0.99, []],
  ["strand-bare", "strand { } (bare)", "plait", "Plait", 133696, 141640, 1.09, 1.05, []],
  ["strand-bare+sync-fn", "strand { } (bare)", "plait", "Plait", 133696, 141640, 1.04, 1.01, []],
  ["strand-unsafe", "strand { } (unsafe)", "plait", "Plait", 133696, 141640, 1.11, 1.06, []],
  ["strand-unsafe+sync-fn", "strand { } (unsafe)", "plait", "Plait", 133696, 141640, 1.06, 1.03, []],
  ["strand", "strand { }", "plait", "Plait", 133696, 143448, 1.23, 1.12, []],
  ["strand+sync-fn", "strand { }", "plait", "Plait", 133696, 143448, 1.12, 1.07, []],
  ["pooled-value-task", "pooledValueTask { }", "plait", "Plait", 119224, 141640, 1.72, 1.47, []],
  ["pooled-value-task+sync-fn", "pooledValueTask { }", "plait", "Plait", 119224, 141640, 1.51, 1.34, []],
  ["csharp-value-task", "async ValueTask<T>", "csharp", null, 119224, 141640, 1.94, 1.62, []],
  ["csharp-value-task+sync-fn", "async ValueTask<T>", "csharp", null, 119224, 141640, 1.66, 1.45, []],
  ["task", "task { }", "fsharp", "FSharp.Core", 360928, 383344, 2.15, 1.81, [[benchmarking, 70.6, "F# 6 task"]]],
  ["task+sync-fn", "task { }", "fsharp", "FSharp.Core", 307952, 330210, 1.86, 1.63, []],
  ["async", "async { }", "fsharp", "FSharp.Core", 976592, 998400, 4.85, 3.98, [[benchmarking, 36.3, "F# async"]]],
  ["async+sync-fn", "async { }", "fsharp", "FSharp.Core", 783584, 805100, 3.87, 3.16, []],
  ["task-or-value", "TaskOrValue", "published", null, 279280, 301900, 1.67, 1.52, [[optimizing, 34, "TaskOrValue"]]],
  ["task-or-value+sync-fn", "TaskOrValue", "published", null, 235936, 258200, 1.42, 1.33, [[optimizing, 58, "TaskOrValue + sync-caller"]]],
  ["hidden-task", "hidden task", "published", null, 182600, 204900, 1.25, 1.15, [[optimizing, 88, "hidden DTask"]]],
  ["ply-uply", "uply { } (Ply)", "package", "Ply", 119224, 141640, 1.29, 1.21, [[optimizing, 91.5, "Ply uply"], [benchmarking, 97.1, "Ply uply"]]],
];

const versions = { Plait: "0.1.0", "FSharp.Core": "10.1.401", Ply: "0.3.1" };

function verdict({ low, high }, margin) {
  if (high < 1 - margin) return "faster";
  if (low > 1 + margin) return "slower";
  return low >= 1 - margin && high <= 1 + margin ? "same" : "unresolved";
}

function ratioAround(median, luck, launches, pairs, next) {
  const of = Array.from({ length: launches }, () => median * (1 + (next() * 2 - 1) * luck)).sort((a, b) => a - b);
  const middle = of.length % 2 === 1 ? of[(of.length - 1) / 2] : (of[of.length / 2 - 1] + of[of.length / 2]) / 2;
  const [low, high] = launches > 1 ? [of[0], of[of.length - 1]] : [middle * (1 - luck / 2), middle * (1 + luck / 2)];
  return { median: middle, low, high, launches: of, spread: (of[of.length - 1] - of[0]) / middle, pairs: pairs * launches };
}

/** One row of schema 3: a figure that was not measured has no key. */
function row([id, label, family, library, bytes, noEscape, inProcess, http, published], { launches, margin, next }) {
  const base = family === "base";
  const side = (centre, luck) => {
    if (base) return { value: 1 };
    const { median: value, ...more } = ratioAround(centre, luck, launches, 6, next);
    return { value, ...more, verdict: verdict(more, margin) };
  };
  const syncFn = id.endsWith("+sync-fn");
  const served = side(http, 0.035);
  const inside = side(inProcess, 0.018);
  const wraps = !base && family !== "control";
  const figure = (value) => ({ value });
  return {
    id,
    candidate: id.replace("+sync-fn", ""),
    factors: syncFn ? { calls: "sync-fn" } : {},
    label: syncFn ? `${label} + sync-fn` : label,
    family,
    library,
    libraryVersion: versions[library] ?? null,
    status: "measured",
    reason: null,
    correct: true,
    figures: {
      bytesPerOperation: figure(bytes),
      bytesPerOperationNoEscape: figure(noEscape),
      cpuRatio: inside,
      cpuMicroseconds: figure(43.3 * inside.value),
      ...(wraps ? { nanosecondsPerWrapper: figure(((inside.value - 1) * 43_300) / (syncFn ? 2721 : 3323)) } : {}),
      httpCpuRatio: served,
      httpCpuMicroseconds: figure(65.3 * served.value),
      httpRequestsPerSecond: figure(10764 / served.value),
      httpCapacityPercent: figure(100 / served.value),
    },
    errors: { status: 0, length: 0, connection: 0, timeout: 0 },
    published: published.map(([source, percentOfSync, note]) => ({ source, percentOfSync, note })),
  };
}

const controlOf = (measure, held, shown, sentence) => ({ measure, held, id: "sync-again", ratio: shown, sentence, limit: 0.1, added: 0 });
const heldIn = (measure, shown) => controlOf(measure, true, shown, `A/A control sync-again: ${shown} ${measure}`);
const missedIn = (measure, shown) => {
  const place = measure[0].toUpperCase() + measure.slice(1);
  return controlOf(measure, false, shown, `${place} nothing is judged: the A/A control sync-again, the base once more, came out ${shown} instead of 1.00 within 3 % and an interval of at most 10 %; close other programs and measure again, or longer.`);
};
const controls = [heldIn("in process", "0.99 (0.97-1.01)"), heldIn("over HTTP", "0.99 (0.96-1.02)")];

/** The rows' panels stand around the scenario's own, as F# writes them into the page. */
function withRowPanels(results) {
  const { before, after } = rowPanels(results);
  return { ...results, panels: [...before, ...results.panels, ...after] };
}

function plain({ launches = 3 } = {}) {
  const next = random(1);
  const margin = 0.03;
  return {
    schema: "plait-results/5",
    scenario: "fizzbuzz",
    title: "FizzBuzz, interpreted in every way of writing async",
    startedUtc: "2026-11-21T05:00:00Z",
    endedUtc: "2026-11-21T05:09:20Z",
    complete: true,
    invalid: false,
    command: "plait lab fizzbuzz --seed 1",
    seed: 1,
    base: "sync",
    margin,
    settings: { launches, pairs: 6, sliceMilliseconds: 150, warmUpMilliseconds: 4000, connections: 32 },
    environment: {
      os: "Debian GNU/Linux 12 (bookworm)", kernel: "6.18.0", architecture: "X64", cpu: "AMD EPYC 9B14", cores: 2,
      runtime: ".NET 10.0.12", sdk: "10.0.401", gc: "workstation, non-concurrent", tieredPgo: true,
      git: "abc1234", dirty: false, serverCore: 0, clientCore: 1, pinning: "Linux affinity",
      busyCores: 0.4, stealPercent: 0.037202380952,
      packages: { "FSharp.Core": "10.1.401", Plait: "0.1.0" }, variables: { DOTNET_TieredPGO: "1" },
    },
    answer: "strand costs 1.23 x plain code, task 2.15 x, async 4.85 x.",
    summary: null,
    controls,
    warnings: [],
    trust: "fair (rely on bytes, and on ratios whose intervals are narrow)",
    facts: [
      { title: "Base", figure: "43.3 µs", words: "CPU per operation (plain function)" },
      { title: "strand", figure: "1.23 ×", words: "the CPU of plain code" },
      { title: "async", figure: "4.85 ×", words: "the CPU of plain code" },
    ],
    figures: [],
    factors: [{ name: "calls", value: "sync-fn", explanation: "pure functions are called without a wrapper" }],
    rows: figures.map((of) => row(of, { launches, margin, next })),
    panels: [],
    stopping: {
      rule: "launches go on until every interval is at most 5.0 % wide, at least 3 of them", width: 0.05, widest: 0.043,
      widestRow: "task", budgetSeconds: 1800, launches, reason: `every interval is at most 5.0 % wide after ${launches} launches`,
      stealLimit: 0.05, droppedPairs: { task: 2, strand: 0 },
    },
  };
}

const full = (options) => withRowPanels(plain(options));

/** A run without rows: panels alone. */
function panelsOnly(set, fields) {
  const settings = { launches: 0, pairs: 0, sliceMilliseconds: 0, warmUpMilliseconds: 0, connections: 64 };
  return { ...plain(), rows: [], factors: [], facts: [], answer: "", controls: [], base: "", margin: 0, settings, stopping: null, panels: panelSets[set](random(7)), ...fields };
}

const attack = () =>
  panelsOnly("every", {
    scenario: "attack", title: "Load on http://127.0.0.1:5000/", command: "plait attack http://127.0.0.1:5000/ --rate 1000/s --duration 30s", endedUtc: "2026-11-21T05:00:34Z",
    answer: "1,000 requests a second for 30 s, every one sent and answered; one in ten waited behind a stall that the clock of actual sending does not see.",
    facts: [
      { title: "Requests", figure: "30,000", words: "30,000 right, none failed" },
      { title: "p50", figure: "1.31 ms", words: "from the intended start" },
      { title: "p99", figure: "942 ms", words: "17.2 ms from actual sending" },
      { title: "Maximum", figure: "1.00 s", words: "at 26.0 s" },
      { title: "Generator", figure: "9 % busy", words: "lag p99 0.04 ms" },
    ],
  });

/** A look at a process: no launches, no seed, and little known of the machine. */
const doctor = () => ({
  ...panelsOnly("doctor", {
    scenario: "doctor", title: "Orders, process 4711", command: "plait doctor 4711 --html page.html", endedUtc: "2026-11-21T05:00:08Z", seed: 0, stopping: undefined,
    answer: "STARVED: work waits because its threads are blocked.",
    summary: "dotnet Orders.dll, on 2 processors; the diagnostics port, 0.6 s.",
    settings: { launches: 0, pairs: 0, sliceMilliseconds: 0, warmUpMilliseconds: 0, connections: 0 },
    facts: [
      { title: "Queue", figure: "994", words: "work items wait" },
      { title: "Completed", figure: "3.3 /s", words: "an item queued now waits 5 min 1 s" },
      { title: "Blocked", figure: "19 of 20", words: "workers of the pool" },
      { title: "CPU", figure: "4 %", words: "of 2 processors" },
    ],
    environment: {
      os: "not known", kernel: null, architecture: "not known", cpu: null, cores: 2, runtime: ".NET 10.0.12", sdk: null, gc: "not known", tieredPgo: false,
      git: null, dirty: false, serverCore: null, clientCore: null, pinning: "not known", busyCores: null, stealPercent: null, packages: {}, variables: {},
    },
  }),
});

/** A run with those figures of its rows alone whose keys pass. */
function onlyFigures(passes, fields) {
  const results = plain();
  const rows = results.rows
    .filter((row) => row.factors.calls === undefined)
    .map((row) => ({ ...row, published: [], figures: Object.fromEntries(Object.entries(row.figures).filter(([key]) => passes(key))) }));
  return withRowPanels({ ...results, rows, factors: [], facts: [], ...fields });
}

/** Measured in process alone, and no request at all: two yields, then return. */
const inProcess = () =>
  onlyFigures((key) => !key.startsWith("http") && key !== "bytesPerOperationNoEscape", { scenario: "yield", title: "Two yields, then return", command: "plait lab yield", panels: panelSets.blocking(random(3)) });

/** Measured over HTTP alone. */
const overHttp = () =>
  onlyFigures((key) => key.startsWith("http"), {
    scenario: "adapter", title: "An adapter over a slow service", command: "plait lab adapter", panels: panelSets.runs(random(3)),
    summary: "A library in F# hides a REST service behind a contract for C#. This run compares the cost of a request with each way in which the library can wait. The service answers with delay 10 ms and fails once in a thousand. Every route has these defects: none. Trust bytes first, then ratios of CPU; latencies depend on the machine.",
  });

const unmeasured = { figures: {}, errors: null, correct: null };

function failed() {
  const results = plain();
  results.complete = false;
  results.trust = "low (the run is not complete)";
  results.warnings = [
    "The load average was 3.1 when the run began; figures taken beside other work spread more.",
    "The service that was measured shared its core with another process for 4 % of the time.",
    "task { }: not every HTTP request succeeded (3 timeout, of 5,970 requests).",
  ];
  const change = (id, fields) => Object.assign(results.rows.find((r) => r.id === id), fields);
  change("async", { ...unmeasured, status: "failed", reason: "The process ended with exit code 134 while it was warming up." });
  for (const id of ["ply-uply", "task-or-value+sync-fn"]) change(id, { ...unmeasured, status: "not available", reason: "The packages are not restored on this machine: --packages fetches them." });
  const hidden = results.rows.find((r) => r.id === "hidden-task");
  hidden.figures = Object.fromEntries(Object.entries(hidden.figures).filter(([key]) => !key.startsWith("http")));
  change("hidden-task", { status: "partial", reason: "The run was stopped before its HTTP part." });
  change("task-or-value", { correct: false, reason: null });
  return withRowPanels(results);
}

/** Marks a measure whose control missed, as F# does: its figures, its plots, and its columns in the table of all rows. */
function missing(results, measure, shown) {
  const isMissed = measure === "over HTTP" ? (key) => key.startsWith("http") : (key) => key.startsWith("cpu") || key.startsWith("nano");
  for (const { figures } of results.rows) {
    for (const [key, figure] of Object.entries(figures)) if (isMissed(key)) figure.verdict = "not judged";
  }
  const missed = missedIn(measure, shown);
  return { ...results, controls: results.controls.map((control) => (control.measure === measure ? missed : control)), trust: `fair (nothing is judged ${measure})` };
}

/** With the panels of the rows, those of a missed measure marked. */
function withMarkedPanels(results) {
  const marked = withRowPanels(results);
  const why = (measure) => marked.controls.find((control) => control.measure === measure && !control.held)?.sentence ?? null;
  const measures = { "cpu-in-process": "in process", "cpu-over-http": "over HTTP", capacity: "over HTTP" };
  for (const panel of marked.panels) panel.notJudged = why(measures[panel.id]);
  const table = marked.panels.at(-1).plot;
  for (const column of table.columns) if (why(column.group) !== null) Object.assign(column, { group: `${column.group}, not judged`, better: "neither" });
  return marked;
}

/** Over HTTP the base against itself missed 1; in process it held. */
const controlFailed = () =>
  withMarkedPanels({
    ...missing(plain(), "over HTTP", "0.97 (0.88-1.07)"),
    answer: "strand costs 1.23 x plain code, task 2.15 x, async 4.85 x; over HTTP nothing is judged.",
    warnings: ["The load average was 5.2 when the run began."],
  });

/** It missed in both. */
function nothingJudged() {
  const results = missing(missing(plain(), "in process", "1.12 (1.01-1.30)"), "over HTTP", "0.97 (0.88-1.07)");
  return withMarkedPanels({ ...results, answer: "", facts: [], trust: "low (rely on bytes in process alone)" });
}

function hostile() {
  const results = plain();
  const texts = [
    "</script><script>window.hurt = 1</script>",
    "<img src=x onerror=\"window.hurt = 2\">",
    "\"><svg onload=window.hurt=3>",
    "=HYPERLINK(\"x\")",
    "a name \u202e that turns, and a tab\t, a \u0000 and a quote \" and a comma,",
    "<!--", "${window.hurt = 4}", "$& $1 $`",
  ];
  results.rows.forEach((r, i) => { r.label = texts[i % texts.length]; r.library = texts[(i + 1) % texts.length]; });
  Object.assign(results.rows[3], { ...unmeasured, id: texts[0], status: "failed", reason: texts[1] });
  Object.assign(results, { title: texts[0], scenario: texts[1], command: texts[2], warnings: texts, answer: texts[1], summary: texts[2], facts: [{ title: texts[0], figure: texts[1], words: texts[2] }] });
  results.environment[texts[1]] = texts[0];
  return withRowPanels(results);
}

function sixty() {
  const results = plain();
  const more = [1, 2, 3].flatMap((k) =>
    results.rows.map((r) => (k === 1 ? r : {
      ...structuredClone(r), id: `${r.id}-${k}`, family: r.family === "base" ? "control" : r.family,
      label: k === 3 ? `${r.label} in a form whose name is far longer than any label on an axis ought to be` : `${r.label} ${k}`,
    })));
  return withRowPanels({ ...results, rows: more });
}

function nulls() {
  const results = plain();
  for (const r of results.rows.slice(2)) {
    const { bytesPerOperation, cpuRatio } = r.figures;
    r.figures = { bytesPerOperation, cpuRatio: { value: cpuRatio.value } };
    r.library = null;
  }
  delete results.rows[2].figures.cpuRatio;
  delete results.rows[3].figures.bytesPerOperation;
  return withRowPanels({ ...results, controls: [], environment: { os: null, cores: 2, packages: {}, clientCore: null, pinning: "this platform cannot pin" }, command: null });
}

/** The samples by name. */
export const samples = {
  full,
  failed,
  "control-failed": controlFailed,
  "nothing-judged": nothingJudged,
  hostile,
  sixty,
  nulls,
  "one-launch": () => full({ launches: 1 }),
  empty: () => ({ ...plain(), complete: false, endedUtc: "2026-11-21T05:00:09Z", answer: "", controls: [], facts: [], factors: [], rows: [] }),
  "all-failed": () => {
    const r = plain();
    return { ...r, complete: false, answer: "", controls: [], facts: [], rows: r.rows.map((x) => ({ ...x, ...unmeasured, status: "failed", reason: "It could not be started.", published: [] })) };
  },
  nothing: () => ({}),
  attack,
  "in-process": inProcess,
  "over-http": overHttp,
  runs: () => panelsOnly("runs", { scenario: "report", title: "Three runs compared", command: "plait report base.json async.json task.json" }),
  doctor,
  deep: () => panelsOnly("deep", { title: "Deep stacks" }),
  million: () => panelsOnly("million", { title: "A million requests" }),
  crowd: () => panelsOnly("crowd", { title: "Fifty thousand points" }),
  broken: () => panelsOnly("broken", { title: "Panels with every fault" }),
  earlier: () => ({ ...full(), schema: "plait-results/4" }),
};

/** The page with results inside, as the tool makes it. */
export function inject(page, results) {
  const safe = JSON.stringify(results).replaceAll("<", "\\u003c");
  return page.replace("<!--PLAIT-RESULTS-->", () => `<script type="application/json" id="plait-results">${safe}</script>`);
}

const [verb, name] = process.argv.slice(2);
if (name !== undefined && !(name in samples)) throw new Error(`There is no sample ${name}; there are ${Object.keys(samples).join(", ")}.`);
if (verb === "json") process.stdout.write(JSON.stringify(samples[name](), null, 2));
if (verb === "page") {
  const page = await readFile(join(here, "dist/page.html"), "utf8");
  for (const each of name === undefined ? Object.keys(samples) : [name]) {
    await writeFile(join(here, "dist", `${each}.html`), inject(page, samples[each]()));
  }
}
