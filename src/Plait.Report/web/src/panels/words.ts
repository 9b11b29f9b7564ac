// The words of a panel of curves: the number of its points, and its content for a reader who cannot see it.
import { count, quantity } from "../format.ts";
import type { CurvePanel, Series } from "../results.ts";
import { said } from "../curves/scale.ts";

/** Says of which series not every point is drawn; null where all are. */
export function thinned(series: Series[]): string | null {
  const of = series.filter((one) => one.of > one.xs.length);
  if (of.length === 0) return null;
  const drawn = (one: Series): string => `${count(one.xs.length)} of ${count(one.of)}`;
  const alike = new Set(of.map(drawn));
  if (alike.size === 1 && of.length === series.length) {
    const each = of.length > 1 ? " in each series" : "";
    return `${[...alike].join("")} points drawn${each}, maxima kept.`;
  }
  // Each of many stands in the table.
  if (of.length > 3) {
    const [left, all] = of.reduce(([a, b], one) => [a + one.xs.length, b + one.of], [0, 0]);
    return `${count(left)} of ${count(all)} points drawn in ${count(of.length)} of the series, maxima kept.`;
  }
  return `Points drawn, maxima kept: ${of.map((one) => `${one.label} ${drawn(one)}`).join("; ")}.`;
}

/** Says how many points a logarithmic axis cannot show; null where it shows all. */
export const withoutPlace = (points: number): string | null =>
  points === 0
    ? null
    : `${count(points)} ${points === 1 ? "point" : "points"} of zero or below cannot stand on a logarithmic axis.`;

function highest(series: Series): number {
  let found = 0;
  series.ys.forEach((y, i) => {
    if (y > (series.ys[found] ?? 0)) found = i;
  });
  return found;
}

function describe(panel: CurvePanel, series: Series): string {
  if (series.xs.length === 0) return `${series.label} has no points`;
  const unit = panel.y.unit;
  const y = (i: number): string => quantity(series.ys[i] ?? null, unit);
  if (panel.kind === "percentiles") {
    const at = (p: number): string | null => {
      const i = series.xs.findIndex((x) => x >= p);
      return i < 0 ? null : `${said("percentile", p, "")} at ${y(i)}`;
    };
    const points = [50, 90, 99, 99.9].map(at).filter((part) => part !== null);
    return `${series.label}: ${[...points, `maximum ${y(highest(series))}`].join(", ")}`;
  }
  const top = highest(series);
  const x = (i: number): string => said("linear", series.xs[i] ?? 0, panel.x.unit);
  const last = series.xs.length - 1;
  return last === 0
    ? `${series.label}: ${y(0)} at ${x(0)}`
    : `${series.label}: from ${y(0)} at ${x(0)} to ${y(last)} at ${x(last)}, highest ${y(top)} at ${x(top)}`;
}

/** The panel in a sentence a series. */
export const describeCurves = (panel: CurvePanel): string =>
  `${panel.title}, ${panel.y.label || "value"}${panel.kind === "percentiles" ? " by percentile" : panel.x.label ? ` over ${panel.x.label}` : ""}. ${panel.series
    .map((series) => `${describe(panel, series)}.`)
    .join(" ")}`;
