// Capacity over HTTP in per cent of the base, beside the percentages of earlier publications.
import * as Plot from "@observablehq/plot";
import type { Family } from "../family.ts";
import type { Results, Row } from "../results.ts";
import { plottable, ratioOf } from "../rows.ts";
import { interval, percent, printedPercent } from "../format.ts";
import { byFamily, framed, isReference, layOut, lineTip, type Line } from "./layout.ts";

export interface Earlier {
  source: string;
  percent: number;
  note: string | null;
}

export interface CapacityLine extends Line {
  ours: number | null;
  low: number | null;
  high: number | null;
  earlier: Earlier[];
}

const symbols = ["square", "triangle", "star", "wye", "cross", "times", "hexagon"] as const;
type PlotSymbol = (typeof symbols)[number];

/** The sources that published something, by name, each with its symbol. */
export function sources(lines: CapacityLine[]): Map<string, PlotSymbol> {
  const found = [...new Set(lines.flatMap((line) => line.earlier.map((e) => e.source)))].sort();
  return new Map(found.map((source, i) => [source, symbols[i % symbols.length] ?? "square"]));
}

function finish(line: Omit<CapacityLine, "value" | "tip">): CapacityLine {
  const of = line.earlier.map((e) => `${printedPercent(e.percent)}  ${e.source}${e.note === null ? "" : ` (${e.note})`}`);
  const range = line.low === null || line.high === null ? "" : ` (${interval(line.low, line.high)})`;
  const ours = line.ours === null ? "not measured here" : `${percent(line.ours)}${range}  this run`;
  return { ...line, value: line.ours === null ? "" : percent(line.ours), tip: [line.name, ours, ...of].join("\n") };
}

/** What was published of the base itself stands on its line: it is called as the base is. */
function ofBase(results: Results, row: Row): Earlier[] {
  return results.published.flatMap(({ source, variant, percentOfSync }) =>
    row.id !== results.base || variant !== results.base || percentOfSync === null ? [] : [{ source, percent: percentOfSync, note: null }],
  );
}

function ourLine(results: Results, row: Row, name: string): CapacityLine {
  const ratio = ratioOf(results, row, "http");
  const inverse = (x: number | null | undefined): number | null => (x === null || x === undefined ? null : 100 / x);
  return finish({
    id: row.id,
    name,
    family: row.family,
    ours: plottable(row) ? (row.http?.capacityPercent ?? inverse(ratio?.median)) : null,
    low: plottable(row) ? inverse(ratio?.high) : null,
    high: plottable(row) ? inverse(ratio?.low) : null,
    earlier: [
      ...ofBase(results, row),
      ...row.published.flatMap((p) => (p.percentOfSync === null ? [] : [{ source: p.source, percent: p.percentOfSync, note: p.note }])),
    ],
  });
}

/** Published variants that no row of this run carries. */
function unmatched(results: Results): CapacityLine[] {
  // A row's note begins with the variant, and may say more: of which year it is, or how functions were called.
  const carried = (source: string, variant: string, value: number): boolean =>
    results.rows.some(
      (row) =>
        (variant === results.base && row.id === results.base) ||
        row.published.some(
          (p) => p.source === source && (p.note === variant || (p.percentOfSync === value && (p.note === null || p.note.startsWith(variant)))),
        ),
    );
  const variants = new Map<string, Earlier[]>();
  for (const { source, variant, percentOfSync } of results.published) {
    if (percentOfSync === null || carried(source, variant, percentOfSync)) continue;
    variants.set(variant, [...(variants.get(variant) ?? []), { source, percent: percentOfSync, note: null }]);
  }
  return [...variants].map(([variant, earlier]) => {
    const family: Family = "other";
    return finish({ id: `published\n${variant}`, name: variant, family, ours: null, low: null, high: null, earlier });
  });
}

/** All lines that have a figure, ours or published, highest first. */
export function capacityLines(results: Results, names: Map<Row, string>): CapacityLine[] {
  const top = (line: CapacityLine): number => line.ours ?? Math.max(...line.earlier.map((e) => e.percent));
  const ours = results.rows.map((row) => ourLine(results, row, names.get(row) ?? row.id));
  return [...ours, ...unmatched(results)]
    .filter((line) => line.ours !== null || line.earlier.length > 0)
    .sort((a, b) => top(b) - top(a));
}

/** Draws the lines; the caller sees to it that there is at least one. */
export function drawCapacity(lines: CapacityLine[], base: string, width: number): Element {
  const layout = layOut(lines, width);
  const { dy } = layout;
  const symbolOf = sources(lines);
  const earlier = lines.flatMap((line) => line.earlier.map((e) => ({ ...line, ...e })));
  const spans = lines
    .map((line) => ({ ...line, all: [...(line.ours === null ? [] : [line.ours]), ...line.earlier.map((e) => e.percent)] }))
    .filter((line) => line.all.length > 1)
    .map((line) => ({ ...line, from: Math.min(...line.all), to: Math.max(...line.all) }));
  const measured = lines.filter((line) => line.ours !== null);
  const whiskers = measured.filter((line) => line.low !== null && line.high !== null);
  const highest = Math.max(100, ...earlier.map((e) => e.percent), ...measured.map((l) => l.high ?? l.ours ?? 0));
  const marks: Plot.Markish[] = [
    Plot.ruleX([100], { stroke: "currentColor", strokeWidth: 1.2, insetTop: -4 }),
    Plot.ruleY(spans, { y: "id", x1: "from", x2: "to", stroke: "var(--faint)", strokeWidth: 1.2, dy, className: "spans" }),
    Plot.ruleY(whiskers, { y: "id", x1: "low", x2: "high", stroke: byFamily, strokeWidth: 2, dy, className: "whiskers" }),
    ...[...symbolOf].map(([source, symbol]) =>
      Plot.dot(
        earlier.filter((e) => e.source === source),
        {
          x: "percent", y: "id", symbol, r: 4.6, fill: "var(--paper)", stroke: "var(--quiet)", strokeWidth: 1.5, dy,
          className: "published",
        },
      ),
    ),
    Plot.dot(measured.filter((line) => !isReference(line)), {
      x: "ours", y: "id", fill: byFamily, stroke: "var(--paper)", strokeWidth: 1, r: 4.5, dy, className: "ours",
    }),
    Plot.dot(measured.filter(isReference), {
      x: "ours", y: "id", symbol: "diamond", fill: "var(--paper)", stroke: byFamily, strokeWidth: 1.8, r: 4.5, dy,
      className: "ours",
    }),
    lineTip(lines, (line) => (line as CapacityLine).ours ?? (line as CapacityLine).earlier[0]?.percent ?? 0),
  ];
  return framed(
    lines,
    layout,
    { type: "linear", domain: [0, highest * 1.03] },
    {
      label: `capacity over HTTP, per cent of ${base}`,
      ticks: Math.max(3, Math.round((width - layout.marginLeft - layout.marginRight) / 80)),
      format: (v) => String(v),
    },
    marks,
  );
}

export const describeCapacity = (lines: CapacityLine[], base: string): string =>
  `Capacity over HTTP in per cent of ${base}, and what was published before: ${lines
    .map((line) => {
      const said = line.earlier.map((e) => `${printedPercent(e.percent)} in ${e.source}`).join(" and ");
      return `${line.name} ${line.ours === null ? "not measured here" : percent(line.ours)}${said === "" ? "" : `, ${said}`}`;
    })
    .join("; ")}.`;
