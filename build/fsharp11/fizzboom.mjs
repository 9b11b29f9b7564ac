// Writes bench/results/runtime-async-fizzboom.md from the results.json of the rounds of FizzBoom, of which there are two or more:
// node build/fsharp11/fizzboom.mjs ROUND.json ...
import { writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { renew } from "../documents.mjs";
import { read } from "../results.mjs";
import { environment, names, need11 } from "./rows.mjs";

const root = resolve(dirname(new URL(import.meta.url).pathname), "../..");
const files = process.argv.slice(2);
if (files.length < 2) {
  console.error("name the results.json of two rounds or more; figures are published with an interval");
  process.exit(2);
}
const runs = files.map((file) => read(file).results);
runs.forEach(need11);
const panels = runs.map(({ panels }) => panels.find(({ id }) => id === "fizzboom"));

// The base blocks, and is no row of these.
const rounds = panels.map(({ plot }, at) => {
  const column = plot.columns.findIndex(({ title }) => title === "CPU us");
  return new Map(plot.rows.map((cells) => [cells[0], cells[column]]).filter(([id, cpu]) => id !== runs[at].base && typeof cpu === "number"));
});
const rows = names.filter(([id]) => rounds.every((round) => round.has(id)));
if (rows.length < 2) {
  console.error("fewer than two rows were measured in every round");
  process.exit(1);
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
// Student's t for 95 %, by degrees of freedom
const t = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14];
/** The geometric mean of ratios, and its interval of 95 %. */
const interval = (ratios) => {
  const logs = ratios.map(Math.log);
  const middle = mean(logs);
  const deviation = Math.sqrt(logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / (logs.length - 1));
  const half = ((t[logs.length - 2] ?? 2) * deviation) / Math.sqrt(logs.length);
  return { value: Math.exp(middle), low: Math.exp(middle - half), high: Math.exp(middle + half) };
};
const shown = ({ value, low, high }) => `${value.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`;
const over = (id, other) => interval(rounds.map((round) => round.get(id) / round.get(other)));

// The control: the candidate that the lab measures twice in each round.
const again = " again";
const twice = rounds.map((round) => {
  const second = [...round.keys()].find((id) => id.endsWith(again));
  return round.get(second) / round.get(second?.slice(0, -again.length));
});
if (twice.some(Number.isNaN)) {
  console.error("a round has no candidate that was measured twice; nothing is judged without this control");
  process.exit(1);
}
const limit = 0.05;
const same = interval(twice);
const held = Math.abs(same.value - 1) <= limit;
const control = `one candidate of each round a second time, over itself: ${shown(same)}`;

const cost = (id) => mean(rounds.map((round) => Math.log(round.get(id))));
const least = (ids) => ids.sort((a, b) => cost(a) - cost(b))[0];
const isOurs = (id) => id.startsWith("runtime-");
const best = least(rows.map(([id]) => id).filter(isOurs));
const other = least(rows.map(([id]) => id).filter((id) => !isOurs(id)));
const ratio = best && other ? over(best, other) : undefined;
const verdict =
  ratio === undefined ? "not measured" : !held ? "not judged: the control missed" : ratio.high <= 1 ? "met" : ratio.low > 1 ? "**missed**" : "level: the interval contains 1";
const theBase = rows.some(([id]) => id === "task") ? "task" : rows[0][0];
const delay = panels[0].title.match(/six waits of (\d+) ms a request, (\d+) connections/);
const report = [
  "# FizzBoom on .NET 11",
  "",
  `${environment(runs[0])}, ${rounds.length} rounds, ${runs[0].startedUtc.slice(0, 10)}; the control, ${control}: ${held ? "differences within this are chance" : `**it missed, its limit is ${limit}, and the figures prove nothing**`}. Renew with \`make bench-dotnet11 PART=fizzboom\`.`,
  "",
  `The interpreter over HTTP, with six waits of ${delay[1]} ms a request for a slow service, one after the other, and ${delay[2]} connections. CPU of a request in µs, behind the warm-up: the mean of the rounds with the least and the most; and over FSharp.Core's \`task\` in the same round, with an interval of 95 %. Every round has the same order.`,
  "",
  `| | CPU, µs | CPU over ${theBase === "task" ? "FSharp.Core `task`" : names.find(([id]) => id === theBase)[1]} |`,
  "|---|---:|---:|",
  ...rows.map(([id, name]) => {
    const all = rounds.map((round) => round.get(id));
    return `| ${name} | ${Math.round(mean(all))} (${Math.round(Math.min(...all))}-${Math.round(Math.max(...all))}) | ${id === theBase ? "1" : shown(over(id, theBase))} |`;
  }),
  "",
  "| goal | figure | limit | |",
  "|---|---:|---|---|",
  `| ${best && other ? `FizzBoom: CPU of \`${best}\` over that of \`${other}\`, the best row besides` : "FizzBoom: CPU of the best of our rows over that of the best row besides"} | ${ratio ? shown(ratio) : "-"} | at most 1.00 | ${verdict} |`,
  ...(verdict === "**missed**" ? ["", "Missed: most of such a request is the HTTP client and server of .NET, the same in all rows."] : []),
  "",
].join("\n");
writeFileSync(join(root, "bench/results/runtime-async-fizzboom.md"), report);
renew();
