// A panel that is a table: it sorts by every column, and marks the best number of a column that has a better end.
import { button, el, scrollBox } from "../dom.ts";
import { emptyFigure } from "../figure.ts";
import { absent, fixed } from "../format.ts";
import type { Cell, TableColumn, TablePanel } from "../panels.ts";
import { dataOf } from "./data.ts";

type Direction = "ascending" | "descending";

const isNumeric = (panel: TablePanel, column: number): boolean =>
  panel.columns[column]?.digits !== null || panel.rows.some((row) => (row[column]?.number ?? null) !== null);

const isEmpty = (cell: Cell | undefined): boolean => cell === undefined || (cell.text === null && cell.number === null);

function compare(a: Cell | undefined, b: Cell | undefined, direction: Direction): number {
  // A cell with nothing stays last, whichever way is sorted.
  if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b));
  const [x, y] = [a?.number ?? null, b?.number ?? null];
  const order =
    x !== null && y !== null ? x - y : x !== null || y !== null ? (x === null ? 1 : -1) : String(a?.text).localeCompare(String(b?.text), "en", { numeric: true });
  return direction === "ascending" ? order : -order;
}

/** The best number of a column; null where none is better than the others. */
function best(panel: TablePanel, index: number, { better }: TableColumn): number | null {
  const all = panel.rows.map((row) => row[index]?.number ?? null).filter((value) => value !== null);
  if (better === null || new Set(all).size < 2) return null;
  return better === "lower" ? Math.min(...all) : Math.max(...all);
}

/** Texts that are broken into lines; shorter ones stay whole. */
const isLong = (text: string): boolean => text.length > 32;

/** Draws a table panel. */
export function tableOf(panel: TablePanel): HTMLElement {
  if (panel.columns.length === 0 || panel.rows.length === 0) return emptyFigure("There are no rows in this table.");
  const numeric = panel.columns.map((_, i) => isNumeric(panel, i));
  const bests = panel.columns.map((column, i) => best(panel, i, column));
  const lines = panel.rows.map((row) => {
    const cells = panel.columns.map((column, i) => {
      const cell = row[i];
      const value = cell?.number ?? null;
      const shown = cell?.text ?? (column.digits === null ? (value === null ? absent : String(value)) : fixed(value, column.digits));
      const isBest = value !== null && value === bests[i];
      const kind = [numeric[i] ? "number" : "words", isLong(shown) ? "long" : "", isBest ? "best" : ""].filter(Boolean).join(" ");
      const mark = isBest ? el("span", { class: "spoken" }, " (best)") : null;
      return i === 0 ? el("th", { scope: "row", class: kind }, shown, mark) : el("td", { class: kind }, shown, mark);
    });
    return { row, element: el("tr", {}, ...cells) };
  });
  const body = el("tbody", {}, ...lines.map((line) => line.element));
  let sorted: { column: number; direction: Direction } | null = null;
  const heads = panel.columns.map((column, i) => {
    const kind = [numeric[i] ? "number" : "", column.title.length > 18 ? "long" : ""].filter(Boolean).join(" ");
    const head = el("th", { scope: "col", "aria-sort": "none", class: kind || null });
    head.append(
      button(column.title, {}, () => {
        const direction = sorted?.column === i && sorted.direction === "ascending" ? "descending" : "ascending";
        sorted = { column: i, direction };
        heads.forEach((other) => other.setAttribute("aria-sort", other === head ? direction : "none"));
        lines.sort((a, b) => compare(a.row[i], b.row[i], direction));
        body.append(...lines.map((line) => line.element));
      }),
    );
    return head;
  });
  const marked = bests.some((value) => value !== null) ? " The best of a column is marked." : "";
  const table = el(
    "table",
    { class: "full of-panel" },
    el("caption", {}, `The column titles sort.${marked}`),
    el("thead", {}, el("tr", {}, ...heads)),
    body,
  );
  return el("figure", {}, scrollBox(panel.title, table), dataOf(panel));
}
