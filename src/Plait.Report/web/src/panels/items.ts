// The panels of single figures: a forest of dots with intervals against a reference, and bars.
import * as Plot from "@observablehq/plot";
import { familyLegend, type Colours } from "../colours.ts";
import { ticks, valueAt } from "../curves/scale.ts";
import { el, emptyFigure, watchWidth } from "../dom.ts";
import { between, number, quantity } from "../format.ts";
import type { Item, ItemPanel } from "../results.ts";
import { dataOf } from "./data.ts";
import { framed, isReference, layOut, type Layout, type Line } from "./ranked.ts";

type Write = (value: number) => string;

/** How the values of a panel are written; a ratio has no unit. */
const writerOf = ({ x: { unit, decimals } }: ItemPanel): Write => (value) => quantity(value, unit === "x" ? "" : unit, decimals);

function toLine(panel: ItemPanel, colours: Colours, short: boolean) {
  const write = writerOf(panel);
  return (item: Item, index: number): Line => {
    const { value, low, high, launches, other, family } = item;
    const range = low === null || high === null ? null : between(write, low, high);
    const isBase = family === "base" && value === panel.reference;
    const tip = [
      item.label,
      isBase ? `${write(value)}, the base` : range === null ? write(value) : `${write(value)}, 95 % interval ${range}`,
      launches.length > 1 ? `launches ${launches.map(write).join(", ")}` : null,
      other === null ? null : `${write(other)} ${panel.other}`,
      item.word,
      item.note,
    ];
    return {
      ...item,
      id: String(index),
      colour: colours.named(item),
      shown: isBase ? "base" : panel.kind === "bars" || short || range === null ? write(value) : `${write(value)}  (${range})`,
      tip: tip.filter((part) => part !== null).join("\n"),
    };
  };
}

interface Axis {
  type: "log" | "linear";
  domain: [number, number];
  ticks: number[];
}

/** An axis that shows all of the values; bars begin at zero, or on a logarithmic axis at the decade below the least. */
function axisFor({ kind, x }: ItemPanel, values: number[], pixels: number): Axis {
  const bars = kind === "bars";
  const count = Math.max(2, Math.round(pixels / 110));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (x.log && low > 0) {
    const from = bars ? Math.floor(Math.log10(low) - 1e-9) : Math.log10(low);
    const room = Math.max(Math.log10(high) - from, 0.1) * 0.04;
    const span = [from - (bars ? 0 : room), Math.log10(high) + room] as const;
    return { type: "log", domain: [10 ** span[0], 10 ** span[1]], ticks: ticks("log", span, count).map(({ at }) => valueAt("log", at)) };
  }
  const room = (high - low || Math.abs(high) || 1) * 0.04;
  const domain: [number, number] = [bars && low >= 0 ? 0 : low - room, bars && low < 0 && high <= 0 ? 0 : high + (bars ? room / 2 : room)];
  return { type: "linear", domain, ticks: ticks("linear", domain, count).map(({ at }) => at) };
}

/** Colours bypass Plot's scales, so that the style sheet's variables decide. */
const colour = { value: (line: Line): string => line.colour, scale: null } as const;

/** The band, which is not transparent, lies below the intervals, and the dots above them. */
function forestMarks(panel: ItemPanel, lines: Line[], { dy }: Layout, intervals: Plot.Markish[]): Plot.Markish[] {
  const { reference, margin } = panel;
  const launches = lines.flatMap((line) => line.launches.map((launch) => ({ ...line, launch })));
  const dot = { x: "value", y: "id", dy, className: "values" } as const;
  return [
    reference === null || margin === null
      ? null
      : Plot.rect([{ x1: reference - margin, x2: reference + margin }], { x1: "x1", x2: "x2", fill: "var(--band)", className: "margin-band", insetTop: -4 }),
    reference === null
      ? null
      : [
          Plot.ruleX([reference], { stroke: "currentColor", strokeWidth: 1.2, insetTop: -4, className: "base-line" }),
          Plot.ruleY(lines, { y: "id", x1: reference, x2: "value", stroke: colour, strokeOpacity: 0.35, dy }),
        ],
    ...intervals,
    Plot.dot(launches, { x: "launch", y: "id", fill: colour, fillOpacity: 0.65, r: 1.8, dy: dy + 8, className: "launches" }),
    Plot.dot(lines.filter((l) => l.other !== null), { x: "other", y: "id", fill: "var(--paper)", stroke: colour, strokeWidth: 1.5, r: 4.4, dy, className: "others" }),
    Plot.dot(lines.filter((l) => !isReference(l)), { ...dot, fill: colour, stroke: "var(--paper)", strokeWidth: 1, r: 4.5 }),
    Plot.dot(lines.filter(isReference), { ...dot, symbol: "diamond", fill: "var(--paper)", stroke: colour, strokeWidth: 1.8, r: 4.5 }),
  ];
}

