// The shape of results.json (schema plait-results/2), and the one place where foreign data becomes typed data.
// Whatever is absent or of the wrong kind becomes null or empty here, so that no view has to check again.

import { readFamily, type Family } from "./family.ts";
import { figure, fields, list, oneLine, present, text, type Fields } from "./fields.ts";
import { readFacts, readPanels, type Facts, type Panel } from "./panels.ts";

export const knownSchema = "plait-results/2";
/** It differs by having no panels. */
export const earlierSchema = "plait-results/1";

export type Status = "measured" | "partial" | "failed" | "not available";

export interface Ratio {
  median: number;
  low: number | null;
  high: number | null;
  launches: number[];
  spread: number | null;
  pairs: number | null;
}

export interface Percent {
  median: number;
  low: number | null;
  high: number | null;
}

/** What is measured in process and over HTTP alike. */
export interface Side {
  cpuMicroseconds: number | null;
  cpuRatio: Ratio | null;
  verdict: string | null;
}

export interface Http extends Side {
  requestsPerSecond: number | null;
  requestsPerSecondPercent: Percent | null;
  capacityPercent: number | null;
  bytesPerRequest: number | null;
  requests: number | null;
  errors: [kind: string, count: number][];
}

export interface Published {
  source: string;
  percentOfSync: number | null;
  note: string | null;
}

/** One row; its own side is the one in process. */
export interface Row extends Side {
  id: string;
  candidate: string;
  factors: string[];
  label: string;
  family: Family;
  library: string | null;
  libraryVersion: string | null;
  status: Status;
  available: boolean;
  reason: string | null;
  correct: boolean | null;
  bytesPerOperation: number | null;
  bytesPerOperationNoEscape: number | null;
  nanosecondsPerWrapper: number | null;
  http: Http | null;
  published: Published[];
}

/** Why a run measured as long as it did, and what it left out. */
export interface Stopping {
  rule: string | null;
  reason: string | null;
  dropped: [row: string, pairs: number][];
}

export interface Results {
  schema: string;
  scenario: string;
  title: string;
  startedUtc: string | null;
  endedUtc: string | null;
  complete: boolean;
  command: string | null;
  seed: number | null;
  base: string;
  margin: number;
  settings: [name: string, value: string][];
  environment: [name: string, value: unknown][];
  warnings: string[];
  rows: Row[];
  published: { source: string; variant: string; percentOfSync: number | null }[];
  stopping: Stopping | null;
  facts: Facts | null;
  panels: Panel[];
}

function readRatio(value: unknown): Ratio | null {
  const of = fields(value);
  const median = figure(of["median"]);
  // A ratio of zero or below cannot be measured, and has no place on a logarithmic axis.
  if (median === null || median <= 0) return null;
  const positive = (x: number | null): number | null => (x !== null && x > 0 ? x : null);
  return {
    median,
    low: positive(figure(of["low"])),
    high: positive(figure(of["high"])),
    launches: list(of["launches"]).map(figure).map(positive).filter(present),
    spread: figure(of["spread"]),
    pairs: figure(of["pairs"]),
  };
}

function readPercent(value: unknown): Percent | null {
  const of = fields(value);
  const median = figure(of["median"]);
  return median === null ? null : { median, low: figure(of["low"]), high: figure(of["high"]) };
}

const readSide = (of: Fields): Side => ({
  cpuMicroseconds: figure(of["cpuMicroseconds"]),
  cpuRatio: readRatio(of["cpuRatio"]),
  verdict: text(of["verdict"]),
});

function readHttp(value: unknown): Http | null {
  if (typeof value !== "object" || value === null) return null;
  const of = fields(value);
  return {
    ...readSide(of),
    requestsPerSecond: figure(of["requestsPerSecond"]),
    requestsPerSecondPercent: readPercent(of["requestsPerSecondPercent"]),
    capacityPercent: figure(of["capacityPercent"]),
    bytesPerRequest: figure(of["bytesPerRequest"]),
    requests: figure(of["requests"]),
    errors: Object.entries(fields(of["errors"])).map(([kind, count]) => [kind, figure(count) ?? 0]),
  };
}

