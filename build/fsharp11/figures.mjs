// Writes bench/results/runtime-async.md from the results.json of a comparison: node build/fsharp11/figures.mjs RESULTS.json
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { renew } from "../documents.mjs";
import { needLaunches, read } from "../results.mjs";
import { environment, names, need11 } from "./rows.mjs";

const root = resolve(dirname(new URL(import.meta.url).pathname), "../..");
const { results, row, figure, shown, control } = read(process.argv[2]);
need11(results);
needLaunches(results, process.argv[2]);
const rows = names.filter(([id]) => !row(id).missing);
const table = rows.map(([id, name]) => {
  const r = row(id);
  const ratio = (key) => (id === results.base ? "1" : shown(r, key));
  const bytes = id === results.base ? "" : Math.round(figure(r, "bytesOverBaseNoEscape")).toLocaleString("en");
  return r.status === "measured" || r.figures?.cpuRatio || id === results.base
    ? `| ${name} | ${bytes} | ${ratio("cpuRatio")} | ${ratio("httpCpuRatio")} |`
    : `| ${name} | ${r.status}: ${r.reason} | | |`;
});

// A goal that is missed stays here as missed, with the reason.
const value = "a function value's result is a type variable, which the runtime has no async form of: each of the 602 calls of functions in a request goes through the ordinary form of the method";
const async =
  "an async method of .NET 11 costs about 2 ns a call over a plain one, of which 3,323 are in a request: the runtime looks up the thread's state and captures contexts, as it does for C#";
const goals = [
  ["interpreter, F# function values, `valueTask`: CPU over plain", figure(row("runtime-value-task"), "cpuRatio"), 1.25, "in process", value],
  ["interpreter, F# function values, `task`: CPU over plain", figure(row("runtime-task"), "cpuRatio"), 1.25, "in process", `${value}, and makes a Task of 72 bytes`],
  ["interpreter, AsyncFunc: CPU over plain", figure(row("runtime-task-func"), "cpuRatio"), 1.1, "in process", async],
  ["FizzBuzz behind Kestrel, AsyncFunc: CPU over plain", figure(row("runtime-task-func"), "httpCpuRatio"), 1.08, "over HTTP", async],
].map(([what, number, limit, measure, why]) => {
  const judge = results.controls.find((one) => one.measure === measure);
  const verdict = Number.isNaN(number) ? "not measured" : !judge?.held ? "not judged" : number <= limit ? "met" : "**missed**";
  const reason = { "**missed**": `Missed: ${what}: ${why}.`, "not judged": `Not judged: ${what}: the control of that measure missed.` }[verdict];
  return { what, number, limit, verdict, reason };
});

const broken = results.controls.filter(({ held }) => !held).map(({ sentence }) => sentence);
const report = [
  "# Runtime async on .NET 11 against its goals",
  "",
  `${environment(results)}, ${results.settings.launches} launches of ${results.settings.pairs} pairs, ${results.startedUtc.slice(0, 10)}; ${control}: differences within this are chance. Renew with \`make bench-dotnet11 PART=fizzbuzz\`.`,
  ...(broken.length > 0 ? ["", `**This run judges nothing where its control missed, and its figures prove nothing there:** ${broken.join(" ")}`] : []),
  ...(results.warnings.length > 0 ? ["", `Warnings of the run: ${results.warnings.join("; ")}.`] : []),
  "",
  `An interpreter evaluates FizzBuzz, 3,323 awaits a request that all complete synchronously, every row compiled for .NET 11 by F# 11 (C# by the SDK's own compiler). Medians of CPU over plain F# with 95 % intervals; bytes without escape analysis.`,
  "",
  "| | bytes over plain | CPU over plain, in process | CPU over plain, over HTTP |",
  "|---|---:|---:|---:|",
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