function barMarks({ reference }: ItemPanel, lines: Line[], { dy, narrow }: Layout, from: number): Plot.Markish[] {
  const inset = narrow ? 12 : 3;
  return [
    Plot.barX(lines, { x1: from, x2: "value", y: "id", fill: colour, fillOpacity: 0.8, insetTop: inset, insetBottom: inset, dy, className: "bars" }),
    Plot.barX(lines.filter((l) => l.other !== null), {
      x1: from, x2: "other", y: "id", fill: "none", stroke: colour, strokeWidth: 1.3, insetTop: inset - 2, insetBottom: inset - 2, dy, className: "outlined-bars",
    }),
    Plot.ruleX([from], { stroke: "currentColor", strokeWidth: 1.2, insetTop: -4, className: "base-line" }),
    reference === null ? null : Plot.ruleX([reference], { stroke: "currentColor", strokeDasharray: "3 3", insetTop: -4, className: "reference" }),
  ];
}

function draw(panel: ItemPanel, colours: Colours, width: number): Element {
  const bars = panel.kind === "bars";
  const lines = panel.items.map(toLine(panel, colours, width < 400));
  const layout = layOut(lines, width);
  const { dy, narrow } = layout;
  const { reference, margin } = panel;
  const about = reference === null ? [] : [reference, reference - (margin ?? 0), reference + (margin ?? 0)];
  const values = lines.flatMap((l) => [l.value, l.low ?? l.value, l.high ?? l.value, l.other ?? l.value, ...l.launches]);
  const axis = axisFor(panel, [...values, ...about, ...(bars && !panel.x.log ? [0] : [])], width - layout.marginLeft - layout.marginRight);
  const whiskers = lines.filter((l) => l.low !== null && l.high !== null);
  const ink = bars ? "currentColor" : colour;
  const inset = narrow ? 9 : layout.rowHeight < 24 ? 2 : 5;
  const cap = { y: "id", stroke: ink, strokeWidth: 1.5, insetTop: inset, insetBottom: inset, dy };
  const intervals = [
    Plot.ruleY(whiskers, { y: "id", x1: "low", x2: "high", stroke: ink, strokeWidth: bars ? 1.2 : 2, dy, className: "whiskers" }),
    Plot.tickX(whiskers, { ...cap, x: "low" }),
    Plot.tickX(whiskers, { ...cap, x: "high" }),
  ];
  const marks = bars
    ? [...barMarks(panel, lines, layout, axis.type === "log" ? axis.domain[0] : 0), ...intervals]
    : forestMarks(panel, lines, layout, intervals);
  const label = `${panel.x.label}${axis.type === "log" ? ", logarithmic" : ""}`;
  const format = (value: number): string => quantity(value, panel.x.unit === "B" ? "B" : "");
  return framed(lines, layout, { ...axis, label, format }, marks);
}

/** The plot in a sentence, for readers who do not see it. */
function describe(panel: ItemPanel): string {
  const write = writerOf(panel);
  const said = panel.items.map(({ label, value, low, high, other, word, note }) => {
    const range = low === null || high === null ? "" : ` (${write(low)} to ${write(high)})`;
    const second = other === null ? "" : `, ${panel.other} ${write(other)}`;
    return `${label} ${write(value)}${range}${second}${[word, note].map((part) => (part === null ? "" : `, ${part}`)).join("")}`;
  });
  return `${panel.title}${panel.x.label ? `, ${panel.x.label}` : ""}: ${said.join("; ")}.`;
}

/** The meaning of each mark that occurs. */
function markLegend({ kind, items, reference, margin, other }: ItemPanel): HTMLElement {
  const bars = kind === "bars";
  const marks: [icon: string, label: string, there: boolean][] = [
    [bars ? "bar" : "median", "measured", true],
    ["whisker", "95 % interval", items.some((item) => item.low !== null && item.high !== null)],
    ["launch", "single launches", !bars && items.some((item) => item.launches.length > 0)],
    ["reference", items.some((item) => item.family === "base") ? "base and A/A control" : "A/A control", !bars && items.some((item) => item.family === "base" || item.family === "control")],
    ["margin", `margin of ±${number((margin ?? 0) * 100)}\u202f%`, !bars && reference !== null && margin !== null],
    [bars ? "outline" : "hollow", other, items.some((item) => item.other !== null)],
  ];
  const shown = marks.filter(([, , there]) => there);
  const entries = shown.length < 2 ? [] : shown.map(([icon, label]) => el("li", {}, el("span", { class: `mark ${icon}` }), label));
  return el("ul", { class: "legend", "aria-label": "Marks", hidden: entries.length === 0 }, ...entries);
}

/** Draws a forest or bar panel, and draws it again whenever its width changes. */
export function itemsOf(panel: ItemPanel, colours: Colours): HTMLElement {
  if (panel.items.length === 0) return emptyFigure("There are no figures to draw.");
  const box = el("div", { class: "plot" });
  watchWidth(box, (width) => {
    const plot = draw(panel, colours, width);
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", describe(panel));
    box.replaceChildren(plot);
  });
  const families = new Set(panel.items.map((item) => item.family));
  return el("figure", {}, el("div", { class: "legends" }, families.size > 1 ? familyLegend(panel.items) : null, markLegend(panel)), box, dataOf(panel));
}
