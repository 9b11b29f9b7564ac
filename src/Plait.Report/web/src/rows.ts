// What the views ask of rows: their names, their order, which of them have a figure and which must be explained.
import type { Ratio, Results, Row, Side } from "./results.ts";
import { words } from "./format.ts";

export type Place = "inProcess" | "http";

/** A name for every row, unlike every other row's: label, then the factors that are on, then the id if need be. */
export function nameRows(rows: Row[]): Map<Row, string> {
  const withFactors = (row: Row): string => {
    const missing = row.factors
      .map((factor) => words(factor).replaceAll(" ", "-"))
      .filter((factor) => !row.label.toLowerCase().includes(factor));
    return [row.label, ...missing].join(" + ");
  };
  const seen = new Map<string, number>();
  for (const row of rows) seen.set(withFactors(row), (seen.get(withFactors(row)) ?? 0) + 1);
  return new Map(
    rows.map((row) => {
      const name = withFactors(row);
      return [row, (seen.get(name) ?? 0) > 1 ? `${name} (${row.id})` : name];
    }),
  );
}

/** What a run measures the cost of: a request, where there was HTTP at all. */
export const operation = (results: Results): string => (results.rows.some((row) => row.http !== null) ? "request" : "operation");

export const isBase = (results: Results, row: Row): boolean => row.id === results.base;

/** What the base is called in sentences. */
export const baseName = (results: Results): string =>
  results.rows.find((row) => isBase(results, row))?.label ?? results.base;

/** What was measured of a row at that place; null where nothing was asked for. */
export const sideOf = (row: Row, place: Place): Side | null => (place === "http" ? row.http : row);

/** The ratio of a row; the base against itself is 1 by definition, where the file does not say so. */
export function ratioOf(results: Results, row: Row, place: Place): Ratio | null {
  const side = sideOf(row, place);
  if (side === null) return null;
  if (side.cpuRatio !== null) return side.cpuRatio;
  if (!isBase(results, row) || side.cpuMicroseconds === null) return null;
  return { median: 1, low: null, high: null, launches: [], spread: null, pairs: null };
}

/** Figures of a wrong answer compare nothing, and are kept out of every plot. */
export const plottable = (row: Row): boolean => row.correct !== false && row.available;

export const isContender = (results: Results, row: Row): boolean =>
  !isBase(results, row) && row.family !== "control" && row.family !== "base";

/** The rows with a ratio at that place, cheapest first. */
export function ranked(results: Results, place: Place): { row: Row; ratio: Ratio }[] {
  return results.rows
    .filter(plottable)
    .flatMap((row) => {
      const ratio = ratioOf(results, row, place);
      return ratio === null ? [] : [{ row, ratio }];
    })
    .sort((a, b) => a.ratio.median - b.ratio.median);
}

/** Why a row needs explaining: null where it is measured and right. */
export function trouble(row: Row): { word: string; reason: string } | null {
  const reason = row.reason ?? "No reason was recorded.";
  if (row.status !== "measured") return { word: row.status, reason };
  if (row.correct === false) {
    return { word: "wrong answer", reason: row.reason ?? "It did not give the expected answer; its figures are not plotted." };
  }
  return null;
}
