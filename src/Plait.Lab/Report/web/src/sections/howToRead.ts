// What the words on the page mean, and which figures to trust first.
import type { Results } from "../results.ts";
import { margin } from "../format.ts";
import { el, section } from "../dom.ts";

export function howToRead(results: Results): HTMLElement {
  const terms: [string, string][] = [
    [
      "Ratio",
      `CPU time per request over that of ${results.base}, from pairs of short slices run side by side. A ratio travels between machines; microseconds do not.`,
    ],
    [
      "Interval",
      "A 95 % bootstrap interval over launches, not over slices: how a process happens to start moves its figures more than anything inside it, so every dot is a whole launch.",
    ],
    [
      "A/A control",
      `The same build as ${results.base} in another process. It ought to read 1. Whatever it misses 1 by is luck, and so may be any difference of that size.`,
    ],
    [
      "Verdict",
      `Against a margin of ${margin(results.margin)}: faster or slower when the interval lies wholly beyond it, same when wholly inside, unresolved when it straddles an edge.`,
    ],
    [
      "Capacity",
      "100 ÷ the CPU ratio over HTTP: the share of the base's requests per second that a server core can still answer.",
    ],
    [
      "Order of trust",
      "Bytes repeat almost exactly; CPU ratios hold to a few per cent; throughput depends on everything else the machine does. Believe them in that order.",
    ],
  ];
  return section(
    "reading-guide", "How to read",
    "How to read this",
    el("dl", { class: "terms" }, ...terms.map(([term, said]) => el("div", {}, el("dt", {}, term), el("dd", {}, said)))),
  );
}
