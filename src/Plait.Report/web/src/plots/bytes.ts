// Bytes allocated per request: a filled bar as measured, an outlined one without the runtime's escape analysis.
import * as Plot from "@observablehq/plot";
import type { Results, Row } from "../results.ts";
import { baseName, isBase, operation, plottable } from "../rows.ts";
import { bytes } from "../format.ts";
import { byFamily, framed, layOut, lineTip, type Line } from "./layout.ts";

interface BytesLine extends Line {
  allocated: number | null;
  noEscape: number | null;
}

/** The rows with a byte figure, smallest first. */
export const rowsWithBytes = (results: Results): Row[] =>
  results.rows
    .filter((row) => plottable(row) && (row.bytesPerOperation ?? row.bytesPerOperationNoEscape) !== null)
    .sort((a, b) => size(a) - size(b));

const size = (row: Row): number => row.bytesPerOperation ?? row.bytesPerOperationNoEscape ?? 0;

function toLine(names: Map<Row, string>, of: string) {
  return (row: Row): BytesLine => {
    const name = (names.get(row) ?? row.id) + (row.status === "measured" ? "" : ` (${row.status})`);
    return {
      id: row.id,
      name,
      family: row.family,
      value: bytes(row.bytesPerOperation),
      tip: [
        name,
        `${bytes(row.bytesPerOperation)} per ${of}`,
        ...(row.bytesPerOperationNoEscape === null ? [] : [`${bytes(row.bytesPerOperationNoEscape)} without escape analysis`]),
      ].join("\n"),
      allocated: row.bytesPerOperation,
      noEscape: row.bytesPerOperationNoEscape,
    };
  };
}

/** Draws the rows that have a byte figure; the caller sees to it that there is at least one. */
export function drawBytes(results: Results, names: Map<Row, string>, width: number): Element {
  const rows = rowsWithBytes(results);
  const lines = rows.map(toLine(names, operation(results)));
  const layout = layOut(lines, width);
  const base = rows.find((row) => isBase(results, row))?.bytesPerOperation ?? null;
  const largest = Math.max(1, ...lines.map((l) => Math.max(l.allocated ?? 0, l.noEscape ?? 0)));
  const thin = layout.narrow ? { insetTop: 12, insetBottom: 12 } : { insetTop: 3, insetBottom: 3 };
  const marks: Plot.Markish[] = [
    Plot.barX(
      lines.filter((l) => l.allocated !== null),
      { x1: 0, x2: "allocated", y: "id", fill: byFamily, fillOpacity: 0.8, ...thin, dy: layout.dy, className: "bars" },
    ),
    Plot.barX(
      lines.filter((l) => l.noEscape !== null),
      {
        x1: 0, x2: "noEscape", y: "id", fill: "none", stroke: byFamily, strokeWidth: 1.3,
        insetTop: thin.insetTop - 2, insetBottom: thin.insetBottom - 2, dy: layout.dy, className: "outlined-bars",
      },
    ),
    Plot.ruleX([0], { stroke: "currentColor", strokeWidth: 1.2 }),
    ...(base === null ? [] : [Plot.ruleX([base], { stroke: "currentColor", strokeDasharray: "3 3", insetTop: -4 })]),
    lineTip(lines, (line) => (line as BytesLine).allocated ?? 0),
  ];
  const unit = largest >= 1000 ? 1000 : 1;
  return framed(
    lines,
    layout,
    { type: "linear", domain: [0, largest * 1.02] },
    {
      label: `${unit === 1000 ? "kB" : "bytes"} allocated per ${operation(results)}${base === null ? "" : `; dashed: ${baseName(results)}`}`,
      ticks: Math.max(3, Math.round((width - layout.marginLeft - layout.marginRight) / 90)),
      format: (v) => (v / unit).toLocaleString("en-US"),
    },
    marks,
  );
}

export const describeBytes = (results: Results, names: Map<Row, string>): string =>
  `Bytes allocated per ${operation(results)}, fewest first: ${rowsWithBytes(results)
    .map((row) => `${names.get(row) ?? row.id} ${bytes(row.bytesPerOperation)}`)
    .join(", ")}.`;
