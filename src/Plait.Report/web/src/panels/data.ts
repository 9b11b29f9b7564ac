// The figures of a panel as a table and as a CSV, under its plot. The table is made when it is first asked for.
import { button, el, plainTable } from "../dom.ts";
import { csv, saveCsv, type Value } from "../download.ts";
import { count, number, quantity } from "../format.ts";
import type { CurvePanel, ItemPanel, TablePanel } from "../panels.ts";
import { said } from "../plots/scale.ts";

/** The most points that a table shows of one panel. */
const longest = 400;

function curveTables(panel: CurvePanel): HTMLElement[] {
  const kind = panel.kind === "percentiles" ? "percentile" : "linear";
  const all = panel.series.reduce((sum, series) => sum + series.xs.length, 0);
  const { unit } = panel.y;
  const summary = plainTable(
    `${panel.title}, by series`,
    ["Series", "Points", "Of", "First", "Lowest", "Highest", "Last"],
    panel.series.map(({ label, xs, ys, of }) => {
      const [least, most] = ys.reduce(([a, b], y) => [Math.min(a, y), Math.max(b, y)], [Infinity, -Infinity]);
      const shown = [ys[0], least, most, ys[ys.length - 1]].map((y) => quantity(ys.length === 0 || y === undefined ? null : y, unit));
      return [label, count(xs.length), count(of), ...shown];
    }),
  );
  if (all > longest) return [summary, el("p", {}, `The ${count(all)} points are in the CSV.`)];
  const x = kind === "percentile" ? "Percentile" : panel.x.label || "x";
  const points = panel.series.flatMap(({ label, xs, ys }) =>
    Array.from(xs, (at, i) => [label, said(kind, at, panel.x.unit), quantity(ys[i] ?? null, unit)]),
  );
  return [summary, plainTable(`${panel.title}, point by point`, ["Series", x, panel.y.label || "y"], points)];
}

function curveCsv(panel: CurvePanel): Value[][] {
  const head = ["series", panel.kind === "percentiles" ? "percentile" : panel.x.label || "x", panel.y.label || "y"];
  const lines = panel.series.flatMap(({ label, xs, ys }) => Array.from(xs, (x, i): Value[] => [label, x, ys[i] ?? null]));
  return [head, ...lines];
}

function itemTable(panel: ItemPanel): HTMLElement {
  const { items, otherLabel } = panel;
  const interval = items.some((item) => item.low !== null || item.high !== null);
  const other = items.some((item) => item.other !== null);
  const note = items.some((item) => item.note !== null);
  const head = [panel.x.label || "Value", ...(interval ? ["Low", "High"] : []), ...(other ? [otherLabel] : []), ...(note ? ["Note"] : [])];
  const lines = items.map((item) => [
    item.label,
    number(item.value),
    ...(interval ? [number(item.low), number(item.high)] : []),
    ...(other ? [number(item.other)] : []),
    ...(note ? [item.note ?? ""] : []),
  ]);
  return plainTable(panel.title, ["", ...head], lines);
}

function itemCsv(panel: ItemPanel): Value[][] {
  const head = ["label", "family", panel.x.label || "value", "low", "high", panel.otherLabel, "note"];
  return [head, ...panel.items.map((i) => [i.label, i.family, i.value, i.low, i.high, i.other, i.note])];
}

const tableCsv = (panel: TablePanel): Value[][] => [
  panel.columns.map((column) => column.title),
  ...panel.rows.map((row) => panel.columns.map((_, i) => row[i]?.number ?? row[i]?.text ?? null)),
];

const linesOf = (panel: CurvePanel | ItemPanel | TablePanel): Value[][] =>
  panel.kind === "table" ? tableCsv(panel) : "items" in panel ? itemCsv(panel) : curveCsv(panel);

function csvButton(panel: CurvePanel | ItemPanel | TablePanel): HTMLElement {
  const save = (): void => saveCsv(`${panel.id.replace(/^panel-/, "")}.csv`, csv(linesOf(panel)));
  return el("p", { class: "downloads" }, button("Download CSV", { "aria-label": `Download CSV of ${panel.title}` }, save));
}

/** The disclosure under a plot, or, of a table, only its CSV. */
export function dataOf(panel: CurvePanel | ItemPanel | TablePanel): HTMLElement {
  if (panel.kind === "table") return csvButton(panel);
  const details = el("details", { class: "data" }, el("summary", {}, "These figures as a table"));
  details.addEventListener(
    "toggle",
    () => details.append(...("items" in panel ? [itemTable(panel)] : curveTables(panel)), csvButton(panel)),
    { once: true },
  );
  return details;
}
