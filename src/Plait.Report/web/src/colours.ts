// Colours: that of the family (a style variable, so that the theme decides), varied where a plot has several series of
// one, and one of a palette where there is no family. A label that comes again in another panel keeps its colour as long
// as nothing else there has it. Where series are of runs, each run has one colour in all panels.
import { el } from "./dom.ts";
import { familyOrder, type Family, type Item, type Panel, type Series } from "./results.ts";

const names: Record<Family, string> = {
  base: "Base",
  plait: "Plait",
  fsharp: "F#",
  csharp: "C#",
  published: "As published",
  package: "Other packages",
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
  ...(["fsharp", "plait", "published", "csharp", "package"] as const).map(familyColour),
  ...Array.from({ length: 7 }, (_, i) => `var(--series-${i + 6})`),
];
// Degrees on the wheel of hues; the first ones of each family stand apart from all other families.
const turns: Record<string, number[]> = {
  plait: [0, 40, -50, 75, -95],
  fsharp: [0, -50, 40, -95, 80],
  csharp: [0, 40, -50, 80, -95],
  published: [0, -50, 40, -95, 80],
  package: [0, 30, -30, 60, 90],
};

/** The colours that a family may have, in the order in which they are given out. */
function coloursOf(family: Family): string[] {
  if (family === "other") return palette;
  // Base and control have no hue to turn.
  if (family === "base" || family === "control") return [familyColour(family), ...palette];
  return (turns[family] ?? [0]).map((turn) => (turn === 0 ? familyColour(family) : `oklch(from ${familyColour(family)} l c calc(h + ${turn}))`));
}

/** Colours of series, and of items that are of a run or have the name of a series. */
export interface Colours {
  of: (series: Series) => string;
  /** How many series of its panel that are drawn alike have the same colour before it: it needs another stroke. */
  again: (series: Series) => number;
  named: (item: Item) => string;
}

const curvesOf = (panel: Panel): Series[] => (panel.kind === "lines" || panel.kind === "percentiles" ? panel.series : []);

/** A colour for each run that is spoken of, in the order in which they come. */
function colourRuns(panels: Panel[]): Map<string, string> {
  const runs = panels.flatMap((panel) => curvesOf(panel).map(({ run }) => run)).filter((run) => run !== null);
  return new Map([...new Set(runs)].map((run, index) => [run, palette[index % palette.length] ?? familyColour("other")]));
}

/** Gives every series of every panel its colour. */
export function colourSeries(panels: Panel[]): Colours {
  const runs = colourRuns(panels);
  const remembered = new Map<string, string>();
  const given = new Map<Series, string>();
  const again = new Map<Series, number>();
  const key = (one: { family: Family; label: string }): string => `${one.family}\n${one.label}`;
  for (const panel of panels) {
    const all = curvesOf(panel);
    const used: string[] = [];
    const give = (series: Series, colour: string): void => {
      used.push(colour);
      given.set(series, colour);
      remembered.set(key(series), colour);
    };
    for (const series of all) {
      const before = series.run === null ? remembered.get(key(series)) : runs.get(series.run);
      if (before !== undefined && (series.run !== null || !used.includes(before))) give(series, before);
    }
    // Those that have a claim to a colour are served first.
    const rank = ({ family }: Series): number => (family === "other" ? 2 : family === "base" || family === "control" ? 1 : 0);
    for (const series of [...all].sort((a, b) => rank(a) - rank(b))) {
      if (given.has(series)) continue;
      const choice = coloursOf(series.family);
      const free = choice.find((colour) => !used.includes(colour)) ?? palette.find((colour) => !used.includes(colour));
      give(series, free ?? choice[used.length % choice.length] ?? familyColour(series.family));
    }
    all.forEach((series, index) => {
      const alike = all.slice(0, index).filter((one) => one.style === series.style && given.get(one) === given.get(series));
      again.set(series, alike.length);
    });
  }
  return {
    again: (series) => again.get(series) ?? 0,
    of: (series) => given.get(series) ?? familyColour(series.family),
    // An item of a run has the run's colour, and one of no family that is called as a series has that series' colour.
    named: (item) => (item.run === null ? undefined : runs.get(item.run)) ?? (item.family === "other" ? remembered.get(key(item)) : undefined) ?? familyColour(item.family),
  };
}
