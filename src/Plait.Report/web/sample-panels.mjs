// Samples of panels for sample.mjs: every kind with figures such as scenarios have, and panels that break pages.

const axis = (label, scale = "linear", decimals = undefined) => ({ label, scale, decimals });

const panel = (kind, id, title, note, plot) => ({ id, title, note, plot: { kind, ...plot } });
const series = (label, points, { family = "", style = "line", of = points.length } = {}) => ({ label, family, points, of, style });
const item = (label, family, value, more = {}) => ({ label, family, value, low: null, high: null, other: null, word: null, note: null, ...more });
const column = (title, decimals = null, better = "neither", group = "", explanation = "") => ({ title, group, decimals, better, explanation });

/** The panels that F# makes of a run's rows: the plots of their figures and the table of all of them. */
export function rowPanels({ rows, base, margin }) {
  const right = rows.filter((row) => row.correct !== false && row.status !== "not available");
  const nameOf = (row) => row.label + (row.status === "measured" ? "" : ` (${row.status})`);
  const of = (row, key) => row.figures[key] ?? null;
  const having = (key) => right.filter((row) => row.family !== "base" && of(row, key) !== null);
  const first = (row) => row.published[0]?.percentOfSync ?? null;
  const plotted = (kind, id, title, note, key, better, plot, make) => {
    const found = having(key).sort((a, b) => (of(a, key).value - of(b, key).value) * (better === "lower" ? 1 : -1));
    return found.length === 0 ? [] : [panel(kind, id, title, note, { ...plot, items: found.map((row) => item(nameOf(row), row.family, of(row, key).value, make(row, of(row, key)))) })];
  };
  const forest = (id, place, key, cpu) =>
    plotted("forest", id, `CPU ${place}, against plain code`, "How many times the CPU of plain code one operation takes. Left is cheaper.", key, "lower",
      { x: axis("CPU over base (x)", "log", 2), reference: 1, margin, other: null }, (row, { low, high, launches, verdict }) => ({ low, high, launches, word: verdict, note: cpu in row.figures ? `${row.figures[cpu].value.toFixed(1)} µs CPU` : null }));
  const bytesOfBase = rows.find((row) => row.id === base)?.figures.bytesPerOperation?.value ?? 0;
  const cell = (row, key) => {
    const figure = of(row, key);
    return figure === null ? null : figure.low === undefined ? figure.value : { value: figure.value, low: figure.low, high: figure.high };
  };
  const figure = (key, title, decimals, better, group, said) => ({ column: column(title, decimals, better, group, said), of: (row) => cell(row, key), there: rows.some((row) => of(row, key) !== null) });
  const words = (title, group, said, of) => ({ column: column(title, null, "neither", group, said), of, there: rows.some((row) => of(row) !== null) });
  const columns = [
    words("Row", "", "", (row) => row.label),
    words("Status", "", "Whether all of the row's figures were measured", (row) => row.status),
    figure("bytesPerOperation", "B", 0, "lower", "", "Bytes that one operation allocates, median over launches"),
    figure("cpuRatio", "CPU ratio", 2, "lower", "in process", "CPU time of one operation over the base's, median of pairs, with its 95 % interval"),
    words("Verdict", "in process", "The CPU ratio against the margin", (row) => of(row, "cpuRatio")?.verdict ?? null),
    figure("cpuMicroseconds", "CPU (µs)", 1, "lower", "in process", "CPU time of one operation"),
    figure("nanosecondsPerWrapper", "ns per wrapper", 1, "lower", "in process", "CPU beyond the base's, over the values of the builder that an operation makes"),
    figure("httpCpuRatio", "CPU ratio", 2, "lower", "over HTTP", "CPU time of one request over the base's, server with all that Kestrel does"),
    figure("httpRequestsPerSecond", "Requests/s", 0, "higher", "over HTTP", "Requests answered in a second, median over slices"),
    figure("httpCapacityPercent", "Capacity (%)", 0, "higher", "over HTTP", "Requests a second, in per cent of the base's"),
    words("Library", "about", "", (row) => row.library),
  ].filter(({ there }) => there);
  const sorted = [...rows].sort((a, b) => ((of(a, "cpuRatio") ?? of(a, "httpCpuRatio"))?.value ?? 1e9) - ((of(b, "cpuRatio") ?? of(b, "httpCpuRatio"))?.value ?? 1e9));
  const table = panel("table", "rows", "All figures", "", {
    columns: columns.map(({ column }) => column),
    rows: sorted.map((row) => columns.map(({ of }) => of(row))),
  });
  return {
    before: [
      ...forest("cpu-in-process", "in process", "cpuRatio", "cpuMicroseconds"),
      ...forest("cpu-over-http", "over HTTP", "httpCpuRatio", "httpCpuMicroseconds"),
      ...plotted("bars", "bytes", "Bytes beyond plain code", "The bytes of one operation beyond the base: the figure that repeats best.", "bytesPerOperation", "lower",
        { x: axis("Bytes over base (B)", "linear", 0), reference: null, other: "escape analysis off" }, (row, { value }) => ({ value: value - bytesOfBase, other: of(row, "bytesPerOperationNoEscape") === null ? null : of(row, "bytesPerOperationNoEscape").value - bytesOfBase })),
      ...plotted("bars", "capacity", rows.some((row) => first(row) !== null) ? "Capacity beside the published one" : "Capacity", "Requests a second in per cent of the base.", "httpCapacityPercent", "higher",
        { x: axis("Capacity (%)", "linear", 0), reference: 100, other: "published" }, (row) => ({ other: first(row) })),
    ],
    after: rows.length === 0 ? [] : [table],
  };
}

