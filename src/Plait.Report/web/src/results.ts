// results.json as typed data (schema plait-results/5), and the readers that make it of foreign data. Nothing here
// throws: a value that is absent or of the wrong kind becomes null or empty, so that no view has to check again.

export const schema = "plait-results/5";

const families = ["plait", "fsharp", "csharp", "package", "published", "base", "control"] as const;
/** A family of candidates; "other" has a colour of its own. */
export type Family = (typeof families)[number] | "other";

export interface Axis {
  label: string;
  /** The text in brackets at the end of the label: "ms" of "latency (ms)". */
  unit: string;
  log: boolean;
  /** Decimals of the figures on it; null: not given. */
  decimals: number | null;
}

export interface Series {
  label: string;
  family: Family;
  xs: Float64Array;
  ys: Float64Array;
  /** How many points there were before they were thinned; never fewer than there are. */
  of: number;
  style: "line" | "dashed" | "step" | "dots";
  /** The run that it is of, where there are several. */
  run: string | null;
}

export interface Item {
  label: string;
  family: Family;
  value: number;
  low: number | null;
  high: number | null;
  launches: number[];
  other: number | null;
  /** The verdict. */
  word: string | null;
  note: string | null;
  /** As of a series. */
  run: string | null;
}

export type Cell = { kind: "text"; text: string } | { kind: "number"; value: number; low: number | null; high: number | null } | null;

export interface Column {
  title: string;
  group: string;
  /** Decimals of its numbers; null: texts. */
  decimals: number | null;
  better: "lower" | "higher" | null;
  explanation: string;
}

interface Head {
  /** Unique in the page. */
  id: string;
  title: string;
  note: string;
  /** Why nothing in it is judged. */
  notJudged: string | null;
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
  /** Half the width of the band around the reference. */
  margin: number | null;
  /** The meaning of the hollow marks. */
  other: string;
}

export interface TablePanel extends Head {
  kind: "table";
  columns: Column[];
  rows: Cell[][];
}

/** A function of a flame graph. */
export interface Frame {
  name: string;
  /** Its width: never less than that of its children together. */
  value: number;
  note: string | null;
  /** Warm, cool, or no colour. */
  tone: "trouble" | "work" | "";
  /** The meaning of the colour. */
  word: string | null;
  children: Frame[];
}

export interface FlamePanel extends Head {
  kind: "flame";
  /** The unit of the count. */
  x: Axis;
  frames: Frame[];
  total: number;
}

export interface UnknownPanel extends Head {
  kind: "unknown";
  called: string;
}

export type Panel = CurvePanel | ItemPanel | TablePanel | FlamePanel | UnknownPanel;

/** The words of the page about a row itself: only why it was not measured. All figures are in panels. */
export interface Row {
  label: string;
  status: string;
  reason: string | null;
  correct: boolean | null;
}

export interface Results {
  scenario: string;
  /** Whether it measured something of its own: a diagnosis looks at somebody else's process, without launches or a seed. */
  isRun: boolean;
  title: string;
  startedUtc: string | null;
  endedUtc: string | null;
  complete: boolean;
  /** Its figures are not to be relied on: the first of its warnings say why. */
  invalid: boolean;
  command: string | null;
  seed: number | null;
  margin: number;
  settings: [name: string, value: string][];
  environment: [name: string, value: unknown][];
  answer: string | null;
  summary: string | null;
  /** The A/A control of each measure: in short, and as a sentence. */
  controls: { held: boolean; short: string; sentence: string }[];
  warnings: string[];
  /** How far to trust the run, as the line about its warnings says it. */
  trust: string | null;
  facts: { title: string; figure: string; words: string }[];
  /** The values of factors that rows have behind their name. */
  factors: { value: string; explanation: string }[];
  rows: Row[];
  panels: Panel[];
  stopping: { rule: string | null; reason: string | null; dropped: [row: string, pairs: number][] };
}

type Fields = Record<string, unknown>;

const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string | null => (typeof value === "string" && value.trim() !== "" ? value : null);
const figure = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
const present = <T>(value: T | null): value is T => value !== null;

/** One line: control and direction characters would break an axis, or turn the text beside it. */
const line = (value: unknown, otherwise: string): string =>
  (text(value) ?? otherwise).replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, " ").trim();

