// The frame of a ranked plot: one line an item, its name on the left and its figure on the right where there is room, both
// above the line where there is not.
import * as Plot from "@observablehq/plot";
import { widthOf } from "../dom.ts";
import type { Item } from "../results.ts";

/** An item as it is drawn. */
export interface Line extends Item {
  id: string;
  colour: string;
  /** The figure beside the line. */
  shown: string;
  /** Its words under the pointer. */
  tip: string;
}

export interface Layout {
  narrow: boolean;
  rowHeight: number;
  marginLeft: number;
  marginRight: number;
  /** How far marks stand below the middle of their row, which is 0 unless the name stands above them. */
  dy: number;
  width: number;
}

/** The base and the control, with which the other rows are compared; they are drawn as hollow diamonds. */
export const isReference = (line: Line): boolean => line.family === "base" || line.family === "control";

const smallFont = 12;
const isBold = (line: Line): boolean => line.family === "plait";
const widest = (widths: number[]): number => Math.max(0, ...widths);

/** The text, or as much of its beginning as fits the room, and an ellipsis. */
function fit(text: string, bold: boolean, room: number): string {
  if (widthOf(text, bold) <= room) return text;
  const letters = [...text];
  let [fits, not] = [0, letters.length];
  while (not - fits > 1) {
    const middle = (fits + not) >> 1;
    if (widthOf(`${letters.slice(0, middle).join("")}…`, bold) <= room) fits = middle;
    else not = middle;
  }
  return `${letters.slice(0, fits).join("").trimEnd()}…`;
}

export function layOut(lines: Line[], width: number): Layout {
  const narrow = width < 620;
  const names = Math.min(widest(lines.map((l) => widthOf(l.label, isBold(l)))) + 14, width * 0.34);
  const values = Math.min(widest(lines.map((l) => widthOf(l.shown))) + 16, width * 0.3);
  return {
    narrow,
    width,
    // Many lines stand closer, so that the first plot of a page lies within its first screen.
    rowHeight: narrow ? (lines.length > 14 ? 38 : 44) : lines.length > 18 ? 20 : lines.length > 14 ? 22 : 27,
    marginLeft: narrow ? 10 : Math.ceil(names),
    marginRight: narrow ? 12 : Math.ceil(values),
    dy: narrow ? 9 : 0,
  };
}

/** The names and figures of all lines, with Plait's own names in bold. */
function lineTexts(lines: Line[], { narrow, rowHeight, marginLeft, marginRight, width }: Layout): Plot.Markish[] {
  // Above its line a name crosses the grid; the halo keeps it readable there.
  const halo = narrow ? ({ stroke: "var(--paper)", strokeWidth: 5 } as const) : {};
  const shared = { y: "id", dy: narrow ? 13 - rowHeight / 2 : 0, fontSize: 13, fill: "currentColor", ...halo } as const;
  const values = widest(lines.map((line) => widthOf(line.shown)));
  const room = narrow ? width - marginLeft - marginRight - values - 10 : marginLeft - 12;
  const name = (bold: boolean): Plot.Markish =>
    Plot.text(lines.filter((line) => isBold(line) === bold), {
      ...shared,
      text: (line: Line) => fit(line.label, bold, room),
      frameAnchor: "left",
      textAnchor: narrow ? "start" : "end",
      dx: narrow ? 0 : -10,
      fontWeight: bold ? 600 : 400,
      className: "row-name",
    });
  const value = Plot.text(lines, {
    ...shared,
    text: "shown",
    frameAnchor: "right",
    textAnchor: narrow ? "end" : "start",
    dx: narrow ? 0 : 12,
    fontVariant: "tabular-nums",
    className: "row-value",
  });
  return [name(false), name(true), value];
}

/** The plot: a band a line, a quiet x axis on top and, under a long list, below it as well, and all of a line in a tip. */
export function framed(
  lines: Line[],
  layout: Layout,
  axis: { type: "log" | "linear"; domain: [number, number]; ticks: number[]; label: string; format: (value: number) => string },
  marks: Plot.Markish[],
): Element {
  const ends: ("top" | "bottom")[] = lines.length > 24 ? ["top", "bottom"] : ["top"];
  const marginTop = 40;
  const marginBottom = ends.length > 1 ? 34 : 10;
  return Plot.plot({
    width: layout.width,
    height: lines.length * layout.rowHeight + marginTop + marginBottom,
    marginTop,
    marginBottom,
    marginLeft: layout.marginLeft,
    marginRight: layout.marginRight,
    style: { fontSize: `${smallFont}px`, fontFamily: "inherit", overflow: "visible" },
    x: { type: axis.type, domain: axis.domain },
    y: { type: "band", domain: lines.map((line) => line.id), padding: 0.2, axis: null },
    marks: [
      ...ends.map((anchor) =>
        Plot.axisX({
          anchor,
          ticks: axis.ticks,
          // Not tickFormat, of which Plot leaves labels out on a logarithmic axis.
          text: axis.format,
          tickSize: 0,
          tickPadding: 8,
          fontSize: smallFont,
          label: anchor === "top" ? axis.label : null,
          labelAnchor: "left",
          labelArrow: "none",
          labelOffset: 38,
          color: "var(--quiet)",
        }),
      ),
      Plot.gridX({ ticks: axis.ticks, stroke: "var(--rule)", strokeOpacity: 1 }),
      ...marks,
      ...lineTexts(lines, layout),
      Plot.tip(lines, Plot.pointerY({ x: "value", y: "id", title: "tip", fontSize: smallFont, lineWidth: 30, preferredAnchor: "top-left" })),
    ],
  });
}
