// The seconds of a compiler that build/fsharp11/compile-time.sh and bench/service-compile-time.sh measure. A line is a round: the times of
// some sources, and then those of the same ones in the opposite order.
import { readFileSync } from "node:fs";

/** The rounds of a file, each with `length` times; of another file `script` makes a right one. */
export const readRounds = (file, length, script) => {
  const rounds = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(" ").map(Number));
  if (rounds.length < 3 || rounds.some((round) => round.length !== length || !round.every((seconds) => seconds > 0))) {
    console.error(`${file} has not three rounds of ${length} times; run ${script} with ROUNDS=3 or more`);
    process.exit(2);
  }
  return rounds;
};

export const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

/** The median with the least and the most. */
export const shown = (numbers, decimals) => {
  const [middle, least, most] = [median(numbers), Math.min(...numbers), Math.max(...numbers)].map((number) => number.toFixed(decimals));
  return `${middle} (${least}-${most})`;
};

/** The time of the source at a place, in each round. */
export const timesOf = (rounds, at) => rounds.map((round) => (round[at] + round[round.length - 1 - at]) / 2);