const readFamily = (value: unknown): Family => families.find((family) => family === value) ?? "other";

/** The families in the order of legends. */
export const familyOrder: readonly Family[] = [...families, "other"];

function readDecimals(value: unknown): number | null {
  const decimals = figure(value);
  return decimals === null ? null : Math.min(Math.max(Math.round(decimals), 0), 9);
}

function readAxis(value: unknown): Axis {
  const of = fields(value);
  const label = line(of["label"], "");
  return { label, unit: /\(([^()]+)\)$/.exec(label)?.[1] ?? "", log: of["scale"] === "log", decimals: readDecimals(of["decimals"]) };
}

const styles = ["line", "dashed", "step", "dots"] as const;

const readSeries = (kind: string) => (value: unknown, index: number): Series => {
  const of = fields(value);
  const points = list(of["points"])
    .map((point): [number, number] | null => {
      const [x, y] = list(point).map(figure);
      if (x === undefined || x === null || y === undefined || y === null) return null;
      return kind === "percentiles" && (x < 0 || x > 100) ? null : [x, y];
    })
    .filter(present);
  if (points.some(([x], i) => i > 0 && x < (points[i - 1]?.[0] ?? x))) points.sort((a, b) => a[0] - b[0]);
  return {
    label: line(of["label"], `series ${index + 1}`),
    family: readFamily(of["family"]),
    xs: Float64Array.from(points, ([x]) => x),
    ys: Float64Array.from(points, ([, y]) => y),
    of: Math.max(points.length, figure(of["of"]) ?? 0),
    style: styles.find((style) => style === of["style"]) ?? "line",
    run: text(of["run"]),
  };
};

function readItem(value: unknown, index: number): Item | null {
  const of = fields(value);
  const measured = figure(of["value"]);
  if (measured === null) return null;
  return {
    label: line(of["label"], `item ${index + 1}`),
    family: readFamily(of["family"]),
    value: measured,
    low: figure(of["low"]),
    high: figure(of["high"]),
    launches: list(of["launches"]).map(figure).filter(present),
    other: figure(of["other"]),
    word: text(of["word"]),
    note: text(of["note"]),
    run: text(of["run"]),
  };
}

function readColumn(value: unknown, index: number): Column {
  const of = fields(value);
  return {
    title: line(of["title"], `column ${index + 1}`),
    group: line(of["group"], ""),
    decimals: readDecimals(of["decimals"]),
    better: (["lower", "higher"] as const).find((end) => end === of["better"]) ?? null,
    explanation: text(of["explanation"]) ?? "",
  };
}

function readCell(value: unknown): Cell {
  if (typeof value === "string") return value === "" ? null : { kind: "text", text: value };
  const of = fields(value);
  const measured = figure(value) ?? figure(of["value"]);
  return measured === null ? null : { kind: "number", value: measured, low: figure(of["low"]), high: figure(of["high"]) };
}

/** The deepest frame that is drawn; a file may hold deeper ones. */
const deepest = 400;

function readFrames(value: unknown, depth = 1): Frame[] {
  if (depth > deepest) return [];
  return list(value).flatMap((one, index): Frame[] => {
    const of = fields(one);
    const children = readFrames(of["children"], depth + 1);
    const own = Math.max(0, figure(of["value"]) ?? 0, sum(children));
    if (own === 0) return [];
    const tone = (["trouble", "work"] as const).find((word) => word === of["tone"]) ?? "";
    const word = text(of["word"]);
    return [{ name: line(of["name"], `frame ${index + 1}`), value: own, note: text(of["note"]), tone, word, children }];
  });
}

const sum = (frames: Frame[]): number => frames.reduce((all, { value }) => all + value, 0);

