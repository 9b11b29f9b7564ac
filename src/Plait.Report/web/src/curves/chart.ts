// The picture of curves for one width and one part of the x axis, by Observable Plot. A cloud is a mark of our own: a path
// for all its dots, where Plot would make an element of each.
import * as Plot from "@observablehq/plot";
import { svg, widthOf } from "../dom.ts";
import type { Axis, Series } from "../results.ts";
import { dotPaths, indexAt, kept, type Placed } from "./points.ts";
import { ticks, type Kind, type Span } from "./scale.ts";

/** A series as it is to be drawn. */
export interface Curve {
  series: Series;
  points: Placed;
  colour: string;
  /** The strokes of a line that is not drawn through. */
  dash: string | null;
  index: number;
}

export interface Look {
  width: number;
  x: { axis: Axis; kind: Kind; span: Span };
  y: { axis: Axis; kind: Kind };
  /** Those that are shown. */
  curves: Curve[];
}

/** The drawn chart, and the places in it. */
export interface Chart {
  element: Element;
  look: Look;
  frame: { left: number; right: number; top: number; bottom: number };
  x: (place: number) => number;
  y: (place: number) => number;
  /** The place on the x axis at a pixel. */
  back: (pixel: number) => number;
}

/** The visible range of y: all points of the part of x, and zero where nothing is below it. */
function spanOfY(curves: Curve[], [low, high]: Span, kind: Kind): Span {
  let [least, most] = [Infinity, -Infinity];
  for (const { points } of curves) {
    // The line to the neighbour outside is drawn too, but cut off at the frame.
    const to = indexAt(points.xs, high + 1e-12);
    for (let i = indexAt(points.xs, low - 1e-12); i < to; i++) {
      const y = points.ys[i] ?? 0;
      if (y < least) least = y;
      if (y > most) most = y;
    }
  }
  if (least > most) return [0, 1];
  const room = most - least < 0.05 ? 0.15 : (most - least) * 0.04;
  if (kind === "log") return [least - room, most + room];
  const floor = Math.min(least, 0);
  // Where all is zero the axis goes to one: smaller parts of a request, say, mean nothing.
  const ceiling = least < 0 ? Math.max(most, 0) : most || 1;
  const all = ceiling - floor || 1;
  return [floor < 0 ? floor - all * 0.05 : 0, ceiling + all * 0.06];
}

function markOf({ series, points, colour, dash, index }: Curve, span: Span, { x, y }: Pick<Chart, "x" | "y">): Plot.Markish {
  const className = `series series-${index}`;
  if (series.style === "dots") {
    const many = points.xs.length > 400;
    const path = (d: string, i: number): SVGElement =>
      svg("path", { d, "stroke-width": many ? 2.6 : 6, "stroke-opacity": (many ? [0.55, 0.8, 1] : [0.9, 1, 1])[i] ?? 1 });
    return () =>
      svg("g", { class: className, stroke: colour, fill: "none", "stroke-linecap": "round" }, ...dotPaths(points, span, x, y).map(path));
  }
  return Plot.line(kept(points, span, x), {
    x: (i: number) => points.xs[i],
    y: (i: number) => points.ys[i],
    curve: series.style === "step" ? "step-after" : "linear",
    stroke: colour,
    // One point is a path without length, which a round cap makes a dot.
    strokeWidth: points.xs.length === 1 ? 7 : 1.8,
    strokeLinecap: "round",
    strokeLinejoin: "round",
    ...(dash === null ? {} : { strokeDasharray: dash }),
    clip: true,
    className,
  });
}

/** Draws them. */
export function draw(look: Look): Chart {
  const { width, x, y, curves } = look;
  const height = Math.round(Math.min(380, Math.max(260, width * 0.4)));
  const shownY = spanOfY(curves, x.span, y.kind);
  const [top, bottom] = [y.axis.label === "" ? 12 : 34, height - (x.axis.label === "" ? 26 : 46)];
  const ticksY = ticks(y.kind, shownY, Math.max(3, Math.round((bottom - top) / 46)));
  const left = Math.ceil(Math.max(...ticksY.map((t) => widthOf(t.label)), 14)) + 12;
  const right = width - (width < 620 ? 12 : 20);
  const px = (at: number): number => left + ((at - x.span[0]) / (x.span[1] - x.span[0])) * (right - left);
  const py = (at: number): number => bottom - ((at - shownY[0]) / (shownY[1] - shownY[0])) * (bottom - top);
  const ticksX = ticks(x.kind, x.span, Math.max(2, Math.round((right - left) / (width < 620 ? 64 : 84))));
  // A label at the edge leans inward, so that nothing is cut off.
  const anchorOf = ({ at, label }: (typeof ticksX)[number]): "start" | "middle" | "end" =>
    px(at) + widthOf(label) / 2 > width ? "end" : px(at) - widthOf(label) / 2 < 0 ? "start" : "middle";
  const rules = { stroke: "var(--rule)", strokeOpacity: 1 };
  const label = { fill: "var(--quiet)", fontSize: 12, fontVariant: "tabular-nums" } as const;
  const title = (axis: Axis, kind: Kind, place: Plot.TextOptions): Plot.Markish[] =>
    axis.label === "" ? [] : [Plot.text([axis.label + (kind === "log" ? ", logarithmic" : "")], { ...label, ...place, className: "axis-label" })];
  const element = Plot.plot({
    width,
    height,
    marginTop: top - 5,
    marginBottom: height - bottom - 4,
    marginLeft: left,
    marginRight: width - right,
    // Lines on the edge of the frame are drawn in their full width.
    insetTop: 5,
    insetBottom: 4,
    className: "curves",
    style: { fontFamily: "inherit", overflow: "visible" },
    x: { type: "linear", domain: x.span, axis: null },
    y: { type: "linear", domain: shownY, axis: null },
    marks: [
      Plot.gridY(ticksY, { y: "at", ...rules }),
      Plot.gridX(ticksX, { x: "at", ...rules }),
      Plot.ruleY([shownY[0]], { stroke: "var(--faint)", className: "floor" }),
      Plot.text(ticksY, { ...label, y: "at", text: "label", frameAnchor: "left", textAnchor: "end", dx: -8, className: "ticks-y" }),
      ...(["start", "middle", "end"] as const).map((textAnchor) =>
        Plot.text(ticksX.filter((tick) => anchorOf(tick) === textAnchor), {
          ...label, x: "at", text: "label", textAnchor, frameAnchor: "bottom", lineAnchor: "top", dy: 6, className: "ticks-x",
        }),
      ),
      title(y.axis, y.kind, { frameAnchor: "top-left", dx: -left, dy: -top + 8 }),
      title(x.axis, x.kind, { frameAnchor: "bottom-right", dy: height - bottom - 8 }),
      ...curves.map((curve) => markOf(curve, x.span, { x: px, y: py })),
    ],
  });
  const frame = { left, right, top, bottom };
  return { element, look, frame, x: px, y: py, back: (pixel) => x.span[0] + ((pixel - left) / (right - left)) * (x.span[1] - x.span[0]) };
}
