// Writes bench/results/runtime-async-compile-time.md from the seconds that build/fsharp11/compile-time.sh has measured. A line is a round:
// the base that both builders need, FSharp.Core's `task`, runtime async, and the three in the opposite order.
// node build/fsharp11/compile-time.mjs SECONDS
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { median, readRounds, shown, timesOf } from "../compile-times.mjs";
import { renew } from "../documents.mjs";

const root = resolve(dirname(new URL(import.meta.url).pathname), "../..");
const file = process.argv[2];
const rounds = readRounds(file, 6, "build/fsharp11/compile-time.sh");
const of = (at) => timesOf(rounds, at);
const [both, theirs, ours] = [of(0), of(1), of(2)];
const programs = rounds.map((_, at) => (ours[at] - both[at]) / (theirs[at] - both[at]));
const whole = rounds.map((_, at) => ours[at] / theirs[at]);
const control = rounds.map((round) => round[1] / round[4]);
const held = Math.abs(median(control) - 1) <= 0.05;
const verdict = !held ? "not judged" : median(programs) <= 1 ? "met" : "**missed**";

const report = [
  "# How long F# 11 compiles runtime async",
  "",
  `${cpus()[0].model.trim()}, ${rounds.length} rounds. Processor time of the compiler for the test programs \`Flow\` and \`Recursion\`, the same sources with another builder, in turn (A B B A): the median of the rounds with the least and the most. FSharp.Core's \`task\` over itself, the control: ${shown(control, 2)}. Renew with \`make bench-dotnet11\`.`,
  "",
  "| | seconds | over FSharp.Core's `task` | without what both need |",
  "|---|---:|---:|---:|",
  `| what both need | ${shown(both, 1)} | | |`,
  `| FSharp.Core's \`task\` | ${shown(theirs, 1)} | 1 | 1 |`,
  `| runtime async \`task\` | ${shown(ours, 1)} | ${shown(whole, 2)} | ${shown(programs, 2)} |`,
  "",
  "| goal | figure | limit | |",
  "|---|---:|---|---|",
  `| compile time of the test programs over FSharp.Core's \`task\` | ${median(programs).toFixed(2)} | at most 1.00 | ${verdict} |`,
  "",
].join("\n");
writeFileSync(join(root, "bench/results/runtime-async-compile-time.md"), report);
renew();
console.log(report);