function readPanel(value: unknown, id: string): Panel {
  const of = fields(value);
  const plot = fields(of["plot"]);
  const head = { id, title: line(of["title"], "Untitled"), note: text(of["note"]) ?? "", notJudged: text(of["notJudged"]) };
  const kind = text(plot["kind"]) ?? "none";
  switch (kind) {
    case "lines":
    case "percentiles":
      return { ...head, kind, x: readAxis(plot["x"]), y: readAxis(plot["y"]), series: list(plot["series"]).map(readSeries(kind)) };
    case "forest":
    case "bars":
      return {
        ...head,
        kind,
        x: readAxis(plot["x"]),
        items: list(plot["items"]).map(readItem).filter(present),
        reference: figure(plot["reference"]),
        margin: figure(plot["margin"]),
        other: line(plot["other"], "second figure"),
      };
    case "table":
      return {
        ...head,
        kind,
        columns: list(plot["columns"]).map(readColumn),
        rows: list(plot["rows"]).map((row) => list(row).map(readCell)),
      };
    case "flame": {
      const frames = readFrames(plot["frames"]);
      return { ...head, kind, x: readAxis(plot["x"]), frames, total: sum(frames) };
    }
    default:
      return { ...head, kind: "unknown", called: kind };
  }
}

/** All panels, each with an id that no other has. */
function readPanels(value: unknown): Panel[] {
  const taken = new Set<string>();
  return list(value).map((panel, index) => {
    const wanted = (text(fields(panel)["id"]) ?? "").replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
    const plain = `panel-${wanted === "" ? index + 1 : wanted}`;
    const id = taken.has(plain) ? `${plain}-${index + 1}` : plain;
    taken.add(id);
    return readPanel(panel, id);
  });
}

function readRow(value: unknown, index: number): Row {
  const of = fields(value);
  const label = line(of["label"], line(of["id"], `row ${index + 1}`));
  return {
    label,
    status: text(of["status"]) ?? "failed",
    reason: text(of["reason"]),
    correct: typeof of["correct"] === "boolean" ? of["correct"] : null,
  };
}

/** Reads a parsed results.json; a text is the reason why this page cannot show it. */
export function readResults(value: unknown): Results | string {
  const of = fields(value);
  const written = text(of["schema"]);
  if (written !== schema) {
    return `This page shows results of the schema ${schema}, and these are ${written === null ? "of none" : `of ${written}`}: make the page with the version of plait that wrote them.`;
  }
  const scenario = text(of["scenario"]) ?? "unnamed scenario";
  const stopping = fields(of["stopping"]);
  return {
    scenario,
    isRun: scenario !== "doctor",
    title: text(of["title"]) ?? scenario,
    startedUtc: text(of["startedUtc"]),
    endedUtc: text(of["endedUtc"]),
    complete: of["complete"] === true,
    invalid: of["invalid"] === true,
    command: text(of["command"]),
    seed: figure(of["seed"]),
    margin: Math.min(Math.max(figure(of["margin"]) ?? 0.03, 0), 0.9),
    settings: Object.entries(fields(of["settings"])).map(([name, v]) => [name, String(v)]),
    environment: Object.entries(fields(of["environment"])),
    answer: text(of["answer"]),
    summary: text(of["summary"]),
    controls: list(of["controls"]).map(fields).flatMap(({ held, measure, id, ratio, sentence }) => {
      if (typeof held !== "boolean") return [];
      const short = `A/A control ${text(id) ?? ""}: ${text(ratio) ?? "not measured"} ${text(measure) ?? ""}${held ? "" : ", not judged"}`;
      return [{ held, short, sentence: text(sentence) ?? short }];
    }),
    warnings: list(of["warnings"]).map(text).filter(present),
    trust: text(of["trust"]),
    facts: list(of["facts"]).map((fact) => {
      const { title, figure: shown, words } = fields(fact);
      return { title: text(title) ?? "", figure: text(shown) ?? "", words: text(words) ?? "" };
    }).filter((fact) => fact.title !== "" && fact.figure !== ""),
    factors: list(of["factors"]).map((factor) => {
      const { value, explanation } = fields(factor);
      return { value: text(value) ?? "", explanation: text(explanation) ?? "" };
    }).filter((factor) => factor.value !== "" && factor.explanation !== ""),
    rows: list(of["rows"]).map(readRow),
    panels: readPanels(of["panels"]),
    stopping: {
      rule: text(stopping["rule"]),
      reason: text(stopping["reason"]),
      dropped: Object.entries(fields(stopping["droppedPairs"])).flatMap(([row, pairs]): [string, number][] => {
        const count = figure(pairs);
        return count === null || count <= 0 ? [] : [[row, count]];
      }),
    },
  };
}
