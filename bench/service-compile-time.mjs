// Writes bench/results/service-compile-time.md from the seconds that bench/service-compile-time.sh has measured. A line is a round: an empty
// file, the service on FSharp.Core's `task`, over `Tasks.task`, `strand` and `pooledValueTask`, and the five in the opposite order.
// node bench/service-compile-time.mjs SECONDS
// Exit code 1: a goal is missed. 3, and no report: the control differs from 1 by more than 5 %.
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join, resolve } from "node:path";
import { median, readRounds, shown, timesOf } from "../build/compile-times.mjs";

const root = resolve(dirname(new URL(import.meta.url).pathname), "..");
const file = process.argv[2];
const rounds = readRounds(file, 10, "bench/service-compile-time.sh");
const of = (at) => timesOf(rounds, at);
const [empty, theirs] = [of(0), of(1)];
const control = rounds.map((round) => round[1] / round[8]);
if (Math.abs(median(control) - 1) > 0.05) {
  console.error(`FSharp.Core's \`task\` once more took ${shown(control, 2)} times as long. Is the machine quiet? No report is written.`);
  process.exit(3);
}
const ours = [["`Tasks.task`, `taskResult`, `taskValidation`, `stream`", of(2)], ["`strand`, `strandResult`, `strandValidation`, `stream`", of(3)], ["`pooledValueTask`, `pooledValueTaskResult`, `pooledValueTaskValidation`, `stream`", of(4)]];
const whole = (times) => times.map((seconds, at) => seconds / theirs[at]);
const alone = (times) => times.map((seconds, at) => (seconds - empty[at]) / (theirs[at] - empty[at]));
// as it is printed
const met = (times) => median(whole(times)).toFixed(2) <= 1;

const report = [
  "# How long F# compiles a service",
  "",
  `${cpus()[0].model.trim()}, ${rounds.length} rounds. Processor time of the compiler for the service of \`samples/service\`, 200 lines over each builder, beside the same service on FSharp.Core's \`task\`, which takes Results apart by hand and writes its stream into a channel (\`bench/service\`). Each is compiled alone with the options of a Release build, in turn, forwards and backwards: the median of the rounds with the least and the most. FSharp.Core's \`task\` over itself, the control: ${shown(control, 2)}. Renew with \`bench/service-compile-time.sh\`.`,
  "",
  "| builders | seconds | over FSharp.Core's `task` | without an empty file | at most 1.00 |",
  "|---|---:|---:|---:|---|",
  `| an empty file | ${shown(empty, 1)} | | | |`,
  `| FSharp.Core's \`task\` | ${shown(theirs, 1)} | 1 | 1 | |`,
  ...ours.map(([name, times]) => `| ${name} | ${shown(times, 1)} | ${shown(whole(times), 2)} | ${shown(alone(times), 2)} | ${met(times) ? "met" : "**missed**"} |`),
  "",
].join("\n");
writeFileSync(join(root, "bench/results/service-compile-time.md"), report);
console.log(report);
process.exit(ours.every(([, times]) => met(times)) ? 0 : 1);
