// A panel of curves: the legend that shows and hides them, scale and zoom, the plot, and the words under it.
import type { Colours } from "../colours.ts";
import { draw, type Chart, type Curve } from "../curves/chart.ts";
import { placed } from "../curves/points.ts";
import { Reader } from "../curves/reading.ts";
import { said, valueAt, type Kind, type Span } from "../curves/scale.ts";
import { listenToKeys, listenToPointer, Zoom } from "../curves/zoom.ts";
import { button, el, emptyFigure, svg, watchWidth } from "../dom.ts";
import type { CurvePanel, Series } from "../results.ts";
import { dataOf } from "./data.ts";
import { describeCurves, thinned, withoutPlace } from "./words.ts";

const kindOf = (panel: CurvePanel): Kind => (panel.kind === "percentiles" ? "percentile" : panel.x.log ? "log" : "linear");

/** The identity of a panel's x axis: panels of the same one show the same part of it. */
const axisOf = (panel: CurvePanel): string => `${kindOf(panel)} ${panel.kind === "percentiles" ? "" : panel.x.label}`;

/** From the first to the last place of all panels over each axis, and a little around a single one. */
export function spansOf(panels: CurvePanel[]): (panel: CurvePanel) => Span {
  const ends = new Map<string, Span>();
  for (const panel of panels) {
    for (const series of panel.series) {
      const { xs } = placed(series, kindOf(panel), "linear");
      const [low, high] = ends.get(axisOf(panel)) ?? [Infinity, -Infinity];
      if (xs.length > 0) ends.set(axisOf(panel), [Math.min(low, xs[0] ?? 0), Math.max(high, xs.at(-1) ?? 0)]);
    }
  }
  return (panel) => {
    const [low, high] = ends.get(axisOf(panel)) ?? [0, 1];
    const about = Math.abs(low) / 2 || 0.5;
    return high > low ? [low, high] : [low - about, high + about];
  };
}

const dashes = [null, "2 4", "10 4 2 4", "12 6"];

/** A dashed line; or one in other dashes, where one that is drawn alike has its colour. */
const dashOf = (series: Series, colours: Colours): string | null =>
  series.style === "dots" ? null : series.style === "dashed" ? "6 4" : dashes[colours.again(series) % dashes.length] ?? null;

/** The names of the series as buttons; `change` is told which one was switched and whether it is shown now. */
function legend(series: Series[], colours: Colours, change: (index: number, shown: boolean) => void): HTMLElement {
  const shapes = { line: "M2,5H20", dashed: "M2,5H20", step: "M2,8H8V2H14V8H20", dots: "M4,5h0M11,5h0M18,5h0" };
  const items = series.map((one, index) => {
    const drawn = svg("path", {
      d: shapes[one.style], stroke: colours.of(one), "stroke-width": one.style === "dots" ? 5 : 2.4, "stroke-linecap": "round", fill: "none",
      "stroke-dasharray": dashOf(one, colours),
    });
    const item = button("", { "aria-pressed": "true", class: "of-series", title: "Show or hide" }, () => {
      const shown = item.getAttribute("aria-pressed") !== "true";
      item.setAttribute("aria-pressed", String(shown));
      change(index, shown);
    });
    item.append(svg("svg", { width: 22, height: 10, viewBox: "0 0 22 10", "aria-hidden": "true" }, drawn), el("span", {}, one.label));
    return el("li", {}, item);
  });
  return el("ul", { class: "legend", "aria-label": "Series, to show and hide" }, ...items);
}

const help =
  "Drag across the plot to zoom. With the focus on it: the wheel or + and − zoom, ← and → move, 0 shows all, Shift with ← or → reads the values.";

