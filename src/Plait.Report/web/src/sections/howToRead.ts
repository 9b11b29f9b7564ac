// What the words on the page mean, and which figures to trust first.
import type { Results } from "../results.ts";
import { margin } from "../format.ts";
import { baseName, operation, ranked } from "../rows.ts";
import { el, section } from "../dom.ts";

type Term = [term: string, said: string];

function rowTerms(results: Results): Term[] {
  const inProcess = ranked(results, "inProcess").length > 0;
  const http = ranked(results, "http").length > 0;
  if (!inProcess && !http) return [];
  const terms: Term[] = [
    [
      "Ratio",
      `CPU time per ${operation(results)} over that of ${baseName(results)}, from pairs of short slices run side by side. A ratio travels between machines; microseconds do not.`,
    ],
    [
      "Interval",
      "A 95 % bootstrap interval over launches, not over slices: how a process happens to start moves its figures more than anything inside it, so every dot is a whole launch.",
    ],
  ];
  if (results.rows.some((row) => row.family === "control")) {
    terms.push([
      "A/A control",
      `The same build as ${baseName(results)} in another process. It ought to read 1. Whatever it misses 1 by is luck, and so may be any difference of that size.`,
    ]);
  }
  terms.push([
    "Verdict",
    `Against a margin of ${margin(results.margin)}: faster or slower when the interval lies wholly beyond it, same when wholly inside, unresolved when it straddles an edge.`,
  ]);
  if (http) {
    terms.push([
      "Capacity",
      "100 ÷ the CPU ratio over HTTP: the share of the base's requests per second that a server core can still answer.",
    ]);
  }
  terms.push([
    "Order of trust",
    "Bytes repeat almost exactly; CPU ratios hold to a few per cent; throughput depends on everything else the machine does. Believe them in that order.",
  ]);
  return terms;
}

function panelTerms(results: Results): Term[] {
  const terms: Term[] = [];
  if (results.panels.some((panel) => panel.kind === "percentiles")) {
    terms.push([
      "Percentile axis",
      "The slowest one in a hundred, in a thousand, in ten thousand stand equally far apart, so that the tail has as much room as the middle. A curve that turns up at the right has rare, slow cases that a mean would hide.",
    ]);
  }
  if (results.panels.some((panel) => "series" in panel && panel.series.some((series) => series.of > series.xs.length))) {
    terms.push([
      "Thinned points",
      "Where there are more points than a plot can show, the highest of each stretch are kept, so no peak is lost. The figures beside the plots were computed from all of them.",
    ]);
  }
  return terms;
}

/** The section; null where the page has no word to explain. */
export function howToRead(results: Results): HTMLElement | null {
  const terms = [...rowTerms(results), ...panelTerms(results)];
  if (terms.length === 0) return null;
  return section(
    "reading-guide", "How to read",
    "How to read this",
    el("dl", { class: "terms" }, ...terms.map(([term, said]) => el("div", {}, el("dt", {}, term), el("dd", {}, said)))),
  );
}
