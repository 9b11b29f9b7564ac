// Scales of the curves: a value has a place on a line (itself, its logarithm, or that of 1/(1-p)), and only the place is
// put on pixels; so every scale zooms alike. With the ticks of each.
import { number } from "../format.ts";

export type Kind = "linear" | "log" | "percentile";

/** A part of the line that is shown. */
export type Span = readonly [low: number, high: number];

export interface Tick {
  at: number;
  label: string;
}

const percentileOf = (place: number): number => 100 - 100 * 10 ** -place;

/** The place of a value on the line; not finite where it has none. */
export function place(kind: Kind, value: number): number {
  switch (kind) {
    case "linear":
      return value;
    case "log":
      return value > 0 ? Math.log10(value) : NaN;
    case "percentile":
      return -Math.log10(1 - value / 100);
  }
}

/** The value at a place. */
export function valueAt(kind: Kind, at: number): number {
  return kind === "linear" ? at : kind === "log" ? 10 ** at : percentileOf(at);
}

/** Steps of 1, 2 or 5 times a power of ten. */
function step(width: number, count: number): number {
  const rough = width / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const times = rough / power;
  return (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10) * power;
}

function evenTicks(low: number, high: number, count: number): Tick[] {
  if (!(high > low)) return [];
  const by = step(high - low, count);
  const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(by) + 1e-9)));
  const ticks: Tick[] = [];
  for (let i = Math.ceil(low / by - 1e-9); i * by <= high + by * 1e-9 && ticks.length < 200; i++) {
    // Plus zero, so that no tick reads "-0".
    const at = i * by + 0;
    const label = at.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    ticks.push({ at, label });
  }
  return ticks;
}

/** Those of the candidates that lie inside and keep their distance, the first ones first. */
function spaced(candidates: Tick[], [low, high]: Span, gap: number): Tick[] {
  const chosen: Tick[] = [];
  for (const tick of candidates) {
    const inside = tick.at >= low - 1e-9 && tick.at <= high + 1e-9;
    if (inside && chosen.every((other) => Math.abs(other.at - tick.at) >= gap)) chosen.push(tick);
  }
  return chosen.sort((a, b) => a.at - b.at);
}

function logTicks(span: Span, count: number): Tick[] {
  const [low, high] = span;
  if (high - low < 0.9) {
    return evenTicks(10 ** low, 10 ** high, count).flatMap(({ at, label }) => (at > 0 ? [{ at: Math.log10(at), label }] : []));
  }
  const from = Math.floor(low);
  const decades = Array.from({ length: Math.max(1, Math.ceil(high) - from + 1) }, (_, i) => from + i);
  // Where not every decade has room, every second or third has, counted from 1.
  const every = Math.max(1, Math.ceil((high - low) / Math.max(2, count)));
  const candidates = [
    ...decades.filter((d) => d % every === 0).map((d) => 10 ** d),
    ...(every > 1 ? [] : [...decades.map((d) => 5 * 10 ** d), ...decades.map((d) => 2 * 10 ** d)]),
  ];
  const ticks = candidates.map((value) => ({ at: Math.log10(value), label: number(value) }));
  return spaced(ticks, span, (high - low) / (count * 1.6));
}

const percentileLabel = (value: number, digits: number): string => `${Number(value.toFixed(digits))}\u202f%`;

function percentileTicks(span: Span, count: number): Tick[] {
  const nines = [50, 90, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999, 99.999999];
  const between = [0, 75, 95, 99.5, 99.95, 99.995, 99.9995, 25];
  const candidates = [...nines, ...between].map((value) => ({
    at: place("percentile", value),
    label: percentileLabel(value, 9),
  }));
  const found = spaced(candidates, span, (span[1] - span[0]) / count);
  if (found.length > 2) return found;
  const [low, high] = [percentileOf(Math.max(0, span[0])), percentileOf(span[1])];
  const digits = Math.max(1, Math.ceil(-Math.log10(Math.max(1e-9, (high - low) / 10))) + 1);
  const even = evenTicks(low, high, Math.max(2, count - 1));
  return even.map(({ at }) => ({ at: place("percentile", at), label: percentileLabel(at, digits) }));
}

/** About so many ticks for that part of the line. */
export function ticks(kind: Kind, span: Span, count: number): Tick[] {
  if (!(span[1] > span[0])) return [];
  if (kind === "log") return logTicks(span, count);
  return kind === "percentile" ? percentileTicks(span, count) : evenTicks(span[0], span[1], count);
}

/** A value of the x axis in words, exact enough to be found again. */
export function said(kind: Kind, value: number, unit: string): string {
  if (kind === "percentile") return value >= 100 ? "maximum" : `${Number(value.toPrecision(8))}\u202f%`;
  const text = value.toLocaleString("en-US", { maximumSignificantDigits: 6 });
  return unit === "" ? text : `${text}\u202f${unit}`;
}
