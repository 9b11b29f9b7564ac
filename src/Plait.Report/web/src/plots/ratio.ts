// The ranked plot of CPU ratios: median, 95 % interval over launches, and the launches themselves, against the base.
import * as Plot from "@observablehq/plot";
import type { Results, Row } from "../results.ts";
import { baseName, isBase, operation, ranked, sideOf, type Place } from "../rows.ts";
import { interval, microseconds, percent, ratio as text, times } from "../format.ts";
import { ratioAxis } from "./axis.ts";
import { byFamily, framed, isReference, layOut, lineTip, type Line } from "./layout.ts";

interface RatioLine extends Line {
  median: number;
  low: number | null;
  high: number | null;
  launches: number[];
  base: boolean;
}

function toLine(results: Results, names: Map<Row, string>, place: Place) {
  return ({ row, ratio }: ReturnType<typeof ranked>[number]): RatioLine => {
    const base = isBase(results, row);
    const name = (names.get(row) ?? row.id) + (row.status === "measured" ? "" : ` (${row.status})`);
    const range = interval(ratio.low, ratio.high);
    const known = ratio.low !== null && ratio.high !== null;
    const launches = ratio.launches.length > 0 ? `launches ${ratio.launches.map(text).join(", ")}` : null;
    const cpu = sideOf(row, place)?.cpuMicroseconds ?? null;
    const tip = [
      name,
      base ? "the base: 1 by definition" : `${times(ratio.median)}${known ? `, 95 % interval ${range}` : ""}`,
      launches,
      cpu === null ? null : `${microseconds(cpu)} CPU per ${operation(results)}`,
      sideOf(row, place)?.verdict ?? null,
    ];
    return {
      id: row.id,
      name,
      family: row.family,
      value: base ? "1  base" : known ? `${text(ratio.median)}  (${range})` : text(ratio.median),
      tip: tip.filter((part) => part !== null).join("\n"),
      median: ratio.median,
      low: ratio.low,
      high: ratio.high,
      launches: ratio.launches,
      base,
    };
  };
}

/** Draws the rows that have a ratio at that place; the caller sees to it that there is at least one. */
export function drawRatios(results: Results, names: Map<Row, string>, place: Place, width: number): Element {
  const wide = ranked(results, place).map(toLine(results, names, place));
  // A narrow plot keeps to the median; the interval is drawn, and stands in the table.
  const lines = width < 400 ? wide.map((l) => ({ ...l, value: l.base ? "base" : text(l.median) })) : wide;
  const layout = layOut(lines, width);
  const values = lines.flatMap((l) => [l.median, l.low ?? l.median, l.high ?? l.median, ...l.launches]);
  const axis = ratioAxis(values, results.margin, width - layout.marginLeft - layout.marginRight);
  const { dy } = layout;
  const whiskers = lines.filter((l) => l.low !== null && l.high !== null);
  const launches = lines.flatMap((l) => l.launches.map((launch) => ({ ...l, launch })));
  const cap = layout.narrow ? 12 : 5;
  const bandInset = { insetTop: cap, insetBottom: cap, dy };
  const band = [{ x1: 1 - results.margin, x2: 1 + results.margin }];
  const label = `CPU time per ${operation(results)} ÷ ${baseName(results)}${axis.type === "log" ? ", logarithmic" : ""}`;
  const marks: Plot.Markish[] = [
    Plot.rect(band, { x1: "x1", x2: "x2", fill: "var(--band)", className: "margin-band", insetTop: -4 }),
    Plot.ruleX([1], { stroke: "currentColor", strokeWidth: 1.2, insetTop: -4, className: "base-line" }),
    Plot.ruleY(lines, { y: "id", x1: 1, x2: "median", stroke: byFamily, strokeOpacity: 0.35, dy }),
    Plot.dot(launches, { x: "launch", y: "id", fill: byFamily, fillOpacity: 0.65, r: 1.8, dy: dy + 9, className: "launches" }),
    Plot.ruleY(whiskers, { y: "id", x1: "low", x2: "high", stroke: byFamily, strokeWidth: 2, dy, className: "whiskers" }),
    Plot.tickX(whiskers, { x: "low", y: "id", stroke: byFamily, strokeWidth: 1.5, ...bandInset }),
    Plot.tickX(whiskers, { x: "high", y: "id", stroke: byFamily, strokeWidth: 1.5, ...bandInset }),
    Plot.dot(
      lines.filter((l) => !isReference(l)),
      { x: "median", y: "id", fill: byFamily, stroke: "var(--paper)", strokeWidth: 1, r: 4, dy, className: "medians" },
    ),
    Plot.dot(
      lines.filter(isReference),
      {
        x: "median", y: "id", symbol: "diamond", fill: "var(--paper)", stroke: byFamily, strokeWidth: 1.8, r: 4.5, dy,
        className: "medians references",
      },
    ),
    lineTip(lines, (line) => (line as RatioLine).median),
  ];
  const format = axis.type === "log" ? (v: number): string => String(v) : (v: number): string => String(Number(v.toFixed(3)));
  return framed(lines, layout, { type: axis.type, domain: axis.domain }, { label, ticks: axis.ticks, format }, marks);
}

/** What the plot says, in a sentence for those who do not see it. */
export function describeRatios(results: Results, names: Map<Row, string>, place: Place): string {
  const all = ranked(results, place);
  const said = all.map(({ row, ratio }) => `${names.get(row) ?? row.id} ${text(ratio.median)}`);
  const where = place === "http" ? "over HTTP" : "in process";
  return `CPU time per ${operation(results)} ${where}, as a ratio to ${baseName(results)}, lowest first, margin ${percent(results.margin * 100)}: ${said.join(", ")}.`;
}
