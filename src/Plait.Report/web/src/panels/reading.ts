// What stands under the pointer: the nearest point of every series, and the words for it.
import { quantity } from "../format.ts";
import { indexAt } from "../plots/curve.ts";
import type { Chart, Curve, Look } from "../plots/chart.ts";
import { said, valueAt } from "../plots/scale.ts";

export interface Found {
  curve: Curve;
  /** Its place in the picture. */
  x: number;
  y: number;
  /** Its y in words. */
  value: string;
  at: number;
}

export interface Reading {
  /** The x of the nearest point, in words. */
  title: string;
  /** The place of that point on the x axis. */
  at: number;
  found: Found[];
}

/** The point of a curve nearest to a pixel; of a cloud, the nearest one in the columns beside it. */
function nearest(curve: Curve, chart: Chart, px: number, py: number | null): number | null {
  const { xs, ys } = curve.points;
  const at = chart.back(px);
  const behind = indexAt(xs, at);
  const before = behind - 1;
  const far = (i: number): number => Math.abs((xs[i] ?? Infinity) - at);
  const single = behind >= xs.length ? before : before < 0 || far(behind) <= far(before) ? behind : before;
  if (curve.series.style === "step" && before >= 0 && behind < xs.length) {
    return far(behind) === 0 ? behind : before;
  }
  if (curve.series.style !== "dots" || py === null) return single >= 0 ? single : null;
  const [from, to] = [indexAt(xs, chart.back(px - 6)), indexAt(xs, chart.back(px + 6))];
  let best = single;
  let least = Infinity;
  for (let i = from; i < to; i++) {
    const away = (chart.x(xs[i] ?? 0) - px) ** 2 + (chart.y(ys[i] ?? 0) - py) ** 2;
    if (away < least) [least, best] = [away, i];
  }
  return best >= 0 ? best : null;
}

/** Reads at a pixel; `py` is null where the keyboard reads. Null: nothing is shown there. */
export function readAt(chart: Chart, look: Look, px: number, py: number | null): Reading | null {
  const found = look.curves.flatMap((curve): Found[] => {
    const i = nearest(curve, chart, px, py);
    if (i === null) return [];
    const at = curve.points.xs[i] ?? 0;
    if (at < look.x.span[0] - 1e-9 || at > look.x.span[1] + 1e-9) return [];
    const place = curve.points.ys[i] ?? 0;
    const value = quantity(valueAt(look.y.kind, place), look.y.axis.unit);
    return [{ curve, x: chart.x(at), y: chart.y(place), value, at }];
  });
  const closest = found.reduce<Found | null>(
    (best, one) => (best === null || Math.abs(one.x - px) < Math.abs(best.x - px) ? one : best),
    null,
  );
  if (closest === null) return null;
  // A series that has nothing near is not said to have a value there.
  const near = found.filter((one) => one.curve.series.style !== "dots" || Math.abs(one.x - px) <= 12 || one === closest);
  const isLast = look.x.kind === "percentile" && closest.curve.series.xs.at(-1) === 100 && closest.at === closest.curve.points.xs.at(-1);
  const at = isLast ? 100 : valueAt(look.x.kind, closest.at);
  return { title: said(look.x.kind, at, look.x.axis.unit), at: closest.at, found: near.sort((a, b) => a.y - b.y) };
}

/** A reading as one sentence. */
export const sentence = (reading: Reading): string =>
  `At ${reading.title}: ${reading.found.map((f) => `${f.curve.series.label} ${f.value}`).join(", ")}.`;
