// The top of the page: title, the result in one sentence, whether the run is complete, and the figures to bear in mind.
import type { Results, Row } from "../results.ts";
import { isBase, isContender, ranked, ratioOf, trouble } from "../rows.ts";
import { bytes, count, duration, interval, margin, microseconds, moment, percent, times } from "../format.ts";
import { el } from "../dom.ts";
import { themeToggle } from "../theme.ts";

function capacity(row: Row): string | null {
  const value = row.http?.capacityPercent ?? null;
  return value === null ? null : percent(value);
}

/** The result in one sentence, for any number of rows. */
export function reading(results: Results, names: Map<Row, string>): string {
  const name = (row: Row): string => names.get(row) ?? row.id;
  const inProcess = ranked(results, "inProcess").filter(({ row }) => isContender(results, row));
  const place = inProcess.length > 0 ? "in process" : "over HTTP";
  const all = inProcess.length > 0 ? inProcess : ranked(results, "http").filter(({ row }) => isContender(results, row));
  const first = all[0];
  const last = all.at(-1);
  if (first === undefined || last === undefined) {
    return results.rows.length === 0
      ? "This run holds no rows: nothing was measured before it ended."
      : "No candidate was measured to the end in this run; the reasons are below.";
  }
  const { low, high } = first.ratio;
  const range = low === null || high === null ? "" : ` (95 % interval ${interval(low, high)})`;
  const best = `${name(first.row)} costs ${times(first.ratio.median)} the CPU time of ${results.base} per request ${place}${range}`;
  if (first === last) return `${best}.`;
  const ends = [capacity(first.row), capacity(last.row)];
  const leaves =
    place === "in process" && ends[0] && ends[1] ? `; over HTTP that leaves ${ends[0]} and ${ends[1]} of its capacity` : "";
  return `${best}, the least of ${all.length} candidates, and ${name(last.row)} the most, ${times(last.ratio.median)}${leaves}.`;
}

function fact(title: string, figure: string, more: string): HTMLElement {
  return el("div", { class: "fact" }, el("dt", {}, title), el("dd", {}, el("strong", {}, figure), el("span", {}, more)));
}

function facts(results: Results): HTMLElement {
  const base = results.rows.find((row) => isBase(results, row));
  const control = results.rows.find((row) => row.family === "control");
  const luck = control === undefined ? null : (ratioOf(results, control, "inProcess") ?? ratioOf(results, control, "http"));
  const troubled = results.rows.filter((row) => trouble(row) !== null).length;
  const setting = (name: string): string | undefined => results.settings.find(([key]) => key === name)?.[1];
  const launches = setting("launches");
  const pairs = setting("pairs");
  const cpu = base?.cpuMicroseconds ?? base?.http?.cpuMicroseconds ?? null;
  const known = luck !== null && luck.low !== null && luck.high !== null;
  return el(
    "dl",
    { class: "facts" },
    cpu === null
      ? fact("Base", "not measured", results.base)
      : fact("Base", microseconds(cpu), `CPU and ${bytes(base?.bytesPerOperation ?? null)} per request (${results.base})`),
    fact(
      "The base against itself",
      luck === null ? "not measured" : times(luck.median),
      luck === null ? "no A/A control in this run" : `A/A control${known ? `, ${interval(luck.low, luck.high)}` : ""}`,
    ),
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
    fact(
      "Run",
      duration(results.startedUtc, results.endedUtc),
      [launches && `${launches} ${launches === "1" ? "launch" : "launches"}`, pairs && `${pairs} pairs each`].filter(Boolean).join(" × ") || moment(results.startedUtc),
    ),
  );
}

export function header(results: Results, names: Map<Row, string>): HTMLElement {
  const badge = results.complete
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
    el("p", { class: "reading", id: "reading" }, reading(results, names)),
    el("p", {}, badge),
    facts(results),
  );
}
