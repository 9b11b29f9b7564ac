// Every figure of a row as one column, for the full table and for the CSV.
import type { Percent, Results, Row } from "./results.ts";
import { familyName } from "./family.ts";
import * as format from "./format.ts";
import { baseName, operation, ratioOf, sideOf, trouble, type Place } from "./rows.ts";

export interface Column {
  /** The column's name in the CSV: the path of its figure in results.json, in camel case. */
  key: string;
  group: string;
  title: string;
  /** What is sorted by and written to the CSV. */
  value: (row: Row) => number | string | null;
  /** What is shown. */
  shown: (row: Row) => string;
  numeric: boolean;
  /** Of an interval, which the table shows in one column: its upper end, a column of its own in the CSV. */
  upper?: (row: Row) => number | null;
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

interface Ends {
  low: number | null;
  high: number | null;
}

function intervalOf(path: string, group: string, of: (row: Row) => Ends | null): Column {
  const low = (row: Row): number | null => of(row)?.low ?? null;
  const upper = (row: Row): number | null => of(row)?.high ?? null;
  const column = number(`${path}Low`, group, "95 % interval", low, format.ratio);
  return { ...column, upper, shown: (row) => format.interval(low(row), upper(row)) };
}

function sideColumns(results: Results, place: Place, group: string, more: Column[] = []): Column[] {
  const ratio = (row: Row) => ratioOf(results, row, place);
  const key = (name: string): string => (place === "http" ? `http${name[0]?.toUpperCase()}${name.slice(1)}` : name);
  return [
    number(key("cpuRatioMedian"), group, "Ratio", (r) => ratio(r)?.median ?? null, format.ratio),
    intervalOf(key("cpuRatio"), group, ratio),
    plain(key("verdict"), group, "Verdict", (r) => sideOf(r, place)?.verdict ?? null),
    number(key("cpuMicroseconds"), group, "CPU", (r) => sideOf(r, place)?.cpuMicroseconds ?? null, format.microseconds),
    ...more,
    number(key("cpuRatioSpread"), group, "Spread", (r) => ((ratio(r)?.launches.length ?? 0) > 1 ? (ratio(r)?.spread ?? null) : null), format.share),
    number(key("cpuRatioPairs"), group, "Pairs", (r) => ratio(r)?.pairs ?? null, format.count),
  ];
}

const version = (row: Row): string | null =>
  row.library === null ? null : [row.library, row.libraryVersion].filter((part) => part !== null).join(" ");

const right = (row: Row): string | null => (row.correct === null ? null : row.correct ? "yes" : "no");

/** The columns of the full table, in reading order, without the row's name. */
export function columns(results: Results): Column[] {
  const http = "Over HTTP";
  const rate = (row: Row): Percent | null => row.http?.requestsPerSecondPercent ?? null;
  const errors = (row: Row): number | null =>
    row.http === null ? null : row.http.errors.reduce((sum, [, n]) => sum + n, 0);
  return [
    plain("status", "Row", "Status", (r) => trouble(r)?.word ?? r.status),
    number("bytesPerOperation", "Bytes", `Per ${operation(results)}`, (r) => r.bytesPerOperation, format.bytes),
    number("bytesPerOperationNoEscape", "Bytes", "No escape analysis", (r) => r.bytesPerOperationNoEscape, format.bytes),
    ...sideColumns(results, "inProcess", "In process", [
      number("nanosecondsPerWrapper", "In process", "Per wrapper", (r) => r.nanosecondsPerWrapper, format.nanoseconds),
    ]),
    ...sideColumns(results, "http", http),
    number("httpCapacityPercent", http, "Capacity", (r) => r.http?.capacityPercent ?? null, format.percent),
    number("httpRequestsPerSecond", http, "Requests/s", (r) => r.http?.requestsPerSecond ?? null, format.count),
    number("httpRequestsPerSecondPercentMedian", http, `Requests/s, % of ${baseName(results)}`, (r) => rate(r)?.median ?? null, format.percent),
    intervalOf("httpRequestsPerSecondPercent", http, rate),
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
