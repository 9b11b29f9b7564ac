// What the three plots share: one line a row, its name on the left and its figure on the right where there is room,
// both above the line where there is not.
import * as Plot from "@observablehq/plot";
import { familyColour, type Family } from "../family.ts";

/** What every plotted line has. */
export interface Line {
  id: string;
  name: string;
  value: string;
  family: Family;
  /** Where it is not that of the family. */
  colour?: string;
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

/** The base and the control are what the others are read against; they are drawn as hollow diamonds. */
export const isReference = (line: Line): boolean => line.family === "base" || line.family === "control";

const fontSize = 13;
const smallFont = 12;
let pen: CanvasRenderingContext2D | null = null;

/** Measures text as the page will show it. */
export function widthOf(text: string, bold = false): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (pen === null) return text.length * 7.5;
  pen.font = `${bold ? 600 : 400} ${fontSize}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}

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
  const names = Math.min(widest(lines.map((l) => widthOf(l.name, isBold(l)))) + 14, width * 0.34);
  const values = Math.min(widest(lines.map((l) => widthOf(l.value, false))) + 16, width * 0.3);
  return {
    narrow,
    width,
    rowHeight: narrow ? 46 : 27,
    marginLeft: narrow ? 10 : Math.ceil(names),
    marginRight: narrow ? 12 : Math.ceil(values),
    dy: narrow ? 7 : 0,
  };
}

/** A colour by family that bypasses Plot's scales, so that the style sheet's variables decide. */
export const byFamily = { value: (line: Line): string => line.colour ?? familyColour(line.family), scale: null } as const;

/** The names and figures of all lines, with Plait's own names in bold. */
export function lineTexts(lines: Line[], layout: Layout): Plot.Markish[] {
  const { narrow, rowHeight, marginLeft, marginRight, width } = layout;
  const dy = narrow ? 13 - rowHeight / 2 : 0;
  // Above its line a name crosses the grid; the halo keeps it readable there.
  const halo = narrow ? ({ stroke: "var(--paper)", strokeWidth: 5 } as const) : {};
  const shared = { y: "id", dy, fontSize, fill: "currentColor", ...halo } as const;
  const values = widest(lines.map((line) => widthOf(line.value, false)));
  const room = narrow ? width - marginLeft - marginRight - values - 10 : marginLeft - 12;
  const name = (bold: boolean): Plot.Markish =>
    Plot.text(
      lines.filter((line) => isBold(line) === bold),
      {
        ...shared,
        text: (line: Line) => fit(line.name, bold, room),
        frameAnchor: "left",
        textAnchor: narrow ? "start" : "end",
        dx: narrow ? 0 : -10,
        fontWeight: bold ? 600 : 400,
        className: "row-name",
      },
    );
  const value = Plot.text(lines, {
    ...shared,
    text: "value",
    frameAnchor: "right",
    textAnchor: narrow ? "end" : "start",
    dx: narrow ? 0 : 12,
    fontVariant: "tabular-nums",
    className: "row-value",
  });
  return [name(false), name(true), value];
}

/** Says all about the line under the pointer. */
export const lineTip = (lines: Line[], x: (line: Line) => number): Plot.Markish =>
  Plot.tip(lines, Plot.pointerY({ x, y: "id", title: "tip", fontSize: smallFont, lineWidth: 30, preferredAnchor: "top-left" }));

/** The frame around the marks: one band a line, a quiet x axis on top and, under a long list, below it as well. */
export function framed(
  lines: Line[],
  layout: Layout,
  x: Plot.ScaleOptions,
  axis: { label: string; ticks: number[] | number; format: (value: number) => string },
  marks: Plot.Markish[],
): Element {
  const ends: ("top" | "bottom")[] = lines.length > 24 ? ["top", "bottom"] : ["top"];
  return Plot.plot({
    width: layout.width,
    height: lines.length * layout.rowHeight + 46 + (ends.length > 1 ? 34 : 10),
    marginTop: 46,
    marginBottom: ends.length > 1 ? 34 : 10,
    marginLeft: layout.marginLeft,
    marginRight: layout.marginRight,
    style: { fontSize: `${smallFont}px`, fontFamily: "inherit", overflow: "visible" },
    x,
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
          labelOffset: 42,
          color: "var(--quiet)",
        }),
      ),
      Plot.gridX({ ticks: axis.ticks, stroke: "var(--rule)", strokeOpacity: 1 }),
      ...marks,
      ...lineTexts(lines, layout),
    ],
  });
}
