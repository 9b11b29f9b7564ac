// A results.json of `plait lab fizzbuzz`, as the scripts read it that write its figures into documents.
import { readFileSync } from "node:fs";

// Four are as good as five: docs/decisions/0034.
const leastLaunches = 4;

/** Ends the script where the run has too few launches for figures that are published. */
export const needLaunches = (results, file) => {
  if (results.settings.launches >= leastLaunches) return;
  console.error(`${file} has ${results.settings.launches} launches, and figures are published from ${leastLaunches} on; run it with --launches 8`);
  process.exit(3);
};

/** Reads the file, and ends the script where it is none, or of another form. */
export const read = (file) => {
  if (!file) {
    console.error("name a results.json of `plait lab fizzbuzz`, for example artifacts/lab/fizzbuzz-latest/results.json");
    process.exit(2);
  }
  const results = JSON.parse(readFileSync(file, "utf8"));
  if (results.schema !== "plait-results/5") {
    console.error(`${file} has the schema '${results.schema}', and this reads 'plait-results/5'; run the scenario again`);
    process.exit(2);
  }
  const decimals = (key) => results.figures.find((f) => f.key === key)?.decimals ?? 2;
  return {
    results,
    /** The row of an id. */
    row: (id) => results.rows.find((r) => r.id === id) ?? { missing: true },
    /** A figure of a row as a number. */
    figure: (row, key) => row.figures?.[key]?.value ?? NaN,
    /** The same as text, with its interval. */
    shown: (row, key) => {
      const found = row.figures?.[key];
      const show = (value) => value.toFixed(decimals(key));
      if (!found) return "-";
      return found.low === undefined ? show(found.value) : `${show(found.value)} (${show(found.low)}-${show(found.high)})`;
    },
    /** What the A/A control came out as, in each measure. */
    control:
      results.controls.length === 0
        ? "no A/A control"
        : `A/A control ${results.controls[0].id}: ${results.controls.map(({ shown, measure }) => `${shown} ${measure}`).join(", ")}`,
  };
};