/** Latencies in ms that a server with collections and, at times, a stall of a second would have. */
function latencies(count, seconds, next, { middle = 1.3, stalls = true } = {}) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return Array.from({ length: count }, (_, i) => {
    const at = (i / count) * seconds;
    const collection = next() < 0.004 ? 6 + 14 * next() : 0;
    const stall = stalls && at % 10 > 6 && at % 10 < 7 ? (7 - (at % 10)) * 1000 : 0;
    return [at, middle * Math.exp(0.28 * normal()) + collection + stall];
  });
}

const round = (value) => Number(value.toPrecision(4));

/** Percentiles of the values as HdrHistogram lists them: ever closer to 100. */
function percentileCurve(values) {
  const sorted = values.map(([, y]) => y).sort((a, b) => a - b);
  const points = [];
  for (let left = 1; left * sorted.length >= 1; left /= 1.12) {
    const index = Math.min(sorted.length - 1, Math.floor((1 - left) * sorted.length));
    points.push([100 * (1 - left), round(sorted[index])]);
  }
  return [...points, [100, round(sorted.at(-1))]];
}

function bySecond(values, seconds, of) {
  const groups = Array.from({ length: seconds }, () => []);
  for (const [at, y] of values) groups[Math.min(seconds - 1, Math.floor(at))].push(y);
  return groups.map((group, at) => [at, round(of(group.sort((a, b) => a - b)))]);
}

const percentile = (p) => (group) => group[Math.min(group.length - 1, Math.floor(group.length * p))] ?? 0;

/** So many points of all: the highest and lowest of each stretch. */
export function thin(values, most) {
  const stretches = most / 2;
  const found = [];
  for (let s = 0; s < stretches; s++) {
    const group = values.slice(Math.floor((s * values.length) / stretches), Math.floor(((s + 1) * values.length) / stretches));
    let [low, high] = [group[0], group[0]];
    for (const one of group) {
      if (one[1] < low[1]) low = one;
      if (one[1] > high[1]) high = one;
    }
    found.push(...[low, high].sort((a, b) => a[0] - b[0]).map(([x, y]) => [Math.round(x * 1e4) / 1e4, round(y)]));
  }
  return found;
}

