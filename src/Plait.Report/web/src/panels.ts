// Panels as typed data: what a scenario shows besides rows. Like all reading here it never throws; what cannot be drawn
// is left out.
import { figure, fields, list, oneLine, present, text } from "./fields.ts";
import { readFamily, type Family } from "./family.ts";

export type Style = "line" | "dashed" | "step" | "dots";

export interface Axis {
  label: string;
  /** What stands in brackets at the end of the label: "ms" of "latency (ms)". */
  unit: string;
  log: boolean;
}

export interface Series {
  label: string;
  family: Family;
  xs: Float64Array;
  ys: Float64Array;
  /** How many points there were before they were thinned; never fewer than there are. */
  of: number;
  style: Style;
}

export interface Item {
  label: string;
  family: Family;
  value: number;
  low: number | null;
  high: number | null;
  other: number | null;
  note: string | null;
}

export interface Cell {
  text: string | null;
  number: number | null;
}

export interface TableColumn {
  title: string;
  /** Decimals of its numbers; null: texts. */
  digits: number | null;
  better: "lower" | "higher" | null;
}

interface Head {
  /** Unique in the page. */
  id: string;
  title: string;
  note: string;
}

export interface CurvePanel extends Head {
  kind: "lines" | "percentiles";
  x: Axis;
  y: Axis;
  series: Series[];
}

export interface ItemPanel extends Head {
  kind: "forest" | "bars";
  x: Axis;
  items: Item[];
  reference: number | null;
  otherLabel: string;
}

export interface TablePanel extends Head {
  kind: "table";
  columns: TableColumn[];
  rows: Cell[][];
}

export interface UnknownPanel extends Head {
  kind: "unknown";
  called: string;
}

export type Panel = CurvePanel | ItemPanel | TablePanel | UnknownPanel;

/** The heading of a page: what the run came to, and its key figures. */
export interface Facts {
  summary: string | null;
  figures: { title: string; figure: string; words: string }[];
}

function readAxis(value: unknown): Axis {
  const of = fields(value);
  const label = oneLine(text(of["label"]) ?? "");
  return { label, unit: /\(([^()]+)\)$/.exec(label)?.[1] ?? "", log: of["scale"] === "log" };
}

const styles: readonly string[] = ["line", "dashed", "step", "dots"];

function readSeries(kind: string) {
  return (value: unknown, index: number): Series => {
    const of = fields(value);
    const points = list(of["points"])
      .map((point): [number, number] | null => {
        const [x, y] = list(point).map(figure);
        if (x === undefined || x === null || y === undefined || y === null) return null;
        return kind === "percentiles" && (x < 0 || x > 100) ? null : [x, y];
      })
      .filter(present);
    if (points.some(([x], i) => i > 0 && x < (points[i - 1]?.[0] ?? x))) points.sort((a, b) => a[0] - b[0]);
    const style = text(of["style"]) ?? "";
    return {
      label: oneLine(text(of["label"]) ?? `series ${index + 1}`),
      family: readFamily(of["family"]),
      xs: Float64Array.from(points, ([x]) => x),
      ys: Float64Array.from(points, ([, y]) => y),
      of: Math.max(points.length, figure(of["of"]) ?? 0),
      style: styles.includes(style) ? (style as Style) : "line",
    };
  };
}

function readItem(value: unknown, index: number): Item | null {
  const of = fields(value);
  const measured = figure(of["value"]);
  if (measured === null) return null;
  return {
    label: oneLine(text(of["label"]) ?? `item ${index + 1}`),
    family: readFamily(of["family"]),
    value: measured,
    low: figure(of["low"]),
    high: figure(of["high"]),
    other: figure(of["other"]),
    note: text(of["note"]),
  };
}

function readColumn(value: unknown, index: number): TableColumn {
  const of = fields(value);
  const digits = figure(of["digits"]);
  const better = /^better (lower|higher)$/.exec(text(of["better"]) ?? "")?.[1];
  return {
    title: oneLine(text(of["title"]) ?? `column ${index + 1}`),
    digits: digits === null ? null : Math.min(Math.max(Math.round(digits), 0), 9),
    better: better === undefined ? null : (better as "lower" | "higher"),
  };
}

function readCell(value: unknown): Cell {
  const of = fields(value);
  return { text: text(of["text"]), number: figure(of["number"]) };
}

function readPanel(value: unknown, id: string): Panel {
  const of = fields(value);
  const called = text(of["kind"]) ?? "none";
  const head = { id, title: oneLine(text(of["title"]) ?? "Untitled"), note: text(of["note"]) ?? "" };
  switch (called) {
    case "lines":
    case "percentiles":
      return { ...head, kind: called, x: readAxis(of["x"]), y: readAxis(of["y"]), series: list(of["series"]).map(readSeries(called)) };
    case "forest":
    case "bars":
      return {
        ...head,
        kind: called,
        x: readAxis(of["x"]),
        items: list(of["items"]).map(readItem).filter(present),
        reference: figure(of["reference"]),
        otherLabel: oneLine(text(of["otherLabel"]) ?? "second figure"),
      };
    case "table":
      return {
        ...head,
        kind: called,
        columns: list(of["columns"]).map(readColumn),
        rows: list(of["rows"]).map((row) => list(row).map(readCell)),
      };
    default:
      return { ...head, kind: "unknown", called };
  }
}

const isFacts = (value: unknown): boolean => fields(value)["kind"] === "facts";

/** All panels but the heading, each with an id that no other has. */
export function readPanels(value: unknown): Panel[] {
  const taken = new Set<string>();
  return list(value)
    .filter((panel) => !isFacts(panel))
    .map((panel, index) => {
      const wanted = (text(fields(panel)["id"]) ?? "").replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
      const plain = `panel-${wanted === "" ? index + 1 : wanted}`;
      const id = taken.has(plain) ? `${plain}-${index + 1}` : plain;
      taken.add(id);
      return readPanel(panel, id);
    });
}

/** The heading; null where the results have none. */
export function readFacts(value: unknown): Facts | null {
  const found = list(value).find(isFacts);
  if (found === undefined) return null;
  const figures = list(fields(found)["rows"]).map((row) => {
    const [title, shown, words] = list(row).map((cell) => readCell(cell).text ?? "");
    return { title: title ?? "", figure: shown ?? "", words: words ?? "" };
  });
  return { summary: text(fields(found)["note"]), figures: figures.filter((f) => f.title !== "" && f.figure !== "") };
}
