// Colours: that of the family (a style variable, so that the theme decides), varied where a plot has several series of
// one, and one of a palette where there is no family. A label that comes again in another panel keeps its colour as long
// as nothing else there has it.
import { el } from "./dom.ts";
import { familyOrder, type Family, type Item, type Panel, type Series } from "./results.ts";

const names: Record<Family, string> = {
  base: "Base",
  plait: "Plait",
  fsharp: "F#",
  csharp: "C#",
  published: "As published",
  rival: "Other packages",
  control: "A/A control",
  other: "Other",
};

const familyColour = (family: Family): string => `var(--family-${family})`;

/** The families that occur among the items, as a list of coloured names. */
export function familyLegend(items: Item[]): HTMLElement {
  const present = familyOrder.filter((family) => items.some((item) => item.family === family));
  const entry = (family: Family): HTMLElement =>
    el("li", {}, el("span", { class: "swatch", style: `background:${familyColour(family)}` }), names[family]);
  return el("ul", { class: "legend", "aria-label": "Colours" }, ...present.map(entry));
}

const palette = [
  ...(["fsharp", "plait", "published", "csharp", "rival"] as const).map(familyColour),
  ...Array.from({ length: 7 }, (_, i) => `var(--series-${i + 6})`),
];
// Degrees on the wheel of hues; the first ones of each family stand apart from all other families.
const turns: Record<string, number[]> = {
  plait: [0, 40, -50, 75, -95],
  fsharp: [0, -50, 40, -95, 80],
  csharp: [0, 40, -50, 80, -95],
  published: [0, -50, 40, -95, 80],
  rival: [0, 30, -30, 60, 90],
};

/** The colours that a family may have, in the order in which they are given out. */
function coloursOf(family: Family): string[] {
  if (family === "other") return palette;
  // Base and control have no hue to turn.
  if (family === "base" || family === "control") return [familyColour(family), ...palette];
  return (turns[family] ?? [0]).map((turn) => (turn === 0 ? familyColour(family) : `oklch(from ${familyColour(family)} l c calc(h + ${turn}))`));
}

/** Colours of series, and of items that have the name of one. */
export interface Colours {
  of: (series: Series) => string;
  /** Whether another series of its panel has the same colour, for want of more: it needs another stroke. */
  again: (series: Series) => boolean;
  named: (item: Item) => string;
}

/** Gives every series of every panel its colour. */
export function colourSeries(panels: Panel[]): Colours {
  const remembered = new Map<string, string>();
  const given = new Map<Series, string>();
  const again = new Set<Series>();
  const key = (one: { family: Family; label: string }): string => `${one.family}\n${one.label}`;
  for (const panel of panels) {
    if (panel.kind !== "lines" && panel.kind !== "percentiles") continue;
    const used: string[] = [];
    const give = (series: Series, colour: string): void => {
      if (used.includes(colour)) again.add(series);
      used.push(colour);
      given.set(series, colour);
      remembered.set(key(series), colour);
    };
    for (const series of panel.series) {
      if (series.style === "dashed" && series.label.includes(": ")) continue;
      const before = remembered.get(key(series));
      if (before !== undefined && !used.includes(before)) give(series, before);
    }
    // The second clock of a run has another stroke than the first, and the run's colour.
    const clock = (series: Series): Series | undefined => {
      const run = series.label.indexOf(": ");
      if (series.style !== "dashed" || series.family !== "other" || run < 0) return undefined;
      const own = panel.series.filter((one) => one.label.startsWith(series.label.slice(0, run + 2)));
      return own.length === 2 && own[0] !== series ? own[0] : undefined;
    };
    // Those that have a claim to a colour are served first.
    const rank = ({ family }: Series): number => (family === "other" ? 2 : family === "base" || family === "control" ? 1 : 0);
    for (const series of [...panel.series].sort((a, b) => rank(a) - rank(b))) {
      if (given.has(series)) continue;
      const first = clock(series);
      const shared = first === undefined ? undefined : given.get(first);
      if (shared !== undefined) {
        given.set(series, shared);
        remembered.set(key(series), shared);
        continue;
      }
      const choice = coloursOf(series.family);
      const free = choice.find((colour) => !used.includes(colour)) ?? palette.find((colour) => !used.includes(colour));
      give(series, free ?? choice[used.length % choice.length] ?? familyColour(series.family));
    }
  }
  return {
    again: (series) => again.has(series),
    of: (series) => given.get(series) ?? familyColour(series.family),
    // An item of no family that is called as a series is has that series' colour; one with a family has the family's.
    named: (item) => (item.family === "other" ? remembered.get(key(item)) : undefined) ?? familyColour(item.family),
  };
}
