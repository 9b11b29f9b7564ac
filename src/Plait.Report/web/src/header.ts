// The top of the page: the title, the answer in one sentence, and how far to trust it.
import { el } from "./dom.ts";
import { moment } from "./format.ts";
import { troubleOf } from "./notMeasured.ts";
import type { Results } from "./results.ts";
import { themeToggle } from "./theme.ts";

/** Whether some measure is judged: not where the base against itself came out at 1 in none. */
const isJudged = ({ controls }: Results): boolean => controls.length === 0 || controls.some(({ held }) => held);

/** The answer, or the reason why there is none. */
function answerOf(results: Results): string | null {
  if (results.answer !== null || results.panels.length > 0) return results.answer;
  return results.rows.length > 0 ? "No row was measured to the end; the reasons are below." : "Nothing was measured before this run ended.";
}

/** Null: a look at a process is not called complete, because it cannot be anything else. */
function badgeOf(results: Results): HTMLElement | null {
  if (!results.isRun && results.complete && !results.invalid) return null;
  const [kind, word] = !isJudged(results)
    ? ["bad", "nothing is judged"]
    : results.invalid
      ? ["bad", "invalid: see the warnings"]
      : results.complete
        ? ["good", "complete"]
        : ["bad", "incomplete: stopped early"];
  return el("span", { class: `badge ${kind}`, id: "badge" }, word);
}

function warningsOf({ warnings, trust }: Results): HTMLElement | null {
  if (warnings.length === 0) return null;
  const count = warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`;
  return el(
    "details",
    { class: "warnings", id: "warnings" },
    el("summary", {}, el("strong", {}, count), trust === null ? null : ` · trust in this run: ${trust}`),
    el("ul", {}, ...warnings.map((sentence) => el("li", {}, sentence))),
  );
}

/** The task of the run; a long text is opened on demand, so that the first plot stays on the first screen. */
function summaryOf({ summary, isRun }: Results): HTMLElement | null {
  if (summary === null) return null;
  if (summary.length <= 160) return el("p", { class: "summary", id: "summary" }, summary);
  return el("details", { class: "summary", id: "summary" }, el("summary", {}, isRun ? "Task of the run" : "Target and way of the look"), el("p", {}, summary));
}

export function header(results: Results): HTMLElement {
  const missing = results.rows.filter((row) => troubleOf(row) !== null).length;
  const answer = answerOf(results);
  return el(
    "header",
    {},
    el(
      "div",
      { class: "bar" },
      el("h1", {}, results.title),
      el("span", { class: "kicker" }, `plait · ${results.scenario} · ${moment(results.startedUtc)}`),
      themeToggle(),
    ),
    answer === null ? null : el("p", { class: answer.length > 90 ? "answer long" : "answer", id: "answer" }, answer),
    summaryOf(results),
    el(
      "div",
      { class: "trust", id: "trust" },
      badgeOf(results),
      // The remedy stands at the figures that are not judged.
      ...results.controls.map(({ held, short }) => el("span", held ? {} : { class: "missed" }, held ? short : `✕ ${short}`)),
      missing === 0 ? null : el("a", { href: "#not-measured" }, missing === 1 ? "1 row without a full result" : `${missing} rows without a full result`),
      warningsOf(results),
    ),
  );
}
