// The panels of single figures: ratios with intervals, and bars.
import { el } from "../dom.ts";
import { familyLegend } from "../family.ts";
import { emptyFigure, figure } from "../figure.ts";
import { number, quantity } from "../format.ts";
import type { ItemPanel } from "../panels.ts";
import { drawItems } from "../plots/items.ts";
import type { Colours } from "./colours.ts";
import { dataOf } from "./data.ts";

function describe(panel: ItemPanel): string {
  const said = panel.items.map(({ label, value, low, high, other, note }) => {
    const range = low === null || high === null ? "" : ` (${number(low)} to ${number(high)})`;
    const second = other === null ? "" : `, ${panel.otherLabel} ${number(other)}`;
    return `${label} ${quantity(value, panel.x.unit)}${range}${second}${note === null ? "" : `, ${note}`}`;
  });
  return `${panel.title}${panel.x.label ? `, ${panel.x.label}` : ""}: ${said.join("; ")}.`;
}

function marks(panel: ItemPanel): HTMLElement | null {
  const item = (icon: string, label: string): HTMLElement => el("li", {}, el("span", { class: `mark ${icon}` }), label);
  const interval = panel.items.some((one) => one.low !== null && one.high !== null);
  const other = panel.items.some((one) => one.other !== null);
  if (!interval && !other) return null;
  const bars = panel.kind === "bars";
  return el(
    "ul",
    { class: "legend", "aria-label": "Marks" },
    item(bars ? "bar" : "median", "measured"),
    interval ? item("whisker", "interval") : null,
    other ? item(bars ? "outline" : "hollow", panel.otherLabel) : null,
  );
}

/** Draws a forest or bar panel. */
export function itemsOf(panel: ItemPanel, colours: Colours): HTMLElement {
  if (panel.items.length === 0) return emptyFigure("There are no figures to draw.");
  const families = new Set(panel.items.map((item) => item.family));
  return figure({
    label: describe(panel),
    draw: (width) => drawItems(panel, colours, width),
    above: [families.size > 1 ? familyLegend(panel.items) : null, marks(panel)],
    data: dataOf(panel),
  });
}
