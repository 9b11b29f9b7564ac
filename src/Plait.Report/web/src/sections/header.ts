// The top of the page: title, the result in one sentence, whether the run is complete, and the figures to bear in mind.
import type { Results, Row } from "../results.ts";
import { baseName, isBase, isContender, operation, ranked, ratioOf, sideOf, trouble, type Place } from "../rows.ts";
import { rowsWithBytes } from "../plots/bytes.ts";
import { bytes, count, duration, interval, margin, microseconds, moment, percent, times } from "../format.ts";
import { el } from "../dom.ts";
import { themeToggle } from "../theme.ts";

function capacity(row: Row): string | null {
  const value = row.http?.capacityPercent ?? null;
  return value === null ? null : percent(value);
}

/** What the rows say of bytes, where no ratio was measured. */
function readingOfBytes(results: Results, names: Map<Row, string>): string {
  const all = rowsWithBytes(results).filter((row) => isContender(results, row));
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) {
    return "No candidate was measured to the end in this run; the reasons are below.";
  }
  const least = `${names.get(first) ?? first.id} allocates ${bytes(first.bytesPerOperation)} per ${operation(results)}`;
  if (first === last) return `${least}.`;
  return `${least}, the least of ${all.length} candidates, and ${names.get(last) ?? last.id} the most, ${bytes(last.bytesPerOperation)}.`;
}

/** What the sentence is worth where the base against itself is not 1. */
function missOf(results: Results, place: Place): string {
  const control = results.rows.find((row) => row.family === "control");
  const ratio = control === undefined ? null : ratioOf(results, control, place);
  if (control === undefined || ratio === null || Math.abs(ratio.median - 1) <= results.margin) return "";
  return ` The base against itself came out at ${times(ratio.median)}: no difference of that size means anything here.`;
}

/** The result in one sentence, for any number of rows; null where a run consists of panels that speak for themselves. */
export function reading(results: Results, names: Map<Row, string>): string | null {
  if (results.facts?.summary) return results.facts.summary;
  const name = (row: Row): string => names.get(row) ?? row.id;
  const inProcess = ranked(results, "inProcess").filter(({ row }) => isContender(results, row));
  const place = inProcess.length > 0 ? "in process" : "over HTTP";
  const all = inProcess.length > 0 ? inProcess : ranked(results, "http").filter(({ row }) => isContender(results, row));
  const first = all[0];
  const last = all.at(-1);
  if (first === undefined || last === undefined) {
    if (results.rows.length > 0) return readingOfBytes(results, names);
    return results.panels.length > 0 ? null : "This run holds no rows: nothing was measured before it ended.";
  }
  const { low, high } = first.ratio;
  const at: Place = place === "in process" ? "inProcess" : "http";
  const open = sideOf(first.row, at)?.verdict === "unresolved" ? ", unresolved" : "";
  const range = low === null || high === null ? "" : ` (95 % interval ${interval(low, high)}${open})`;
  const best = `${name(first.row)} costs ${times(first.ratio.median)} the CPU time of ${baseName(results)} per ${operation(results)} ${place}${range}`;
  const doubt = missOf(results, at);
  if (first === last) return `${best}.${doubt}`;
  const ends = [capacity(first.row), capacity(last.row)];
  const leaves =
    place === "in process" && ends[0] && ends[1] ? `; over HTTP that leaves ${ends[0]} and ${ends[1]} of its capacity` : "";
  return `${best}, the least of ${all.length} candidates, and ${name(last.row)} the most, ${times(last.ratio.median)}${leaves}.${doubt}`;
}

function fact(title: string, figure: string, more: string): HTMLElement {
  return el("div", { class: "fact" }, el("dt", {}, title), el("dd", {}, el("strong", {}, figure), el("span", {}, more)));
}

/** The tiles of the rows; beside facts of the run's own only what says how far to trust them. */
function rowFacts(results: Results, whole: boolean): HTMLElement[] {
  const base = results.rows.find((row) => isBase(results, row));
  const control = results.rows.find((row) => row.family === "control");
  const luck = control === undefined ? null : (ratioOf(results, control, "inProcess") ?? ratioOf(results, control, "http"));
  const troubled = results.rows.filter((row) => trouble(row) !== null).length;
  const cpu = base?.cpuMicroseconds ?? base?.http?.cpuMicroseconds ?? null;
  const known = luck !== null && luck.low !== null && luck.high !== null;
  const allocated = base?.bytesPerOperation ?? null;
  const cost = `CPU${allocated === null ? "" : ` and ${bytes(allocated)}`} per ${operation(results)} (${baseName(results)})`;
  const trust = fact(
    "The base against itself",
    luck === null ? "not measured" : times(luck.median),
    luck === null ? "no A/A control in this run" : `A/A control${known ? `, ${interval(luck.low, luck.high)}` : ""}`,
  );
  if (!whole) return luck === null ? [] : [trust];
  return [
    cpu === null ? fact("Base", "not measured", baseName(results)) : fact("Base", microseconds(cpu), cost),
    trust,
    fact("Counts as a difference", margin(results.margin), "the margin of every verdict"),
    fact(
      "Rows",
      count(results.rows.length),
      results.rows.length === 0
        ? "nothing was measured"
        : troubled === 0
          ? "all measured and right"
          : `${count(troubled)} without a full result, listed below`,
    ),
  ];
}

/** Whether some rows had fewer launches than others: narrow sooner, or in trouble. */
function uneven(results: Results): boolean {
  const counts = results.rows
    .filter((row) => !isBase(results, row))
    .map((row) => (row.cpuRatio ?? row.http?.cpuRatio)?.launches.length)
    .filter((n) => n !== undefined);
  return new Set(counts).size > 1;
}

function facts(results: Results): HTMLElement {
  const setting = (name: string): string | null => {
    const value = results.settings.find(([key]) => key === name)?.[1] ?? null;
    return value === "0" ? null : value;
  };
  const launches = setting("launches");
  const pairs = setting("pairs");
  const all = [
    ...(results.facts?.figures ?? []).map((one) => fact(one.title, one.figure, one.words)),
    ...(results.rows.length > 0 || results.panels.length === 0 ? rowFacts(results, results.facts === null) : []),
    fact(
      "Run",
      duration(results.startedUtc, results.endedUtc),
      [launches && `${uneven(results) ? "up to " : ""}${launches} ${launches === "1" ? "launch" : "launches"}`, pairs && `${pairs} ${pairs === "1" ? "pair" : "pairs"} each`].filter(Boolean).join(" × ") || moment(results.startedUtc),
    ),
  ];
  return el("dl", { class: all.length > 4 ? "facts many" : "facts" }, ...all);
}

export function header(results: Results, names: Map<Row, string>): HTMLElement {
  const said = reading(results, names);
  const badge = results.warnings.some((warning) => /^(.+: )?invalid: /.test(warning))
    ? el("span", { class: "badge incomplete", id: "badge" }, "invalid: see the notices")
    : results.complete
    ? el("span", { class: "badge complete", id: "badge" }, "complete")
    : el("span", { class: "badge incomplete", id: "badge" }, "incomplete: stopped early");
  return el(
    "header",
    {},
    el(
      "div",
      { class: "bar" },
      el("span", { class: "kicker" }, `Plait lab · ${results.scenario} · ${moment(results.startedUtc)}`),
      themeToggle(),
    ),
    el("h1", {}, results.title),
    said === null ? null : el("p", { class: "reading", id: "reading" }, said),
    el("p", {}, badge),
    facts(results),
  );
}
