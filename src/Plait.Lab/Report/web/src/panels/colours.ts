// Colours of series: that of the family, varied where a family has several, and one of a palette where there is none.
// The same label has the same colour in every panel of the page.
import { familyColour, type Family } from "../family.ts";
import type { Panel, Series } from "../panels.ts";

const palette = 8;
// Degrees on the wheel of hues; neighbours here stand as far apart as families do.
const turns = [0, -50, 40, -95, 80];

const hasHue = (family: Family): boolean =>
  family === "plait" || family === "fsharp" || family === "csharp" || family === "published";

function variant(family: Family, which: number): string {
  const turn = turns[which % turns.length] ?? 0;
  const lighter = Math.floor(which / turns.length) * 0.12;
  return which === 0 ? familyColour(family) : `oklch(from ${familyColour(family)} calc(l + ${lighter}) c calc(h + ${turn}))`;
}

export type Colours = (series: Series) => string;

/** Gives every label of the panels its colour. */
export function colourSeries(panels: Panel[]): Colours {
  const colours = new Map<string, string>();
  const used = new Map<Family, number>();
  let loose = 0;
  const key = (series: Series): string => `${series.family}\n${series.label}`;
  for (const panel of panels) {
    if (panel.kind !== "lines" && panel.kind !== "percentiles") continue;
    for (const series of panel.series) {
      if (colours.has(key(series))) continue;
      const before = used.get(series.family) ?? 0;
      used.set(series.family, before + 1);
      // Base and control have no hue to turn: only the first of each keeps its own.
      const own = hasHue(series.family) || (series.family !== "other" && before === 0);
      colours.set(key(series), own ? variant(series.family, before) : `var(--series-${(loose++ % palette) + 1})`);
    }
  }
  return (series) => colours.get(key(series)) ?? familyColour(series.family);
}
