// A panel of curves: legend, scale, zoom, the plot, and what is said under it.
import { el } from "../dom.ts";
import { emptyFigure, watchWidth } from "../figure.ts";
import type { CurvePanel } from "../panels.ts";
import { placed } from "../plots/curve.ts";
import { draw, type Curve, type Look } from "../plots/chart.ts";
import { said, valueAt, type Kind, type Span } from "../plots/scale.ts";
import type { Colours } from "./colours.ts";
import { controlsOf, type Scale } from "./controls.ts";
import { dataOf } from "./data.ts";
import { legend } from "./legend.ts";
import { listenToReading, type View } from "./pointing.ts";
import { Tip } from "./tip.ts";
import { describeCurves, thinned, withoutPlace } from "./words.ts";
import { listenToKeys, listenToPointer, Zoom } from "./zoom.ts";

/** From the first to the last place of all curves, and a little around a single one. */
function wholeOf(curves: Curve[]): Span {
  const ends = curves.flatMap(({ points }) => (points.xs.length === 0 ? [] : [points.xs[0] ?? 0, points.xs.at(-1) ?? 0]));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  if (ends.length === 0) return [0, 1];
  const about = Math.abs(low) / 2 || 0.5;
  return high > low ? [low, high] : [low - about, high + about];
}

const help =
  "Drag across the plot to zoom. With the focus on it: the wheel or + and − zoom, ← and → move, 0 shows all, Shift with ← or → reads the values.";

/** Draws a panel of lines or percentiles; `join` is given its zoom, with the axis that it is over. */
export function curvesOf(panel: CurvePanel, colours: Colours, join: (axis: string, zoom: Zoom) => void): HTMLElement {
  if (panel.series.every((series) => series.xs.length === 0)) return emptyFigure("There are no points to draw.");
  const xKind: Kind = panel.kind === "percentiles" ? "percentile" : panel.x.log ? "log" : "linear";
  const xAxis = xKind === "percentile" ? { ...panel.x, label: panel.x.label || "percentile", unit: "" } : panel.x;
  const positive = panel.series.some((series) => series.ys.some((y) => y > 0));
  const curvesFor = (scale: Scale): Curve[] =>
    panel.series.map((series, index) => {
      const points = placed(series, xKind, scale);
      return { series, index, colour: colours.of(series), again: colours.again(series), points };
    });
  const described = describeCurves(panel);
  const hidden = new Set<number>();
  const tip = new Tip();
  const brush = el("div", { class: "brush", hidden: true });
  const stage = el("div", { class: "stage" });
  const spoken = el("p", { class: "spoken", role: "status" });
  const lost = el("p", { class: "left-out" });
  const helpId = `${panel.id}-help`;
  const box = el(
    "div",
    { class: "plot zoomable", tabindex: 0, role: "application", "aria-roledescription": "zoomable plot", "aria-label": panel.title, "aria-describedby": helpId },
    stage, brush, tip.element,
  );

  let scale: Scale = panel.y.log && positive ? "log" : "linear";
  let curves = curvesFor(scale);
  let width = 0;
  let view: View | null = null;
  let queued = false;

  const render = (): void => {
    queued = false;
    if (width === 0) return;
    tip.hide();
    const look: Look = {
      width,
      x: { axis: xAxis, kind: xKind, span: zoom.shown },
      y: { axis: panel.y, kind: scale },
      curves: curves.filter((curve) => !hidden.has(curve.index)),
    };
    const chart = draw(look);
    chart.element.setAttribute("role", "img");
    chart.element.setAttribute("aria-label", described);
    stage.replaceChildren(chart.element);
    view = { chart, look };
  };
  const changed = (itself: boolean): void => {
    const [from, to] = zoom.shown.map((at) => said(xKind, Number(valueAt(xKind, at).toPrecision(5)), xAxis.unit));
    const part = zoom.zoomed ? `${from} to ${to}` : "";
    controls.update(scale, part);
    if (itself) spoken.textContent = part === "" ? "" : `Shown: ${part}.`;
    if (!queued) requestAnimationFrame(render);
    queued = true;
  };
  const choose = (chosen: Scale): void => {
    scale = chosen;
    curves = curvesFor(chosen);
    const without = curves.reduce((sum, curve) => sum + curve.points.without, 0);
    lost.textContent = withoutPlace(without) ?? "";
    lost.hidden = without === 0;
    changed(true);
  };
  const zoom = new Zoom(wholeOf(curves), changed);
  const controls = controlsOf(panel.title, panel.y.label, positive, zoom, choose);
  join(`${xKind} ${xAxis.label}`, zoom);

  watchWidth(box, (now) => {
    width = now;
    render();
  });
  listenToPointer(box, brush, zoom, () => view && { back: view.chart.back, left: view.chart.frame.left, right: view.chart.frame.right });
  const step = listenToReading(box, tip, () => !brush.hidden, () => view, (said) => {
    spoken.textContent = said;
  });
  listenToKeys(box, zoom, step, () => tip.hide());
  choose(scale);
  const names = legend(panel.series, colours, (index, shown) => {
    if (shown) hidden.delete(index);
    else hidden.add(index);
    changed(true);
  });
  const note = thinned(panel.series);
  return el(
    "figure",
    {},
    el("div", { class: "controls" }, names, controls.element),
    box,
    note === null ? null : el("p", { class: "thinned" }, note),
    lost,
    el("p", { class: "help", id: helpId }, help),
    spoken,
    dataOf(panel),
  );
}
