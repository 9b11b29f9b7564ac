// The picture of curves over an axis, for one width and one part of the axis: grid, ticks, labels, and a path a series.
import type { Axis, Series } from "../panels.ts";
import { dotPaths, indexAt, linePath, type Frame, type Pixels, type Placed } from "./curve.ts";
import { svg } from "./svg.ts";
import { ticks, type Kind, type Span } from "./scale.ts";
import { widthOf } from "./layout.ts";

/** A series as it is to be drawn. */
export interface Curve {
  series: Series;
  points: Placed;
  colour: string;
  /** Its colour is also that of another: it is drawn in fine dashes. */
  again: boolean;
  index: number;
}

export interface Look {
  width: number;
  x: { axis: Axis; kind: Kind; span: Span };
  y: { axis: Axis; kind: Kind };
  /** Those that are shown. */
  curves: Curve[];
}

/** What was drawn, and where things are in it. */
export interface Chart extends Pixels {
  element: SVGSVGElement;
  frame: Frame;
  /** The place on the x axis at a pixel. */
  back: (pixel: number) => number;
}

const fontSize = 12;
const dash: Record<string, string | null> = { line: null, step: null, dashed: "6 4", dots: null };

/** The stroke of a curve whose colour another one has. */
export const fineDash = "2 4";

/** What is shown of y: all points of the part of x, and zero where nothing is below it. */
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
  if (least > most) return kind === "log" ? [0, 1] : [0, 1];
  if (kind === "log") return most - least < 0.05 ? [least - 0.15, most + 0.15] : [least - (most - least) * 0.04, most + (most - least) * 0.04];
  const floor = least >= 0 ? 0 : least;
  const ceiling = most <= 0 && least < 0 ? 0 : most;
  const room = ceiling - floor || 1;
  return [floor < 0 ? floor - room * 0.05 : 0, ceiling + room * 0.06];
}

function curveMarks({ series, points, colour, again, index }: Curve, span: Span, pixels: Pixels, frame: Frame): SVGElement {
  const shared = { fill: "none", stroke: colour, "stroke-linecap": "round", "stroke-linejoin": "round" };
  const group = svg("g", { class: "series", "data-series": index });
  if (series.style === "dots") {
    const size = points.xs.length > 400 ? 2.6 : 6;
    const opacity = points.xs.length > 400 ? [0.55, 0.8, 1] : [0.9, 1, 1];
    dotPaths(points, span, pixels, frame).forEach((d, i) => {
      if (d !== "") group.append(svg("path", { ...shared, d, "stroke-width": size, "stroke-opacity": opacity[i] ?? 1 }));
    });
    return group;
  }
  const d = linePath(points, span, pixels, series.style === "step");
  const single = points.xs.length === 1;
  group.append(svg("path", { ...shared, d, "stroke-width": single ? 7 : 1.8, "stroke-dasharray": dash[series.style] ?? (again ? fineDash : null) }));
  return group;
}

/** Draws them. */
export function draw(look: Look): Chart {
  const { width, x, y, curves } = look;
  const narrow = width < 620;
  const height = Math.round(Math.min(420, Math.max(260, width * 0.42)));
  const shownY = spanOfY(curves, x.span, y.kind);
  const [top, bottom] = [y.axis.label === "" ? 12 : 34, height - (x.axis.label === "" ? 26 : 46)];
  const marksY = ticks(y.kind, shownY, Math.max(3, Math.round((bottom - top) / 46)));
  const left = Math.ceil(Math.max(...marksY.map((t) => widthOf(t.label)), 14)) + 12;
  const right = width - (narrow ? 12 : 20);
  const px = (at: number): number => left + ((at - x.span[0]) / (x.span[1] - x.span[0])) * (right - left);
  const py = (at: number): number => bottom - ((at - shownY[0]) / (shownY[1] - shownY[0])) * (bottom - top);
  const marksX = ticks(x.kind, x.span, Math.max(2, Math.round((right - left) / (narrow ? 64 : 84))));
  const text = (at: number, down: number, anchor: string, label: string, kind: string): SVGElement =>
    svg("text", { x: at, y: down, "text-anchor": anchor, class: kind }, label);
  // A label at the edge leans inward, so that nothing is cut off.
  const anchorOf = (at: number, label: string): string =>
    at + widthOf(label) / 2 > width ? "end" : at - widthOf(label) / 2 < 0 ? "start" : "middle";
  const inside = { x: px, y: (at: number): number => py(at) };
  const frame = { left, right, top, bottom };
  const plot = svg(
    "svg",
    { x: left, y: top - 5, width: right - left, height: bottom - top + 9, viewBox: `${left} ${top - 5} ${right - left} ${bottom - top + 9}`, class: "inside" },
    ...curves.map((curve) => curveMarks(curve, x.span, inside, frame)),
  );
  const element = svg(
    "svg",
    { width, height, viewBox: `0 0 ${width} ${height}`, class: "curves", "font-size": fontSize },
    svg("g", { class: "grid" },
      ...marksY.map(({ at }) => svg("line", { x1: left, x2: right, y1: py(at), y2: py(at) })),
      ...marksX.map(({ at }) => svg("line", { x1: px(at), x2: px(at), y1: top, y2: bottom })),
    ),
    svg("line", { class: "floor", x1: left, x2: right, y1: bottom, y2: bottom }),
    svg("g", { class: "ticks-y" }, ...marksY.map(({ at, label }) => text(left - 8, py(at) + 4, "end", label, "tick"))),
    svg("g", { class: "ticks-x" }, ...marksX.map(({ at, label }) => text(px(at), bottom + 18, anchorOf(px(at), label), label, "tick"))),
    y.axis.label === "" ? null : text(0, 14, "start", y.axis.label + (y.kind === "log" ? ", logarithmic" : ""), "axis-label"),
    x.axis.label === "" ? null : text(right, height - 6, "end", x.axis.label + (x.kind === "log" ? ", logarithmic" : ""), "axis-label"),
    plot,
  );
  return {
    element,
    frame,
    x: px,
    y: py,
    back: (pixel) => x.span[0] + ((pixel - left) / (right - left)) * (x.span[1] - x.span[0]),
  };
}
