// Writes bench/results/runtime-async.md from the results.json of the runs that build/fsharp11/bench.sh makes, that of the
// comparison and those of FizzBoom: node build/fsharp11/figures.mjs RESULTS.json [BOOM.json ...]
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { renew } from "../documents.mjs";
import { needLaunches, read } from "../results.mjs";

const root = resolve(dirname(new URL(import.meta.url).pathname), "../..");
const { results, row, figure, shown, control } = read(process.argv[2]);
if (!results.environment.runtime.startsWith(".NET 11.")) {
  console.error(`these results are of ${results.environment.runtime}; run \`plait lab fizzbuzz --runtime 11\``);
  process.exit(2);
}
needLaunches(results, process.argv[2]);
const names = [
  ["sync", "plain F#"],
  ["sync-again", "plain F# again, the control"],
  ["strand-bare", "`strand`, Unsafe.Bare"],
  ["strand-unsafe", "`strand`, Unsafe"],
  ["strand", "`strand`"],
  ["strand-guarded", "`strand`, Guarded"],
  ["runtime-task-func", "**runtime async, `task`, functions as AsyncFuncs**"],
  ["runtime-value-task", "**runtime async, `valueTask`, F# function values**"],
  ["runtime-task", "**runtime async, `task`, F# function values**"],
  ["csharp-runtime-task", "C# runtime async, `async Task`, delegates"],
  ["pooled-value-task", "`pooledValueTask`"],
  ["csharp-value-task", "C# `async ValueTask`"],
  ["task", "FSharp.Core `task`"],
  ["async", "F# `async`"],
].filter(([id]) => !row(id).missing);

// FizzBoom is a panel: CPU of a request, by candidate. Its control: a row's odd rounds against its even ones, each over the mean of its
// round, because rows are compared within a round. The base blocks, and is no row of these.
const rounds = process.argv.slice(3).map((file) => {
  const { plot } = read(file).results.panels.find((panel) => panel.id === "fizzboom");
  const column = plot.columns.findIndex(({ title }) => title === "CPU us");
  return new Map(plot.rows.map((cells) => [cells[0], cells[column]]).filter(([id, cpu]) => id !== results.base && typeof cpu === "number"));
});
const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};
const inRounds = (id) => rounds.map((round) => round.get(id)).filter(Number.isFinite);
const mean = (numbers) => Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
const waiting = [...new Set(rounds.flatMap((round) => [...round.keys()]))];
const always = waiting.filter((id) => rounds.every((round) => round.has(id)));
/** A row over the mean of its round, of the rows that every round has; the median of the rounds. */
const relative = (id, isTaken = () => true) =>
  median(rounds.filter((round, at) => isTaken(at) && round.has(id)).map((round) => round.get(id) / mean(always.map((one) => round.get(one)))));
const microseconds = (id) => median(inRounds(id));
const text = (number, decimals = 0) => (Number.isNaN(number) ? "-" : number.toLocaleString("en", { maximumFractionDigits: decimals }));
const waited = (id) => {
  const all = inRounds(id);
  return all.length === 0 ? "-" : `${text(microseconds(id))} (${text(Math.min(...all))}-${text(Math.max(...all))})`;
};
const same = waiting.map((id) => relative(id, (at) => at % 2 === 0) / relative(id, (at) => at % 2 === 1)).filter(Number.isFinite);
const boom = { low: Math.min(...same), high: Math.max(...same), held: same.length > 0 && same.every((ratio) => Math.abs(ratio - 1) <= 0.05) };

const slowService =
  rounds.length === 0
    ? ""
    : ` FizzBoom is the same with six waits for a slow service, over HTTP: CPU of a request in µs, the median of ${rounds.length} rounds in turn with the least and the most; odd rounds over even ones, each over the mean of its round, its control: ${boom.low.toFixed(2)}-${boom.high.toFixed(2)} over the rows.`;

const table = names.map(([id, name]) => {
  const r = row(id);
  const ratio = (key) => (id === results.base ? "1" : shown(r, key));
  const bytes = id === results.base ? "" : text(Math.round(figure(r, "bytesOverBaseNoEscape")));
  return r.status === "measured" || r.figures?.cpuRatio || id === results.base
    ? `| ${name} | ${bytes} | ${ratio("cpuRatio")} | ${ratio("httpCpuRatio")} | ${waited(id)} |`
    : `| ${name} | ${r.status}: ${r.reason} | | | |`;
});

