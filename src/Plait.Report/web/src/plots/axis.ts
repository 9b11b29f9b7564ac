// Ticks and bounds of an axis of ratios, which is logarithmic where the ratios differ by more than four times.

const preferred = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 0.5, 0.2, 0.1, 0.05, 0.01, 3, 4, 1.5, 7, 15, 30, 70, 1.2, 0.7, 0.9, 0.8, 2.5, 1.1, 1.3, 6, 8,
];

export interface RatioAxis {
  type: "log" | "linear";
  domain: [number, number];
  ticks: number[] | number;
}

/** An axis that shows every one of the values, 1 among them, on that many pixels. */
export function ratioAxis(values: number[], margin: number, pixels: number): RatioAxis {
  const low = Math.min(...values, 1 - margin, 0.98);
  const high = Math.max(...values, 1 + margin, 1.1);
  if (high / low <= 4) {
    const pad = (high - low) * 0.04;
    return { type: "linear", domain: [low - pad, high + pad], ticks: Math.max(3, Math.round(pixels / 80)) };
  }
  const pad = Math.pow(high / low, 0.04);
  const domain: [number, number] = [low / pad, high * pad];
  const place = (value: number): number => (Math.log(value / domain[0]) / Math.log(domain[1] / domain[0])) * pixels;
  const ticks: number[] = [];
  for (const tick of preferred) {
    const inside = tick >= domain[0] && tick <= domain[1];
    if (inside && ticks.every((other) => Math.abs(place(other) - place(tick)) >= 46)) ticks.push(tick);
  }
  return { type: "log", domain, ticks: ticks.sort((a, b) => a - b) };
}
