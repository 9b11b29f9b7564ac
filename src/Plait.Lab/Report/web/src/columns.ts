// Every figure of a row as one column, for the full table and for the CSV.
import type { Results, Row } from "./results.ts";
import { familyName } from "./family.ts";
import * as format from "./format.ts";
import { ratioOf, trouble, type Place } from "./rows.ts";

export interface Column {
  /** The column's name in the CSV; it ends in its unit. */
  key: string;
  group: string;
  title: string;
  /** What is sorted by and written to the CSV. */
  value: (row: Row) => number | string | null;
  /** What is shown. */
  shown: (row: Row) => string;
  numeric: boolean;
}

const plain = (key: string, group: string, title: string, value: (row: Row) => string | null): Column => ({
  key,
  group,
  title,
  value,
  shown: (row) => value(row) ?? format.absent,
  numeric: false,
});

const number = (
  key: string,
  group: string,
  title: string,
  value: (row: Row) => number | null,
  show: (value: number | null) => string,
): Column => ({ key, group, title, value, shown: (row) => show(value(row)), numeric: true });

function sideColumns(results: Results, place: Place, group: string): Column[] {
  const ratio = (row: Row) => ratioOf(results, row, place);
  return [
    number(`${place}RatioMedian`, group, "Ratio", (r) => ratio(r)?.median ?? null, format.ratio),
    {
      ...number(`${place}RatioLow`, group, "95 % interval", (r) => ratio(r)?.low ?? null, format.ratio),
      shown: (r) => format.interval(ratio(r)?.low ?? null, ratio(r)?.high ?? null),
    },
    plain(`${place}Verdict`, group, "Verdict", (r) => r[place]?.verdict ?? null),
    number(`${place}CpuMicroseconds`, group, "CPU", (r) => r[place]?.cpuMicroseconds ?? null, format.microseconds),
    number(`${place}RatioSpread`, group, "Spread", (r) => ratio(r)?.spread ?? null, format.share),
    number(`${place}Pairs`, group, "Pairs", (r) => ratio(r)?.pairs ?? null, format.count),
  ];
}

const version = (row: Row): string | null =>
  row.library === null ? null : [row.library, row.libraryVersion].filter((part) => part !== null).join(" ");

const right = (row: Row): string | null => (row.correct === null ? null : row.correct ? "yes" : "no");

/** The columns of the full table, in reading order, without the row's name. */
export function columns(results: Results): Column[] {
  const http = "Over HTTP";
  const errors = (row: Row): number | null =>
    row.http === null ? null : row.http.errors.reduce((sum, [, n]) => sum + n, 0);
  return [
    plain("status", "Row", "Status", (r) => trouble(r)?.word ?? r.status),
    number("bytesPerRequest", "Bytes", "Per request", (r) => r.bytesPerRequest, format.bytes),
    number("bytesPerRequestNoEscape", "Bytes", "No escape analysis", (r) => r.bytesPerRequestNoEscape, format.bytes),
    ...sideColumns(results, "inProcess", "In process"),
    ...sideColumns(results, "http", http),
    number("httpCapacityPercent", http, "Capacity", (r) => r.http?.capacityPercent ?? null, format.percent),
    number("httpRequestsPerSecond", http, "Requests/s", (r) => r.http?.requestsPerSecond ?? null, format.count),
    number("httpRequestsPerSecondRatio", http, "Requests/s ratio", (r) => r.http?.requestsPerSecondRatio ?? null, format.ratio),
    number("httpBytesPerRequest", http, "Bytes", (r) => r.http?.bytesPerRequest ?? null, format.bytes),
    number("httpRequests", http, "Requests", (r) => r.http?.requests ?? null, format.count),
    number("httpErrors", http, "Errors", errors, format.count),
    plain("family", "About", "Family", (r) => familyName(r.family)),
    plain("library", "About", "Library", version),
    plain("correct", "About", "Right answer", right),
    plain("published", "About", "Published, % of sync", (r) =>
      r.published.map((p) => `${format.printedPercent(p.percentOfSync)} ${p.source}`).join("; ") || null,
    ),
  ];
}
