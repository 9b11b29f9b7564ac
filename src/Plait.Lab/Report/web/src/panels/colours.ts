// Colours of series: that of the family, varied where a plot has several of one, and one of a palette where there is no
// family. A label that comes again in another panel keeps its colour as long as nothing else there has it.
import { familyColour, type Family } from "../family.ts";
import type { Panel, Series } from "../panels.ts";

const palette = Array.from({ length: 8 }, (_, i) => `var(--series-${i + 1})`);
// Degrees on the wheel of hues; neighbours here stand as far apart as families do.
const turns = [0, -50, 40, -95, 80];

/** The colours that a family may have, in the order in which they are given out. */
function coloursOf(family: Family): string[] {
  if (family === "other") return palette;
  // Base and control have no hue to turn.
  if (family === "base" || family === "control") return [familyColour(family), ...palette];
  return turns.map((turn) => (turn === 0 ? familyColour(family) : `oklch(from ${familyColour(family)} l c calc(h + ${turn}))`));
}

export type Colours = (series: Series) => string;

/** Gives every series of every panel its colour. */
export function colourSeries(panels: Panel[]): Colours {
  const remembered = new Map<string, string>();
  const given = new Map<Series, string>();
  const key = (series: Series): string => `${series.family}\n${series.label}`;
  for (const panel of panels) {
    if (panel.kind !== "lines" && panel.kind !== "percentiles") continue;
    const used: string[] = [];
    const give = (series: Series, colour: string): void => {
      used.push(colour);
      given.set(series, colour);
      remembered.set(key(series), colour);
    };
    for (const series of panel.series) {
      const before = remembered.get(key(series));
      if (before !== undefined && !used.includes(before)) give(series, before);
    }
    for (const series of panel.series) {
      if (given.has(series)) continue;
      const choice = coloursOf(series.family);
      const free = choice.find((colour) => !used.includes(colour)) ?? palette.find((colour) => !used.includes(colour));
      give(series, free ?? choice[used.length % choice.length] ?? familyColour(series.family));
    }
  }
  return (series) => given.get(series) ?? familyColour(series.family);
}
