// Dots with whiskers against a line of reference, or bars from zero, one line an item.
import * as Plot from "@observablehq/plot";
import type { Item, ItemPanel } from "../panels.ts";
import type { Colours } from "../panels/colours.ts";
import { number, quantity } from "../format.ts";
import { byFamily, framed, isReference, layOut, lineTip, type Line } from "./layout.ts";
import { ticks, valueAt } from "./scale.ts";

interface ItemLine extends Line {
  value1: number;
  low: number | null;
  high: number | null;
  other: number | null;
}

function toLine(panel: ItemPanel, colours: Colours, short: boolean) {
  return (item: Item, index: number): ItemLine => {
    const range = item.low === null || item.high === null ? null : `${number(item.low)} to ${number(item.high)}`;
    const other = item.other === null ? null : `${quantity(item.other, panel.x.unit)} ${panel.otherLabel}`;
    const value = quantity(item.value, panel.x.unit);
    const tip = [item.label, range === null ? value : `${value}, interval ${range}`, other, item.note];
    return {
      id: String(index),
      name: item.label,
      family: item.family,
      colour: colours.named(item),
      value: panel.kind === "bars" || short || range === null ? value : `${value}  (${range.replace(" to ", "–")})`,
      tip: tip.filter((part) => part !== null).join("\n"),
      value1: item.value,
      low: item.low,
      high: item.high,
      other: item.other,
    };
  };
}

interface Axis {
  type: "log" | "linear";
  domain: [number, number];
  ticks: number[];
}

/** An axis that shows all of the values; bars begin at zero, or on a logarithmic axis at the decade below the least. */
function axisFor(panel: ItemPanel, values: number[], pixels: number): Axis {
  const count = Math.max(2, Math.round(pixels / 110));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (panel.x.log && low > 0) {
    const bars = panel.kind === "bars";
    const from = bars ? Math.floor(Math.log10(low) - 1e-9) : Math.log10(low);
    const room = Math.max(Math.log10(high) - from, 0.1) * 0.04;
    const span = [from - (bars ? 0 : room), Math.log10(high) + room] as const;
    const found = ticks("log", span, count).map(({ at }) => valueAt("log", at));
    return { type: "log", domain: [10 ** span[0], 10 ** span[1]], ticks: found };
  }
  const room = (high - low || Math.abs(high) || 1) * 0.04;
  const bars = panel.kind === "bars";
  const above = bars ? room / 2 : room;
  const domain: [number, number] = [bars && low >= 0 ? 0 : low - room, bars && low < 0 && high <= 0 ? 0 : high + above];
  return { type: "linear", domain, ticks: ticks("linear", domain, count).map(({ at }) => at) };
}

function forestMarks(lines: ItemLine[], dy: number): Plot.Markish[] {
  const dot = { x: "value1", y: "id", dy } as const;
  return [
    Plot.dot(lines.filter((l) => l.other !== null), {
      x: "other", y: "id", fill: "var(--paper)", stroke: byFamily, strokeWidth: 1.5, r: 4.4, dy, className: "others",
    }),
    Plot.dot(lines.filter((l) => !isReference(l)), { ...dot, fill: byFamily, stroke: "var(--paper)", strokeWidth: 1, r: 4.5, className: "values" }),
    Plot.dot(lines.filter(isReference), {
      ...dot, symbol: "diamond", fill: "var(--paper)", stroke: byFamily, strokeWidth: 1.8, r: 4.5, className: "values references",
    }),
  ];
}

function barMarks(lines: ItemLine[], from: number, narrow: boolean, dy: number): Plot.Markish[] {
  const inset = narrow ? 12 : 3;
  return [
    Plot.barX(lines, { x1: from, x2: "value1", y: "id", fill: byFamily, fillOpacity: 0.8, insetTop: inset, insetBottom: inset, dy, className: "bars" }),
    Plot.barX(lines.filter((l) => l.other !== null), {
      x1: from, x2: "other", y: "id", fill: "none", stroke: byFamily, strokeWidth: 1.3, insetTop: inset - 2, insetBottom: inset - 2, dy,
      className: "outlined-bars",
    }),
  ];
}

/** Draws the panel; the caller sees to it that it has an item. */
export function drawItems(panel: ItemPanel, colours: Colours, width: number): Element {
  const lines = panel.items.map(toLine(panel, colours, width < 400));
  const layout = layOut(lines, width);
  const bars = panel.kind === "bars";
  const { dy, narrow } = layout;
  const reference = panel.reference === null ? [] : [panel.reference];
  const all = lines.flatMap((l) => [l.value1, l.low ?? l.value1, l.high ?? l.value1, l.other ?? l.value1]);
  const axis = axisFor(panel, bars ? [...all, ...reference, ...(panel.x.log ? [] : [0])] : [...all, ...reference], width - layout.marginLeft - layout.marginRight);
  const from = axis.type === "log" ? axis.domain[0] : 0;
  const whiskers = lines.filter((l) => l.low !== null && l.high !== null);
  const cap = { insetTop: narrow ? 12 : 5, insetBottom: narrow ? 12 : 5, dy, strokeWidth: 1.5 };
  const ink = bars ? "currentColor" : byFamily;
  const zero = bars || panel.reference === null ? [from] : [];
  const marks: Plot.Markish[] = [
    ...(bars ? barMarks(lines, from, narrow, dy) : []),
    Plot.ruleX(bars ? zero : reference, { stroke: "currentColor", strokeWidth: 1.2, insetTop: -4, className: "base-line" }),
    ...(bars ? [Plot.ruleX(reference, { stroke: "currentColor", strokeDasharray: "3 3", insetTop: -4, className: "reference" })] : []),
    ...(bars || panel.reference === null
      ? []
      : [Plot.ruleY(lines, { y: "id", x1: panel.reference, x2: "value1", stroke: byFamily, strokeOpacity: 0.35, dy })]),
    Plot.ruleY(whiskers, { y: "id", x1: "low", x2: "high", stroke: ink, strokeWidth: bars ? 1.2 : 2, dy, className: "whiskers" }),
    Plot.tickX(whiskers, { x: "low", y: "id", stroke: ink, ...cap }),
    Plot.tickX(whiskers, { x: "high", y: "id", stroke: ink, ...cap }),
    ...(bars ? [] : forestMarks(lines, dy)),
    lineTip(lines, (line) => (line as ItemLine).value1),
  ];
  const label = `${panel.x.label}${axis.type === "log" ? ", logarithmic" : ""}`;
  return framed(lines, layout, { type: axis.type, domain: axis.domain }, { label, ticks: axis.ticks, format: number }, marks);
}