/** Draws a panel of lines or percentiles over its part of the axis; `join` is given its zoom, with the axis that it is over. */
export function curvesOf(panel: CurvePanel, colours: Colours, whole: Span, join: (axis: string, zoom: Zoom) => void): HTMLElement {
  if (panel.series.every((series) => series.xs.length === 0)) return emptyFigure("There are no points to draw.");
  const xKind = kindOf(panel);
  const xAxis = xKind === "percentile" ? { ...panel.x, label: panel.x.label || "percentile", unit: "" } : panel.x;
  const positive = panel.series.some((series) => series.ys.some((y) => y > 0));
  const described = describeCurves(panel);
  const helpId = `${panel.id}-help`;
  const brush = el("div", { class: "brush", hidden: true });
  const stage = el("div", { class: "stage" });
  const spoken = el("p", { class: "spoken", role: "status" });
  const lost = el("p", { class: "left-out" });
  const part = el("span", { class: "range" });
  const box = el("div", {
    class: "plot zoomable", tabindex: 0, role: "application", "aria-roledescription": "zoomable plot", "aria-label": panel.title, "aria-describedby": helpId,
  });

  let scale: "linear" | "log" = panel.y.log && positive ? "log" : "linear";
  const curvesFor = (): Curve[] =>
    panel.series.map((series, index) => {
      return { series, index, colour: colours.of(series), dash: dashOf(series, colours), points: placed(series, xKind, scale) };
    });
  let curves = curvesFor();
  let width = 0;
  let chart: Chart | null = null;
  let queued = false;
  const hidden = new Set<number>();
  const reader = new Reader(box, () => chart, () => !brush.hidden, (sentence) => {
    spoken.textContent = sentence;
  });
  const render = (): void => {
    queued = false;
    if (width === 0) return;
    reader.hide();
    const shown = curves.filter((curve) => !hidden.has(curve.index));
    chart = draw({ width, x: { axis: xAxis, kind: xKind, span: zoom.shown }, y: { axis: panel.y, kind: scale }, curves: shown });
    chart.element.setAttribute("role", "img");
    chart.element.setAttribute("aria-label", described);
    stage.replaceChildren(chart.element);
  };
  const changed = (itself: boolean): void => {
    const [from, to] = zoom.shown.map((at) => said(xKind, Number(valueAt(xKind, at).toPrecision(5)), xAxis.unit));
    const shown = zoom.zoomed ? `${from} to ${to}` : "";
    part.textContent = shown;
    for (const { control, of } of scales) control.setAttribute("aria-pressed", String(of === scale));
    out.disabled = reset.disabled = !zoom.zoomed;
    if (itself) spoken.textContent = shown === "" ? "" : `Shown: ${shown}.`;
    if (!queued) requestAnimationFrame(render);
    queued = true;
  };
  const choose = (chosen: "linear" | "log"): void => {
    scale = chosen;
    curves = curvesFor();
    const without = curves.reduce((sum, curve) => sum + curve.points.without, 0);
    lost.textContent = withoutPlace(without) ?? "";
    lost.hidden = without === 0;
    changed(true);
  };

  const zoom = new Zoom(whole, changed);
  const named = (shown: string, name: string, press: () => void): HTMLButtonElement =>
    button(shown, { "aria-label": `${name}: ${panel.title}`, title: name }, press);
  const scales = [
    { of: "linear", control: named("Linear", "Linear scale", () => choose("linear")) },
    { of: "log", control: named("Log", "Logarithmic scale", () => choose("log")) },
  ];
  const out = named("−", "Zoom out", () => zoom.in(0.5));
  const reset = named("Reset", "Show all", () => zoom.reset());
  const group = (label: string, ...buttons: HTMLElement[]): HTMLElement => el("div", { class: "choice", role: "group", "aria-label": label }, ...buttons);
  const tools = el(
    "div",
    { class: "tools" },
    part,
    // A logarithmic axis would have nothing to show.
    positive ? group(`Scale of ${panel.y.label || "y"}`, ...scales.map(({ control }) => control)) : null,
    group("Zoom", named("+", "Zoom in", () => zoom.in(2)), out, reset),
  );
  const names = legend(panel.series, colours, (index, shown) => {
    if (shown) hidden.delete(index);
    else hidden.add(index);
    changed(true);
  });
  join(axisOf(panel), zoom);
  box.append(stage, brush, reader.tip);
  watchWidth(box, (now) => {
    width = now;
    render();
  });
  listenToPointer(box, brush, zoom, () => chart);
  listenToKeys(box, zoom, (direction) => reader.step(direction), () => reader.hide());
  choose(scale);
  const note = thinned(panel.series);
  return el(
    "figure",
    {},
    el("div", { class: "controls" }, names, tools),
    box,
    note === null ? null : el("p", { class: "thinned" }, note),
    lost,
    el("p", { class: "help", id: helpId }, help),
    spoken,
    dataOf(panel),
  );
}