function attackPanels(next) {
  const seconds = 30;
  const intended = latencies(30_000, seconds, next);
  const actual = intended.map(([at, y]) => [at, y > 60 ? 1.2 + next() : y]);
  const over = (of) => bySecond(intended, seconds, of);
  const table = (values) => [0.5, 0.9, 0.95, 0.99, 0.999].map((p) => percentile(p)(values.map(([, y]) => y).sort((a, b) => a - b)));
  const lag = latencies(30_000, seconds, next, { middle: 0.02, stalls: false });
  return [
    panel("lines", "latency-over-time", "Latency over time", "Latency of each second, from the moment at which a request was due. A stalled server shows as a tooth, as long as the stall and as high.", {
      x: axis("time (s)"), y: axis("latency (ms)", "log"),
      series: [series("p50", over(percentile(0.5))), series("p90", over(percentile(0.9))), series("p99", over(percentile(0.99))), series("maximum", over(percentile(1)), { style: "dashed" })],
    }),
    panel("lines", "requests", "Every request", "One dot a request: when it was due, and how long it took.", {
      x: axis("time (s)"), y: axis("latency (ms)", "log"), series: [series("right", thin(intended, 6000), { style: "dots", of: 30_000 })],
    }),
    panel("percentiles", "percentiles", "Percentiles of latency", "The same requests by two clocks. Where the curves part, requests waited before they could be sent.", {
      y: axis("latency (ms)", "log"), series: [series("from intended start", percentileCurve(intended)), series("from actual sending", percentileCurve(actual), { style: "dashed" }), series("lag of the generator", percentileCurve(lag), { style: "step", family: "control" })],
    }),
    panel("lines", "in-flight", "Requests in flight", "How many requests were on their way at the end of each second.", {
      x: axis("time (s)"), y: axis("requests"), series: [series("in flight", bySecond(intended, seconds, (g) => (g.at(-1) > 60 ? Math.min(64, Math.round(g.at(-1))) : 1 + Math.floor(next() * 3))), { style: "step" })],
    }),
    panel("bars", "results", "Results of the requests", "", { x: axis("requests"), items: [item("right", "plait", 30_000), item("timed out", "", 12), item("reset", "", 3)] }),
    panel("table", "latency-table", "Latency in figures", "Milliseconds.", {
      columns: [column("Clock"), ...["p50", "p90", "p95", "p99", "p99.9"].map((p) => column(p, 2, "lower"))],
      rows: [["intended start", ...table(intended)], ["actual sending", ...table(actual)]],
    }),
  ];
}

/** Sleeping in async, in ways that hold threads and ways that do not. */
function blockingPanels(next) {
  const ways = [["Async.Sleep", "fsharp", 0.5, 4], ["Thread.Sleep, Async.Parallel", "fsharp", 28, 40], ["Task.Run, MinThreads 100", "csharp", 5.2, 110], ["SwitchToNewThread", "control", 0.9, 1004]];
  const threads = ([label, family, wall, most]) =>
    series(label, Array.from({ length: 60 }, (_, i) => [i * 0.5, Math.round(Math.min(most, 4 + (i * 0.5 > wall + 1 ? 0 : (most * Math.min(1, (i * 0.5 + 0.2) / Math.min(wall, 20))))) + next())]), { family, style: "step" });
  return [
    panel("lines", "threads", "Threads over time", "Threads of the process while 1,000 jobs wait half a second each.", { x: axis("time (s)"), y: axis("threads", "log"), series: ways.map(threads) }),
    panel("bars", "wall", "Wall time", "The time of all 1,000 jobs; outlined: the published figure.", {
      x: axis("seconds (s)", "log", 2), reference: 0.5, other: "published (8 cores)", items: ways.map(([label, family, wall], i) => item(label, family, wall, { other: [0.558, 28, null, null][i], low: wall * 0.97, high: wall * 1.04, note: i === 1 ? "starved: the pool grew by one or two threads a second" : null })),
    }),
  ];
}

