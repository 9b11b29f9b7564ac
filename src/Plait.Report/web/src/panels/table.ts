// A panel that is a table: it sorts by every column, marks the best number of a column that has a better end, and
// explains its columns.
import { button, el, emptyFigure, scrollBox } from "../dom.ts";
import { absent, between, number, sentence } from "../format.ts";
import type { Cell, Column, TablePanel } from "../results.ts";
import { dataOf } from "./data.ts";

type Direction = "ascending" | "descending";

const valueOf = (cell: Cell | undefined): number | null => (cell?.kind === "number" ? cell.value : null);

function compare(a: Cell | undefined, b: Cell | undefined, direction: Direction): number {
  // A cell with nothing stays last, whichever way is sorted.
  if (!a || !b) return Number(!a) - Number(!b);
  const [x, y] = [valueOf(a), valueOf(b)];
  const order =
    a.kind === "text" && b.kind === "text" ? a.text.localeCompare(b.text, "en", { numeric: true }) : x !== null && y !== null ? x - y : x === null ? 1 : -1;
  return direction === "ascending" ? order : -order;
}

/** The best number of a column; null where none is better than the others. */
function bestOf({ rows }: TablePanel, index: number, { better }: Column): number | null {
  const all = rows.map((row) => valueOf(row[index])).filter((value) => value !== null);
  if (better === null || new Set(all).size < 2) return null;
  return better === "lower" ? Math.min(...all) : Math.max(...all);
}

function shownOf(cell: Cell | undefined, { decimals }: Column): string {
  if (!cell) return absent;
  if (cell.kind === "text") return cell.text;
  const write = (value: number): string => number(value, decimals);
  const range = cell.low === null || cell.high === null ? "" : ` (${between(write, cell.low, cell.high)})`;
  return write(cell.value) + range;
}

function groupHead(columns: Column[]): HTMLElement | null {
  if (columns.every(({ group }) => group === "")) return null;
  const groups: { name: string; span: number }[] = [];
  for (const { group } of columns) {
    const last = groups.at(-1);
    if (last?.name === group) last.span += 1;
    else groups.push({ name: group, span: 1 });
  }
  const cell = ({ name, span }: { name: string; span: number }): HTMLElement =>
    name === "" ? el("td", { colspan: span, class: "group" }) : el("th", { scope: "colgroup", colspan: span, class: "group" }, name);
  return el("tr", {}, ...groups.map(cell));
}

function meanings(columns: Column[]): HTMLElement | null {
  const explained = columns.filter(({ explanation }) => explanation !== "");
  if (explained.length === 0) return null;
  const entry = ({ group, title, explanation }: Column): HTMLElement =>
    el("div", {}, el("dt", {}, group === "" ? title : `${group}: ${title}`), el("dd", {}, sentence(explanation)));
  return el("details", { class: "data meanings" }, el("summary", {}, "Meaning of the columns"), el("dl", { class: "terms" }, ...explained.map(entry)));
}

/** Texts that are broken into lines; shorter ones stay whole. */
const isLong = (text: string): boolean => text.length > 32;

const classes = (...names: (string | false)[]): string | null => names.filter(Boolean).join(" ") || null;

/** Draws a table panel. */
export function tableOf(panel: TablePanel): HTMLElement {
  const { columns, rows } = panel;
  if (columns.length === 0 || rows.length === 0) return emptyFigure("There are no rows in this table.");
  const numeric = columns.map(({ decimals }, i) => decimals !== null || rows.some((row) => valueOf(row[i]) !== null));
  const bests = columns.map((column, i) => bestOf(panel, i, column));
  const lines = rows.map((row) => {
    const cells = columns.map((column, i) => {
      const shown = shownOf(row[i], column);
      const isBest = bests[i] !== null && valueOf(row[i]) === bests[i];
      const kind = classes(numeric[i] ? "number" : "words", isLong(shown) && "long", isBest && "best");
      const mark = isBest ? el("span", { class: "spoken" }, " (best)") : null;
      return i === 0 ? el("th", { scope: "row", class: kind }, shown, mark) : el("td", { class: kind }, shown, mark);
    });
    return { row, element: el("tr", {}, ...cells) };
  });
  const body = el("tbody", {}, ...lines.map((line) => line.element));
  const heads = columns.map((column, i) => {
    const head = el("th", { scope: "col", "aria-sort": "none", class: classes(numeric[i] === true && "number", column.title.length > 18 && "long") });
    const sort = (): void => {
      const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      for (const other of heads) other.setAttribute("aria-sort", other === head ? direction : "none");
      lines.sort((a, b) => compare(a.row[i], b.row[i], direction));
      body.append(...lines.map((line) => line.element));
    };
    head.append(button(column.title, { title: column.explanation || null }, sort));
    return head;
  });
  const marked = bests.some((value) => value !== null) ? " The best of a column is marked." : "";
  const table = el(
    "table",
    { class: "full" },
    el("caption", {}, `The column titles sort.${marked}`),
    el("thead", {}, groupHead(columns), el("tr", {}, ...heads)),
    body,
  );
  return el("figure", {}, scrollBox(panel.title, table), meanings(columns), dataOf(panel));
}
