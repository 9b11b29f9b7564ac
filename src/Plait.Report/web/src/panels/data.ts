// The figures of a panel as a table and as a CSV, under its plot. The table is made when it is first asked for.
import { said } from "../curves/scale.ts";
import { button, el, plainTable } from "../dom.ts";
import { downloadCsv, type Value } from "../download.ts";
import { count, number, quantity } from "../format.ts";
import type { Cell, CurvePanel, FlamePanel, Frame, Item, ItemPanel, TablePanel } from "../results.ts";

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
  return [head, ...panel.series.flatMap(({ label, xs, ys }) => Array.from(xs, (x, i): Value[] => [label, x, ys[i] ?? null]))];
}

function itemTable({ items, other, title, x }: ItemPanel): HTMLElement {
  const write = (value: number | null): string => number(value, x.decimals);
  const columns: [title: string, there: boolean, cell: (item: Item) => string][] = [
    [x.label || "Value", true, (item) => write(item.value)],
    ["Low", items.some((item) => item.low !== null), (item) => write(item.low)],
    ["High", items.some((item) => item.high !== null), (item) => write(item.high)],
    ["Launches", items.some((item) => item.launches.length > 0), (item) => item.launches.map(write).join(", ")],
    [other, items.some((item) => item.other !== null), (item) => write(item.other)],
    ["Verdict", items.some((item) => item.word !== null), (item) => item.word ?? ""],
    ["Note", items.some((item) => item.note !== null), (item) => item.note ?? ""],
  ];
  const shown = columns.filter(([, there]) => there);
  return plainTable(title, ["", ...shown.map(([head]) => head)], items.map((item) => [item.label, ...shown.map(([, , cell]) => cell(item))]));
}

function itemCsv({ items, other, x }: ItemPanel): Value[][] {
  const head = ["label", "family", x.label || "value", "low", "high", "launches", other, "verdict", "note"];
  return [head, ...items.map((i) => [i.label, i.family, i.value, i.low, i.high, i.launches.join(" ") || null, i.other, i.word, i.note])];
}

/** An interval has three columns in the CSV. */
function tableCsv({ columns, rows }: TablePanel): Value[][] {
  const wide = columns.map((_, i) => rows.some(({ [i]: cell }) => cell?.kind === "number" && cell.low !== null));
  const several = (i: number, of: Value[]): Value[] => (wide[i] ? of : of.slice(0, 1));
  const values = (cell: Cell | undefined): Value[] =>
    cell === undefined || cell === null ? [null, null, null] : cell.kind === "text" ? [cell.text, null, null] : [cell.value, cell.low, cell.high];
  const named = ({ group, title }: { group: string; title: string }): string => (group === "" ? title : `${group}: ${title}`);
  return [
    columns.flatMap((column, i) => several(i, [named(column), `${named(column)} low`, `${named(column)} high`])),
    ...rows.map((row) => columns.flatMap((_, i) => several(i, values(row[i])))),
  ];
}

/** The frames with their depths, each before those that it calls. */
const flat = (frames: Frame[], depth = 0): [depth: number, frame: Frame][] =>
  frames.flatMap((frame) => [[depth, frame], ...flat(frame.children, depth + 1)]);

function flameTables({ frames, title, total, x }: FlamePanel): HTMLElement[] {
  const all = flat(frames);
  const rows = all.slice(0, longest).map(([depth, { name, note, word, value }]) => [
    `${"\u2003".repeat(Math.min(depth, 24))}${name}`, note ?? "", word ?? "", number(value), `${number((100 * value) / total)}\u202f%`,
  ]);
  const table = plainTable(title, ["Function, under its caller", "Note", "Colour", x.label || "Value", "Share"], rows);
  return all.length > longest ? [table, el("p", {}, `These are the first ${count(longest)} of ${count(all.length)} frames; the CSV has all.`)] : [table];
}

const flameCsv = ({ frames, x }: FlamePanel): Value[][] => [
  ["depth", "name", "note", "word", x.label || "value"],
  ...flat(frames).map(([depth, { name, note, word, value }]): Value[] => [depth, name, note, word, value]),
];

/** A panel that has figures. */
type Filled = CurvePanel | ItemPanel | TablePanel | FlamePanel;

function linesOf(panel: Filled): Value[][] {
  if (panel.kind === "table") return tableCsv(panel);
  if (panel.kind === "flame") return flameCsv(panel);
  return "items" in panel ? itemCsv(panel) : curveCsv(panel);
}

function csvButton(panel: Filled): HTMLElement {
  const save = (): void => downloadCsv(`${panel.id.replace(/^panel-/, "")}.csv`, linesOf(panel));
  return el("p", { class: "downloads" }, button("Download CSV", { "aria-label": `Download CSV of ${panel.title}` }, save));
}

const tablesOf = (panel: CurvePanel | ItemPanel | FlamePanel): HTMLElement[] =>
  panel.kind === "flame" ? flameTables(panel) : "items" in panel ? [itemTable(panel)] : curveTables(panel);

/** The disclosure under a plot, or, of a table, only its CSV. */
export function dataOf(panel: Filled): HTMLElement {
  if (panel.kind === "table") return csvButton(panel);
  const details = el("details", { class: "data" }, el("summary", {}, "These figures as a table"));
  const fill = (): void => details.append(...tablesOf(panel), csvButton(panel));
  details.addEventListener("toggle", fill, { once: true });
  return details;
}
