// Writes bench/results/fizzbuzz.md from the results.json of a run of `plait lab fizzbuzz`, with its goals, and sets its figures into the
// documents: node build/readme-figures.mjs RESULTS.json
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { kernel, renew } from "./documents.mjs";
import { needLaunches, read } from "./results.mjs";

const root = resolve(dirname(new URL(import.meta.url).pathname), "..");
const [, , file] = process.argv;
const { results, row, figure, shown, control } = read(file);
const base = row(results.base);
const names = [
  ["sync", "plain F#"],
  ["strand-bare", "`strand`, Unsafe.Bare"],
  ["strand-unsafe", "`strand`, Unsafe"],
  ["strand", "`strand`"],
  ["strand-guarded", "`strand`, Guarded"],
  ["pooled-value-task", "`pooledValueTask`"],
  ["csharp-value-task", "C# `async ValueTask`"],
  ["task", "FSharp.Core `task`"],
  ["async", "F# `async`"],
];
// The figures are of both measures.
const missed = results.controls.filter((control) => !control.held);
if (results.controls.length === 0 || missed.length > 0) {
  console.error(missed.map((control) => control.sentence).join("\n") || `${file} has no A/A control`);
  process.exit(3);
}
const limit = results.controls[0].limit;
needLaunches(results, file);
const width = ({ value, low, high }) => (high - low) / value;
const wide = results.rows.flatMap((r) =>
  Object.entries(r.figures ?? {})
    .filter(([key, f]) => /[cC]puRatio$/.test(key) && width(f) > limit)
    .map(([key, f]) => `${r.id}: ${key} ${f.low.toFixed(2)}-${f.high.toFixed(2)}`),
);
if (wide.length > 0) {
  console.error(`these intervals are wider than ${100 * limit} % of their figures; measure longer:\n${wide.join("\n")}`);
  process.exit(3);
}
const table = names
  .map(([id, name]) => [row(id), name])
  .filter(([r]) => !r.missing)
  .map(([r, name]) => {
    const extra = Math.round(figure(r, "bytesOverBaseNoEscape"));
    const bytes = r === base ? "" : Number.isNaN(extra) ? "-" : Math.abs(extra) < 8 ? "0" : extra.toLocaleString("en");
    const ratio = r === base ? "1" : shown(r, "cpuRatio");
    const capacity = r === base ? "100 %" : r.figures?.httpCapacityPercent ? `${shown(r, "httpCapacityPercent")} %` : "-";
    return `| ${name} | ${bytes} | ${ratio} | ${capacity} |`;
  });

// The goals. A goal that is missed stays here as missed, with the reason.
const atMost = (what, figure, limit, why) => ({ what, figure, goal: `at most ${limit}`, met: figure <= limit, why });
const atLeast = (what, figure, limit, why) => ({ what, figure, goal: `at least ${limit}`, met: figure >= limit, why });
const ratio = (id) => figure(row(id), "cpuRatio");
const capacity = (id) => figure(row(id), "httpCapacityPercent");
const extraBytes = Math.max(...["strand", "strand-unsafe", "strand-bare"].map((id) => figure(row(id), "bytesOverBaseNoEscape")));
const pooled = "tried, in [decision 0005](../../docs/decisions/0005-machine-start.md): it came from 2.18; a handler inside MoveNext, the BCL's own start and a failure kept in the box were each slower";
const wrapper = "open: a wrapper still has its frame, the spills around the body and the region of its `try`; to read the thread's fields instead of four public calls saved nothing ([decision 0025](../../docs/decisions/0025-contexts-by-public-calls.md))";
const overHttp = "the interpreter is some 70 % of a request's CPU, so that 94 % over HTTP needs 1.09 in process";
const guarded = "open: besides the cost of a strand, a look at a mark that the thread keeps";
const unsafe = "it is below its goal by less than the control's own interval is wide; in process it meets its goal";
const inThread = "open: decisions [0005](../../docs/decisions/0005-machine-start.md) and [0013](../../docs/decisions/0013-batched-thread-caches.md) brought it this far";
const goals = [
  atMost("CPU over plain, strand-bare", ratio("strand-bare"), 1.12),
  atMost("CPU over plain, strand-unsafe", ratio("strand-unsafe"), 1.12),
  atMost("CPU over plain, strand", ratio("strand"), 1.18, wrapper),
  atMost("CPU over plain, strand-guarded", ratio("strand-guarded"), 1.25, guarded),
  atLeast("capacity over HTTP in %, strand-bare", capacity("strand-bare"), 94),
  atLeast("capacity over HTTP in %, strand-unsafe", capacity("strand-unsafe"), 94, unsafe),
  atLeast("capacity over HTTP in %, strand", capacity("strand"), 94, overHttp),
  atMost("bytes that a strand adds (escape analysis off)", extraBytes, 8),
  atMost("pooled-value-task over csharp-value-task, CPU", ratio("pooled-value-task") / ratio("csharp-value-task"), 0.95, pooled),
  atMost("pooledValueTask over C#'s pooling builder, in thread", Number(kernel("Two suspensions, in thread (custom awaiter)", "pooledValueTask", "time")), 1.05, inThread),
];
const report = [
  "# The FizzBuzz comparison against its goals",
  "",
  `${results.environment.runtime}, ${results.environment.cpu}, ${results.settings.launches} launches, ${results.startedUtc.slice(0, 10)}; ${control}: differences within this are chance. Renew with \`node build/readme-figures.mjs RESULTS.json\`.`,
  "",
  "An interpreter evaluates FizzBuzz, with 3,300 awaits a request that all complete synchronously. Medians with 95 % intervals; bytes without escape analysis.",
  "",
  "| | bytes over plain | CPU over plain, in process | capacity over HTTP |",
  "|---|---:|---:|---:|",
  ...table,
  "",
  "| goal | figure | limit | |",
  "|---|---:|---|---|",
  ...goals.map((g) => `| ${g.what} | ${g.figure.toFixed(g.figure >= 10 ? 0 : 2)} | ${g.goal} | ${g.met ? "met" : "**missed**"} |`),
  ...goals.filter((g) => !g.met && g.why).flatMap((g) => ["", `Missed: ${g.what}: ${g.why}.`]),
  "",
].join("\n");
writeFileSync(join(root, "bench/results/fizzbuzz.md"), report);
renew();
