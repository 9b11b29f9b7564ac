// The rows as CSV: one line a row, numbers unrounded, absent figures empty.
import type { Results, Row } from "./results.ts";
import { columns, type Column } from "./columns.ts";
import { csv } from "./download.ts";

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
  return csv([head, ...lines]);
}
