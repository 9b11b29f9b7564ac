// The rows as CSV: one line a row, numbers unrounded, absent figures empty.
import type { Results, Row } from "./results.ts";
import { columns, type Column } from "./columns.ts";

function cell(value: number | string | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // A spreadsheet would run text that begins like a formula; the quote keeps it text.
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

// The table shows an interval in one column; the CSV needs its upper end too.
const withUpperEnd = (column: Column): Column[] =>
  column.upper === undefined
    ? [column]
    : [column, { ...column, key: column.key.replace(/Low$/, "High"), value: column.upper }];

export function toCsv(results: Results, names: Map<Row, string>): string {
  const all = columns(results).flatMap(withUpperEnd);
  const head = ["id", "name", ...all.map((column) => column.key), "reason"];
  const lines = results.rows.map((row) => [
    row.id,
    names.get(row) ?? row.id,
    ...all.map((column) => column.value(row)),
    row.reason,
  ]);
  return [head, ...lines].map((line) => line.map(cell).join(",")).join("\r\n") + "\r\n";
}