function forest() {
  return panel("forest", "routes", "Cost of the adapter, by route", "CPU for a request over that of the route without an adapter.", {
    x: axis("CPU ÷ base", "linear", 2), reference: 1, margin: 0.03, other: "over HTTP at 30 % load",
    items: [
      item("base, again", "control", 0.99, { low: 0.97, high: 1.02, word: "same" }),
      item("strand", "plait", 1.01, { low: 0.99, high: 1.03, launches: [0.99, 1.02], other: 1.02, word: "same" }),
      item("task", "fsharp", 1.06, { low: 1.03, high: 1.08, other: 1.04, word: "slower" }),
      item("async (StartAsTask)", "fsharp", 1.21, { low: 1.15, high: 1.26, other: 1.17, word: "slower" }),
      item("sync over async", "", 1.88, { low: 1.6, high: 2.3, word: "slower", note: "the pool starved in one launch of three" }),
    ],
  });
}

function runs(next) {
  const made = [["async, 500/s", 1.9, 0.5], ["task, 500/s", 1.7, 0.3], ["base, 500/s", 1.65, 0.2]].map(([label, middle]) => [label, latencies(15_000, 30, next, { middle, stalls: false })]);
  return [
    panel("percentiles", "percentiles", "Percentiles of latency", "From the intended start.", { y: axis("latency (ms)"), series: made.map(([label, values]) => series(label, percentileCurve(values))) }),
    panel("lines", "p99", "99th percentile over time", "", { x: axis("time (s)"), y: axis("latency (ms)"), series: made.map(([label, values]) => series(label, bySecond(values, 30, percentile(0.99)))) }),
    panel("table", "figures", "Runs in figures", "", {
      columns: [column("Run"), column("Requests/s", 0, "higher", "", "Requests answered in a second"), column("p50 (ms)", 2, "lower", "Latency", "Half of the requests were faster"), column("p99 (ms)", 2, "lower", "Latency"), column("Note")],
      rows: made.map(([label, values], i) => [label, 500 - i, ...[0.5, 0.99].map((p) => percentile(p)(values.map(([, y]) => y).sort((a, b) => a - b))), i === 0 ? "43 requests took longer than 100 ms, of 90,000; the others had none above 50 ms in three minutes" : null]),
    }),
  ];
}

/** A million requests, thinned, one of which took far longer than all others. */
function million(next) {
  const all = latencies(1_000_000, 60, next, { stalls: false });
  all[654_321][1] = 777;
  return [panel("lines", "requests", "Every request", "", { x: axis("time (s)"), y: axis("latency (ms)"), series: [series("right", thin(all, 12_346), { style: "dots", of: all.length }), series("as a line", thin(all, 12_346), { of: all.length })] })];
}

function crowd(next) {
  const points = latencies(50_000, 60, next).map(([x, y]) => [Number(x.toFixed(4)), round(y)]);
  return [panel("lines", "crowd", "Fifty thousand points", "", { x: axis("time (s)"), y: axis("latency (ms)", "log"), series: [series("line", points), series("dots", points, { style: "dots" })] })];
}

const frame = (name, note, value, { tone = "", word = null } = {}, ...children) => ({ name, note, value, tone, word, children });

