// The meaning of the words on the page, and the figures to trust first.
import { el, section } from "./dom.ts";
import type { Item, Results } from "./results.ts";

/** The section; null where the page has no word to explain. */
export function guide({ panels, rows, factors, controls, margin }: Results): HTMLElement | null {
  const items = panels.flatMap((panel): Item[] => ("items" in panel ? panel.items : []));
  const percent = `±\u202f${Number((margin * 100).toFixed(1))}\u202f%`;
  const terms: [term: string, there: boolean, said: string][] = [
    [
      "Ratio",
      items.some(({ launches }) => launches.length > 0),
      "One operation's cost over that of the base, from pairs of short slices measured in turn. A ratio travels between machines; microseconds do not.",
    ],
    [
      "Interval",
      items.some(({ launches }) => launches.length > 0),
      "A 95 % bootstrap interval over launches of the process: the start of a process moves its figures more than its slices differ, so every small dot is a whole launch.",
    ],
    [
      "A/A control",
      controls.length > 0,
      "The base once more, in another process. It should read 1. Its difference from 1 is noise, and other differences of that size may be noise too. Each measure has its own: if it misses, no figure of that measure is judged.",
    ],
    [
      "Verdict",
      items.some(({ word }) => word !== null && word !== "not judged"),
      `Against a margin of ${percent}: faster or slower when the interval lies wholly beyond it, same when wholly inside, unresolved when it straddles an edge.`,
    ],
    ...factors.map(({ value, explanation }): [string, boolean, string] => [`+ ${value}`, true, `The same candidate; ${explanation}.`]),
    [
      "Order of trust",
      rows.length > 0,
      "Bytes repeat almost exactly; CPU ratios hold to a few per cent; throughput depends on all other work of the machine. Trust them in that order.",
    ],
    [
      "Percentile axis",
      panels.some(({ kind }) => kind === "percentiles"),
      "The slowest one in a hundred, in a thousand, in ten thousand stand equally far apart, so that the tail has as much room as the middle. A curve that turns up at the right has rare, slow cases that a mean would hide.",
    ],
    [
      "Flame graph",
      panels.some(({ kind }) => kind === "flame"),
      "A bar is a function, and the bars that stand on it are the functions that it called. Its width is the number of samples in which a thread was there; left and right have no meaning. Threads spend their time in wide bars without other bars on them.",
    ],
    [
      "Thinned points",
      panels.some((panel) => "series" in panel && panel.series.some(({ of, xs }) => of > xs.length)),
      "Where there are more points than a plot can show, the highest of each stretch are kept, so no peak is lost. The figures beside the plots were computed from all of them.",
    ],
  ];
  const shown = terms.filter(([, there]) => there);
  if (shown.length === 0) return null;
  const entry = ([term, , said]: (typeof terms)[number]): HTMLElement => el("div", {}, el("dt", {}, term), el("dd", {}, said));
  return section("reading-guide", "How to read", "How to read this", el("dl", { class: "terms" }, ...shown.map(entry)));
}
