// A panel of curves: legend, scale, zoom, the plot, and what is said under it.
import { button, el } from "../dom.ts";
import { emptyFigure, watchWidth } from "../figure.ts";
import type { CurvePanel } from "../panels.ts";
import { placed } from "../plots/curve.ts";
import { draw, type Chart, type Curve, type Look } from "../plots/chart.ts";
import { said, valueAt, type Kind, type Span } from "../plots/scale.ts";
import type { Colours } from "./colours.ts";
import { dataOf } from "./data.ts";
import { legend } from "./legend.ts";
import { readAt, sentence } from "./reading.ts";
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

/** Draws a panel of lines or percentiles. */
export function curvesOf(panel: CurvePanel, colours: Colours): HTMLElement {
  if (panel.series.every((series) => series.xs.length === 0)) return emptyFigure("There are no points to draw.");
  const xKind: Kind = panel.kind === "percentiles" ? "percentile" : panel.x.log ? "log" : "linear";
  const xAxis = xKind === "percentile" ? { ...panel.x, label: panel.x.label || "percentile", unit: "" } : panel.x;
  const positive = panel.series.some((series) => series.ys.some((y) => y > 0));
  const curvesFor = (kind: Kind): Curve[] =>
    panel.series.map((series, index) => ({ series, index, colour: colours(series), points: placed(series, xKind, kind) }));
  const hidden = new Set<number>();
  const tip = new Tip();
  const brush = el("div", { class: "brush", hidden: true });
  const stage = el("div", { class: "stage" });
  const where = el("span", { class: "range" });
  const spoken = el("p", { class: "spoken", role: "status" });
  const lost = el("p", { class: "left-out" });
  const helpId = `${panel.id}-help`;
  const box = el(
    "div",
    { class: "plot zoomable", tabindex: 0, role: "application", "aria-roledescription": "zoomable plot", "aria-label": panel.title, "aria-describedby": helpId },
    stage, brush, tip.element,
  );

  let yKind: Kind = panel.y.log && positive ? "log" : "linear";
  let curves = curvesFor(yKind);
  let width = 0;
  let look: Look | null = null;
  let chart: Chart | null = null;
  let queued = false;

  const render = (): void => {
    queued = false;
    if (width === 0) return;
    tip.hide();
    look = {
      width,
      x: { axis: xAxis, kind: xKind, span: zoom.shown },
      y: { axis: panel.y, kind: yKind },
      curves: curves.filter((curve) => !hidden.has(curve.index)),
    };
    chart = draw(look);
    chart.element.setAttribute("role", "img");
    chart.element.setAttribute("aria-label", describeCurves(panel));
    stage.replaceChildren(chart.element);
  };
  const changed = (): void => {
    const [from, to] = zoom.shown.map((at) => said(xKind, Number(valueAt(xKind, at).toPrecision(5)), xAxis.unit));
    where.textContent = zoom.zoomed ? `${from} to ${to}` : "";
    spoken.textContent = zoom.zoomed ? `Shown: ${from} to ${to}.` : "";
    for (const control of [reset, out]) control.disabled = !zoom.zoomed;
    if (!queued) requestAnimationFrame(render);
    queued = true;
  };
  const zoom = new Zoom(wholeOf(curves), changed);
  const zoomButton = (label: string, name: string, press: () => void): HTMLButtonElement =>
    button(label, { "aria-label": `${name}: ${panel.title}`, title: name }, press);
  const reset = zoomButton("Reset", "Show all", () => zoom.reset());
  const out = zoomButton("−", "Zoom out", () => zoom.in(0.5));

  const choose = (kind: Kind): void => {
    yKind = kind;
    curves = curvesFor(kind);
    scales.forEach(({ of, control }) => control.setAttribute("aria-pressed", String(of === kind)));
    const without = curves.reduce((sum, curve) => sum + curve.points.without, 0);
    lost.textContent = kind === "log" ? (withoutPlace(without) ?? "") : "";
    lost.hidden = lost.textContent === "";
    changed();
  };
  const scales = (["linear", "log"] as const).map((of) => ({
    of,
    control: button(of === "log" ? "Log" : "Linear", { "aria-label": `${of === "log" ? "Logarithmic" : "Linear"} scale: ${panel.title}` }, () => choose(of)),
  }));

  watchWidth(box, (now) => {
    width = now;
    render();
  });
  listenToPointer(box, brush, zoom, () => chart && { back: chart.back, left: chart.frame.left, right: chart.frame.right });
  box.addEventListener("pointermove", (event) => {
    if (chart === null || look === null) return;
    const { left, top } = box.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const inside = x >= chart.frame.left - 6 && x <= chart.frame.right + 6;
    const reading = inside && brush.hidden ? readAt(chart, look, x, y) : null;
    if (reading === null) tip.hide();
    else tip.show(chart, width, reading);
  });
  box.addEventListener("pointerleave", () => tip.hide());
  box.addEventListener("blur", () => tip.hide());
  let cursor = 0;
  const step = (direction: -1 | 1): void => {
    if (chart === null || look === null) return;
    const { left, right } = chart.frame;
    const first = tip.element.hidden && (cursor < left || cursor > right);
    cursor = first ? (left + right) / 2 : Math.min(Math.max(cursor + direction * Math.max(4, (right - left) / 60), left), right);
    const reading = readAt(chart, look, cursor, null);
    if (reading === null) return;
    tip.show(chart, width, reading);
    spoken.textContent = sentence(reading);
  };
  listenToKeys(box, zoom, step, () => tip.hide());

  const show = (index: number, shown: boolean): void => {
    if (shown) hidden.delete(index);
    else hidden.add(index);
    changed();
  };
  choose(yKind);
  const note = thinned(panel.series);
  return el(
    "figure",
    {},
    el(
      "div",
      { class: "controls" },
      legend(panel.series, colours, show),
      el(
        "div",
        { class: "tools" },
        where,
        positive ? el("div", { class: "choice", role: "group", "aria-label": `Scale of ${panel.y.label || "y"}` }, ...scales.map((s) => s.control)) : null,
        el("div", { class: "choice", role: "group", "aria-label": "Zoom" }, zoomButton("+", "Zoom in", () => zoom.in(2)), out, reset),
      ),
    ),
    box,
    note === null ? null : el("p", { class: "thinned" }, note),
    lost,
    el("p", { class: "help", id: helpId }, help),
    spoken,
    dataOf(panel),
  );
}
