// The drawn form of a series: a path of no more points than the pixels can tell apart. In every column of pixels the
// first, lowest, highest and last point are kept, so that the picture is that of all points.
import type { Series } from "../panels.ts";
import type { Kind, Span } from "./scale.ts";
import { place } from "./scale.ts";

/** The places of a series on both lines, and what has none. */
export interface Placed {
  xs: Float64Array;
  ys: Float64Array;
  /** Points without a place, such as zero on a logarithmic axis. */
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

/** The points inside the span and the one on either side of it. */
function around({ xs }: Placed, [low, high]: Span): [from: number, to: number] {
  return [Math.max(0, indexAt(xs, low) - 1), Math.min(xs.length, indexAt(xs, high) + 1)];
}

export interface Pixels {
  x: (place: number) => number;
  y: (place: number) => number;
}

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The indices that are drawn of a line. */
export function kept(points: Placed, span: Span, { x }: Pixels): number[] {
  const [from, to] = around(points, span);
  const found: number[] = [];
  for (let i = from; i < to; ) {
    const column = Math.floor(x(points.xs[i] ?? 0));
    let [lowest, highest, last] = [i, i, i];
    for (; last + 1 < to && Math.floor(x(points.xs[last + 1] ?? 0)) === column; last++) {
      const y = points.ys[last + 1] ?? 0;
      if (y < (points.ys[lowest] ?? 0)) lowest = last + 1;
      if (y > (points.ys[highest] ?? 0)) highest = last + 1;
    }
    const [one, two] = lowest < highest ? [lowest, highest] : [highest, lowest];
    found.push(i);
    if (one > i) found.push(one);
    if (two > one) found.push(two);
    if (last > two) found.push(last);
    i = last + 1;
  }
  return found;
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** A line through the points, or a staircase whose steps last until the next point. */
export function linePath(points: Placed, span: Span, pixels: Pixels, stairs: boolean): string {
  const parts: string[] = [];
  for (const i of kept(points, span, pixels)) {
    const [x, y] = [tenth(pixels.x(points.xs[i] ?? 0)), tenth(pixels.y(points.ys[i] ?? 0))];
    parts.push(parts.length === 0 ? `M${x},${y}` : stairs ? `H${x}V${y}` : `L${x},${y}`);
  }
  // One point is a path without length, which a round cap makes a dot.
  return parts.length === 1 ? `${parts[0]}h0` : parts.join("");
}

/** Dots in three paths, by how many lie on one another: 1, 2 to 9, and more. The frame is what pixels there are. */
export function dotPaths(points: Placed, span: Span, { x, y }: Pixels, frame: Frame): [string, string, string] {
  const [from, to] = [indexAt(points.xs, span[0]), indexAt(points.xs, span[1] + 1e-12)];
  const cell = to - from > 8000 ? 2 : 1;
  const columns = Math.ceil((frame.right - frame.left) / cell) + 2;
  const rows = Math.ceil((frame.bottom - frame.top) / cell) + 2;
  const counts = new Uint16Array(columns * rows);
  for (let i = from; i < to; i++) {
    const column = Math.round((x(points.xs[i] ?? 0) - frame.left) / cell);
    const row = Math.round((y(points.ys[i] ?? 0) - frame.top) / cell);
    if (column < 0 || column >= columns || row < 0 || row >= rows) continue;
    const at = row * columns + column;
    counts[at] = Math.min(65535, (counts[at] ?? 0) + 1);
  }
  const paths: [string, string, string] = ["", "", ""];
  counts.forEach((count, at) => {
    if (count === 0) return;
    const which = count > 9 ? 2 : count > 1 ? 1 : 0;
    paths[which] += `M${frame.left + (at % columns) * cell},${frame.top + Math.floor(at / columns) * cell}h0`;
  });
  return paths;
}
