// The full table: all rows, all figures, sortable by every column; absent figures always last.
import type { Results, Row } from "../results.ts";
import { columns, type Column } from "../columns.ts";
import { familyColour } from "../family.ts";
import { trouble } from "../rows.ts";
import { button, el, scrollBox, section } from "../dom.ts";

type Direction = "ascending" | "descending";

function compare(a: number | string | null, b: number | string | null, direction: Direction): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en");
  return direction === "ascending" ? order : -order;
}

function groupHead(all: Column[]): HTMLElement {
  const groups: { name: string; span: number }[] = [];
  for (const { group } of all) {
    const last = groups.at(-1);
    if (last?.name === group) last.span += 1;
    else groups.push({ name: group, span: 1 });
  }
  const cells = groups.map(({ name, span }) => el("th", { scope: "colgroup", colspan: span, class: "group" }, name));
  return el("tr", {}, ...cells);
}

function bodyCell(row: Row, column: Column): HTMLElement {
  const shown = column.shown(row);
  if (/^verdict$|Verdict$/.test(column.key)) return el("td", {}, el("span", { class: `verdict ${shown}` }, shown));
  if (column.key === "status" && trouble(row) !== null) return el("td", {}, el("span", { class: "status" }, shown));
  return el("td", column.numeric ? { class: "number" } : {}, shown);
}

export function tableSection(results: Results, names: Map<Row, string>): HTMLElement {
  const nameColumn: Column = {
    key: "name",
    group: "Row",
    title: "Row",
    value: (row) => names.get(row) ?? row.id,
    shown: (row) => names.get(row) ?? row.id,
    numeric: false,
  };
  // A column without any figure says nothing here; the CSV has it all the same.
  const filled = (column: Column): boolean => results.rows.some((row) => column.value(row) !== null);
  const all = [nameColumn, ...columns(results).filter(filled)];
  const body = el("tbody");
  const lines = results.rows.map((row) => {
    const swatch = el("span", { class: "swatch", style: `background:${familyColour(row.family)}` });
    const head = el("th", { scope: "row" }, el("span", { class: "name" }, swatch, el("span", {}, nameColumn.shown(row))));
    const cells = all.slice(1).map((column) => bodyCell(row, column));
    return { row, element: el("tr", { "data-id": row.id }, head, ...cells) };
  });

  let sorted: { column: Column; direction: Direction } | null = null;
  const heads = all.map((column) => {
    const press = (): void => {
      const again = sorted?.column === column && sorted.direction === "ascending";
      sort(column, again ? "descending" : "ascending");
    };
    const head = el("th", { scope: "col", class: column.numeric ? "number" : null }, button(column.title, {}, press));
    return { column, head };
  });
  const sort = (column: Column, direction: Direction): void => {
    sorted = { column, direction };
    for (const other of heads) other.head.setAttribute("aria-sort", other.column === column ? direction : "none");
    lines.sort((a, b) => compare(column.value(a.row), column.value(b.row), direction));
    body.append(...lines.map((line) => line.element));
  };
  const measuredOverHttpOnly = results.rows.every((row) => row.cpuRatio === null);
  const first = all.find((column) => column.key === (measuredOverHttpOnly ? "httpCpuRatioMedian" : "cpuRatioMedian"));
  if (first !== undefined) sort(first, "ascending");

  const table = el(
    "table",
    { class: "full", id: "full-table" },
    el("caption", {}, "All rows and all figures. The column titles sort."),
    el("thead", {}, groupHead(all), el("tr", {}, ...heads.map(({ head }) => head))),
    body,
  );
  const content =
    results.rows.length === 0 ? el("p", { class: "empty" }, "There are no rows.") : scrollBox("All rows and all figures", table);
  return section("table", "Table", "All figures", content);
}