const ours = ["runtime-task-func", "runtime-value-task", "runtime-task"];
const least = (ids) => ids.filter((id) => inRounds(id).length > 0).sort((a, b) => relative(a) - relative(b))[0];
const best = least(waiting.filter((id) => ours.includes(id)));
const other = least(waiting.filter((id) => !ours.includes(id)));

// A goal that is missed stays here as missed, with the reason.
const value = "a function value's result is a type variable, which the runtime has no async form of: each of the 602 calls of functions in a request goes through the ordinary form of the method";
const async =
  "an async method of .NET 11 costs about 2 ns a call over a plain one, of which 3,323 are in a request: the runtime looks up the thread's state and captures contexts, as it does for C#";
const goals = [
  ["interpreter, F# function values, `valueTask`: CPU over plain", figure(row("runtime-value-task"), "cpuRatio"), 1.25, "in process", value],
  ["interpreter, F# function values, `task`: CPU over plain", figure(row("runtime-task"), "cpuRatio"), 1.25, "in process", `${value}, and makes a Task of 72 bytes`],
  ["interpreter, AsyncFunc: CPU over plain", figure(row("runtime-task-func"), "cpuRatio"), 1.1, "in process", async],
  ["FizzBuzz behind Kestrel, AsyncFunc: CPU over plain", figure(row("runtime-task-func"), "httpCpuRatio"), 1.08, "over HTTP", async],
  [
    best && other
      ? `FizzBoom behind Kestrel: CPU of \`${best}\` over that of \`${other}\`, the best row besides`
      : "FizzBoom behind Kestrel: CPU of the best of these rows over that of the best row besides",
    relative(best) / relative(other),
    1,
    "FizzBoom",
    "most of such a request is the HTTP client and server of .NET, the same in all rows",
  ],
].map(([what, number, limit, measure, why]) => {
  const judge = measure === "FizzBoom" ? boom : results.controls.find((one) => one.measure === measure);
  const verdict = Number.isNaN(number) ? "not measured" : !judge?.held ? "not judged" : number <= limit ? "met" : "**missed**";
  const reason = { "**missed**": `Missed: ${what}: ${why}.`, "not judged": `Not judged: ${what}: the control of that measure missed.` }[verdict];
  return { what, number, limit, verdict, reason };
});

const broken = results.controls.filter(({ held }) => !held).map(({ sentence }) => sentence);
const packages = Object.entries(results.environment.packages).map(([name, version]) => `${name} ${version}`);
const report = [
  "# Runtime async on .NET 11 against its goals",
  "",
  `${results.environment.runtime}, F# 11 (${packages.join(", ")}), ${results.environment.cpu}, ${results.environment.cores} cores, ${results.settings.launches} launches of ${results.settings.pairs} pairs, ${results.startedUtc.slice(0, 10)}; ${control}: differences within this are chance. Renew with \`make bench-dotnet11\`.`,
  ...(broken.length > 0 ? ["", `**This run judges nothing where its control missed, and its figures prove nothing there:** ${broken.join(" ")}`] : []),
  ...(results.warnings.length > 0 ? ["", `Warnings of the run: ${results.warnings.join("; ")}.`] : []),
  "",
  `An interpreter evaluates FizzBuzz, 3,323 awaits a request that all complete synchronously, every row compiled for .NET 11 by F# 11 (C# by the SDK's own compiler). Medians of CPU over plain F# with 95 % intervals; bytes without escape analysis.${slowService}`,
  "",
  "| | bytes over plain | CPU over plain, in process | CPU over plain, over HTTP | FizzBoom, CPU µs |",
  "|---|---:|---:|---:|---:|",
  ...table,
  "",
  "| goal | figure | limit | |",
  "|---|---:|---|---|",
  ...goals.map((g) => `| ${g.what} | ${Number.isNaN(g.number) ? "-" : g.number.toFixed(2)} | at most ${g.limit.toFixed(2)} | ${g.verdict} |`),
  ...goals.filter((g) => g.reason).flatMap((g) => ["", g.reason]),
  "",
].join("\n");
writeFileSync(join(root, "bench/results/runtime-async.md"), report);
renew();
