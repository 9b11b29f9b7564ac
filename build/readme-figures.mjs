// Sets the figures of a real run into the README: node build/readme-figures.mjs RESULTS.json
// The first table comes from a results.json of `plait lab fizzbuzz`, the second from bench/results/kernels.md.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(dirname(new URL(import.meta.url).pathname), "..");
const [, , file] = process.argv;
if (!file) {
  console.error("name a results.json of `plait lab fizzbuzz`, for example artifacts/lab/fizzbuzz-latest/results.json");
  process.exit(2);
}
const results = JSON.parse(readFileSync(file, "utf8"));
const row = (id) => results.rows.find((r) => r.id === id) ?? { missing: true };
const base = row(results.base);
const names = [
  ["sync", "plain F#"],
  ["strand-bare", "`strand`, Unsafe.Bare"],
  ["strand-unsafe", "`strand`, Unsafe"],
  ["strand", "**`strand`**"],
  ["pooled-value-task", "**`pooledValueTask`**"],
  ["csharp-value-task", "C# `async ValueTask`"],
  ["task", "FSharp.Core `task`"],
  ["async", "F# `async`"],
];
const cpu = (r) => (r.cpuRatio ? `${r.cpuRatio.median.toFixed(2)} (${r.cpuRatio.low.toFixed(2)}-${r.cpuRatio.high.toFixed(2)})` : "-");
const table = names
  .map(([id, name]) => [row(id), name])
  .filter(([r]) => !r.missing)
  .map(([r, name]) => {
    const extra = Math.round((r.bytesPerOperationNoEscape ?? NaN) - base.bytesPerOperationNoEscape);
    const bytes = Number.isNaN(extra) ? "-" : r === base ? "" : Math.abs(extra) < 8 ? "0" : extra.toLocaleString("en");
    const ratio = r === base ? "1" : cpu(r);
    const capacity = r === base ? "100 %" : r.http ? `${r.http.capacityPercent.toFixed(0)} %` : "-";
    return `| ${name} | ${bytes} | ${ratio} | ${capacity} |`;
  });

const kernels = readFileSync(join(root, "bench/results/kernels.md"), "utf8");
const section = (title) => kernels.split("\n## ").find((s) => s.startsWith(title)) ?? "";
const figures = (title, name) => {
  const line = section(title).split("\n").find((l) => l.startsWith(`| ${name} |`));
  return line ? line.split("|").map((c) => c.trim()).slice(2) : ["-", "-"];
};
const yields = "Two Task.Yield()";
const gate = "Two suspensions, in thread (custom awaiter)";
const flight = "1000 in flight";
const kernel = [
  ["pooledValueTask", "**`pooledValueTask`**"],
  ["strand", "**`strand`**"],
  ["C# pooling ValueTask", "C# with the BCL's pooling builder"],
  ["C# ValueTask", "C# `async ValueTask`"],
  ["F# task", "FSharp.Core `task`"],
].map(([id, name]) => `| ${name} | ${figures(yields, id)[0]} | ${figures(gate, id)[0]} | ${figures(flight, id)[0]} | ${figures(gate, id)[1]} |`);

const text = [
  "An interpreter runs FizzBuzz with everything wrapped, 3,300 awaits a request and none of them waits",
  `(${results.environment.runtime}, ${results.environment.cpu}, ${results.settings.launches} launches; medians with 95 % intervals):`,
  "",
  "| | bytes over plain | CPU over plain, in process | capacity over HTTP |",
  "|---|---:|---:|---:|",
  ...table,
  "",
  "Suspending twice: bytes per operation, and time over the BCL's pooling builder in thread (the two yields of the strand",
  "include the Task that the waiting C# loop needs):",
  "",
  "| | two yields | two custom awaits | 1,000 in flight | time |",
  "|---|---:|---:|---:|---:|",
  ...kernel,
].join("\n");

const readme = readFileSync(join(root, "README.md"), "utf8");
const [before, rest] = readme.split("<!-- figures: begin -->");
const [, after] = rest.split("<!-- figures: end -->");
writeFileSync(join(root, "README.md"), `${before}<!-- figures: begin -->\n${text}\n<!-- figures: end -->${after}`);