const statuses: readonly string[] = ["measured", "partial", "failed", "not available"];

function readRow(value: unknown, index: number): Row {
  const of = fields(value);
  const id = text(of["id"]) ?? text(of["candidate"]) ?? `row ${index + 1}`;
  const status = text(of["status"]) ?? "";
  const known = statuses.includes(status);
  return {
    id,
    candidate: text(of["candidate"]) ?? id,
    factors: Object.entries(fields(of["factors"])).flatMap(([name, on]) => (on === true ? [name] : [])),
    label: oneLine(text(of["label"]) ?? id),
    family: readFamily(of["family"]),
    library: text(of["library"]),
    libraryVersion: text(of["libraryVersion"]),
    status: known ? (status as Status) : "failed",
    available: of["available"] !== false && status !== "not available",
    reason: text(of["reason"]) ?? (known ? null : "The file names no status that this page knows."),
    correct: typeof of["correct"] === "boolean" ? of["correct"] : null,
    bytesPerOperation: figure(of["bytesPerOperation"]),
    bytesPerOperationNoEscape: figure(of["bytesPerOperationNoEscape"]),
    ...readSide(of),
    nanosecondsPerWrapper: figure(of["nanosecondsPerWrapper"]),
    http: readHttp(of["http"]),
    published: list(of["published"]).map((p) => {
      const from = fields(p);
      return {
        source: text(from["source"]) ?? "unnamed source",
        percentOfSync: figure(from["percentOfSync"]),
        note: text(from["note"]),
      };
    }),
  };
}

/** The plots tell rows apart by their ids, so a second row of the same id gets its number behind it. */
function withOwnIds(rows: Row[]): Row[] {
  const seen = new Set<string>();
  return rows.map((row, index) => {
    const id = seen.has(row.id) ? `${row.id} #${index + 1}` : row.id;
    seen.add(id);
    return { ...row, id };
  });
}

function readStopping(value: unknown): Stopping | null {
  const of = fields(value);
  const [rule, reason] = [text(of["rule"]), text(of["reason"])];
  const dropped = Object.entries(fields(of["droppedPairs"])).flatMap(([row, pairs]): [string, number][] => {
    const count = figure(pairs);
    return count === null || count <= 0 ? [] : [[row, count]];
  });
  return rule === null && reason === null && dropped.length === 0 ? null : { rule, reason, dropped };
}

/** Reads a parsed results.json; never throws, whatever the value is. */
export function readResults(value: unknown): Results {
  const of = fields(value);
  const scenario = text(of["scenario"]) ?? "unnamed scenario";
  return {
    schema: text(of["schema"]) ?? "none",
    scenario,
    title: text(of["title"]) ?? scenario,
    startedUtc: text(of["startedUtc"]),
    endedUtc: text(of["endedUtc"]),
    complete: of["complete"] === true,
    command: text(of["command"]),
    seed: figure(of["seed"]),
    base: text(of["base"]) ?? "base",
    margin: Math.min(Math.max(figure(of["margin"]) ?? 0.03, 0), 0.9),
    settings: Object.entries(fields(of["settings"])).map(([name, v]) => [name, String(v)]),
    environment: Object.entries(fields(of["environment"])),
    warnings: list(of["warnings"]).map(text).filter(present),
    rows: withOwnIds(list(of["rows"]).map(readRow)),
    published: list(of["published"]).map((p) => {
      const from = fields(p);
      return {
        source: text(from["source"]) ?? "unnamed source",
        variant: text(from["variant"]) ?? "unnamed variant",
        percentOfSync: figure(from["percentOfSync"]),
      };
    }),
    stopping: readStopping(of["stopping"]),
    facts: readFacts(of["panels"]),
    panels: readPanels(of["panels"]),
  };
}
