// The points of a series that are drawn: no more than the pixels can show. Of a line the first, lowest, highest and
// last point in every column of pixels; of a cloud one dot for all that fall on one pixel.
import type { Series } from "../results.ts";
import { place, type Kind, type Span } from "./scale.ts";

/** The places of a series on both axes. */
export interface Placed {
  xs: Float64Array;
  ys: Float64Array;
  /** How many points have no place, such as zero on a logarithmic axis. */
  without: number;
}

/** How far behind the last other percentile the hundredth stands. */
const beyond = 0.3;

export function placed(series: Series, xKind: Kind, yKind: Kind): Placed {
  const xs: number[] = [];
  const ys: number[] = [];
  let without = 0;
  for (let i = 0; i < series.xs.length; i++) {
    let x = place(xKind, series.xs[i] ?? NaN);
    const y = place(yKind, series.ys[i] ?? NaN);
    if (x === Infinity) x = (xs.at(-1) ?? 0) + (xs.length > 0 && series.xs[i - 1] === 100 ? 0 : beyond);
    if (Number.isFinite(x) && Number.isFinite(y)) {
      xs.push(x);
      ys.push(y);
    } else without++;
  }
  return { xs: Float64Array.from(xs), ys: Float64Array.from(ys), without };
}

/** The first index whose x is not below the value. */
export function indexAt(xs: Float64Array, value: number): number {
  let [low, high] = [0, xs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((xs[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The indices of a line that are drawn: the ones inside the span and one on either side of it. */
export function kept({ xs, ys }: Placed, [low, high]: Span, x: (place: number) => number): number[] {
  const [from, to] = [Math.max(0, indexAt(xs, low) - 1), Math.min(xs.length, indexAt(xs, high) + 1)];
  const found: number[] = [];
  for (let i = from; i < to; ) {
    const column = Math.floor(x(xs[i] ?? 0));
    let [lowest, highest, last] = [i, i, i];
    for (; last + 1 < to && Math.floor(x(xs[last + 1] ?? 0)) === column; last++) {
      const y = ys[last + 1] ?? 0;
      if (y < (ys[lowest] ?? 0)) lowest = last + 1;
      if (y > (ys[highest] ?? 0)) highest = last + 1;
    }
    found.push(...new Set([i, lowest, highest, last].sort((a, b) => a - b)));
    i = last + 1;
  }
  return found;
}

/** Dots in three paths, by how many lie on one pixel: 1, 2 to 9, and more. */
export function dotPaths({ xs, ys }: Placed, span: Span, x: (place: number) => number, y: (place: number) => number): string[] {
  const [from, to] = [indexAt(xs, span[0]), indexAt(xs, span[1] + 1e-12)];
  const cell = to - from > 8000 ? 2 : 1;
  const counts = new Map<string, number>();
  for (let i = from; i < to; i++) {
    const at = `${Math.round(x(xs[i] ?? 0) / cell) * cell},${Math.round(y(ys[i] ?? 0) / cell) * cell}`;
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const paths = ["", "", ""];
  for (const [at, count] of counts) paths[count > 9 ? 2 : count > 1 ? 1 : 0] += `M${at}h0`;
  return paths;
}