/** A process whose pool starves: most workers sleep, some wait for a lock, and one computes. */
function doctorPanels() {
  const time = axis("time (s)");
  const times = Array.from({ length: 40 }, (_, i) => Math.round(i * 2) / 10);
  const sleeps = { tone: "trouble", word: "sleeps" };
  const locked = { tone: "trouble", word: "waits for a lock" };
  const runs = { tone: "work", word: "runs" };
  return [
    panel("table", "blame", "The lines that hold workers", "Most workers first.", {
      columns: [column("Function"), column("Place"), column("Workers", 0), column("Blocked by"), column("Instead"), column("Rule")],
      rows: [
        ["Orders.work", "src/Orders.fs:10", 17, "sleeps (Thread.Sleep)", "let! it instead: Async.Sleep, or Task.Delay in a task", "PLT201"],
        ["Stock.reserve", "src/Stock.fs:41", 2, "waits for a lock", "a SemaphoreSlim with WaitAsync lets the thread go while it waits", "PLT201"],
      ],
    }),
    panel("flame", "stacks", "Work of the workers", "Stacks of the workers, the outermost function at the bottom. Warm colours are blocked, blue runs.", {
      x: axis("samples"),
      frames: [
        frame("Orders.handle", "src/Orders.fs:22", 1900, {},
          frame("Orders.work", "src/Orders.fs:10, sleeps (Thread.Sleep)", 1700, sleeps),
          frame("Orders.price", "src/Orders.fs:31", 200, {}, frame("Stock.reserve", "src/Stock.fs:41, waits for a lock", 200, locked))),
        frame("Import.run", "src/Import.fs:7", 100, {}, frame("Import.parse", "src/Import.fs:19", 100, runs)),
      ],
    }),
    panel("lines", "queue", "Work that waits", "Work items in the queue of the pool.", { x: time, y: axis("items"), series: [series("queue", times.map((t) => [t, Math.max(0, 994 - Math.round(t * 4))]), { style: "step" })] }),
    panel("lines", "threads", "Threads of the pool", "", { x: time, y: axis("threads"), series: [series("threads", times.map((t) => [t, 9 + Math.floor(t)]), { style: "step" })] }),
    panel("lines", "completed", "Work that is done", "", { x: time, y: axis("completed (1/s)"), series: [series("completed", times.map((t, i) => [t, (i * 7) % 5]), { style: "step" })] }),
  ];
}

/** Three hundred functions, each called by the one before: deeper than any window, with names longer than any bar. */
function deepFlame() {
  let inner = [frame("Deep.last", null, 5, { tone: "trouble", word: "sleeps" })];
  for (let i = 300; i > 0; i--) inner = [frame(`Deep.step${i}<${"Some.Very.Long.Name".repeat(3)}>`, "Deep.fs:1", 5, {}, ...inner)];
  return [panel("flame", "deep", "Deep stacks", "", { x: axis("samples"), frames: inner })];
}

/** Panels with every fault that a file may have. */
const broken = () => [
  null, 7, "text", {}, { id: "x", title: "A pie", plot: { kind: "pie" } }, { id: "main", title: "</script><img src=x onerror=\"window.hurt=9\">", plot: { kind: "lines", series: 3 } },
  panel("lines", "same", "Points of all kinds", "", { series: [series("odd", [[2, 1], [1, 5], null, ["a", 1], [3], [4, null], [5, -1], [6, 0]]), { label: 5, points: {} }, null] }),
  panel("lines", "same", "One point, at zero", "", { y: axis("y", "log"), series: [series("single", [[0, 0]])] }),
  panel("percentiles", "p", "Percentiles out of range", "", { y: axis("y (ms)", "log"), series: [series("odd", [[-5, 1], [0, 1], [50, 2], [100, 3], [120, 9]])] }),
  panel("forest", "f", "No reference", "", { items: [item("", "x", 0), item("below", "plait", -3, { low: -5, high: 1, launches: [null, "a", 2] }), { label: "no value" }, null] }),
  panel("bars", "b", "Zeros on a logarithmic axis", "", { x: axis("B", "log"), items: [item("nothing", "base", 0), item("nothing either", "base", 0, { other: 0 })] }),
  panel("table", "t", "A ragged table", "", { columns: [column("a"), { title: 5, decimals: -7, better: "no" }], rows: [[], ["x"], [1, 2, 3], null, [null, "=1+1"], [{}, { value: "x", low: 1 }]] }),
  panel("flame", "fl", "Frames of all kinds", "", { frames: [null, 3, { name: "<b>none</b>" }, frame("less than its child", 7, 1, { tone: "loud", word: 3 }, frame("</script><b>child</b>", "n", 4, { tone: "trouble" }), { children: "x" }), frame("negative", null, -4)] }),
  panel("flame", "fl0", "No frames", "", { x: axis("samples") }),
  panel("table", "t2", "No columns", "", { rows: [["x"]] }),
];

export const panelSets = { attack: attackPanels, blocking: blockingPanels, runs, million, crowd, broken, doctor: doctorPanels, deep: deepFlame, every: (next) => [...attackPanels(next), forest(), ...blockingPanels(next).slice(1)] };
