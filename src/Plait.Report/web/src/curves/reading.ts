// Reading values off the curves: the values under the pointer, the finger or the keyboard's cursor, as a box beside
// it and as a sentence.
import { el, svg } from "../dom.ts";
import { quantity } from "../format.ts";
import type { Chart, Curve } from "./chart.ts";
import { indexAt } from "./points.ts";
import { said, valueAt } from "./scale.ts";

/** The nearest point of one curve. */
interface Found {
  curve: Curve;
  at: number;
  /** Its place in the picture. */
  x: number;
  y: number;
  /** Its y in words. */
  value: string;
}

interface Reading {
  /** The x of the nearest point, in words, and its place on the axis. */
  title: string;
  at: number;
  found: Found[];
}

/** The point of a curve nearest to a pixel; of a cloud, the nearest one in the columns beside it. */
function nearest({ points: { xs, ys }, series }: Curve, chart: Chart, px: number, py: number | null): number {
  const at = chart.back(px);
  const behind = indexAt(xs, at);
  const before = behind - 1;
  const far = (i: number): number => Math.abs((xs[i] ?? Infinity) - at);
  // A step holds until the next point.
  if (series.style === "step" && before >= 0 && behind < xs.length) return far(behind) === 0 ? behind : before;
  let best = behind >= xs.length ? before : before < 0 || far(behind) <= far(before) ? behind : before;
  if (series.style !== "dots" || py === null) return best;
  let least = Infinity;
  for (let i = indexAt(xs, chart.back(px - 6)); i < indexAt(xs, chart.back(px + 6)); i++) {
    const away = (chart.x(xs[i] ?? 0) - px) ** 2 + (chart.y(ys[i] ?? 0) - py) ** 2;
    if (away < least) [least, best] = [away, i];
  }
  return best;
}

/** Reads at a pixel; `py` is null where the keyboard reads. Null: nothing is shown there. */
function readAt(chart: Chart, px: number, py: number | null): Reading | null {
  const { x, y, curves } = chart.look;
  const found = curves.flatMap((curve): Found[] => {
    const i = nearest(curve, chart, px, py);
    const [at, height] = [curve.points.xs[i], curve.points.ys[i]];
    if (at === undefined || height === undefined || at < x.span[0] - 1e-9 || at > x.span[1] + 1e-9) return [];
    return [{ curve, at, x: chart.x(at), y: chart.y(height), value: quantity(valueAt(y.kind, height), y.axis.unit) }];
  });
  const [closest] = [...found].sort((a, b) => Math.abs(a.x - px) - Math.abs(b.x - px));
  if (closest === undefined) return null;
  // A cloud without a near point has no value there.
  const near = found.filter((one) => one.curve.series.style !== "dots" || Math.abs(one.x - px) <= 12 || one === closest);
  const { series, points } = closest.curve;
  const isMaximum = x.kind === "percentile" && series.xs.at(-1) === 100 && closest.at === points.xs.at(-1);
  const title = said(x.kind, isMaximum ? 100 : valueAt(x.kind, closest.at), x.axis.unit);
  return { title, at: closest.at, found: near.sort((a, b) => a.y - b.y) };
}

const longest = 14;

/** Shows readings in a box over the chart, and speaks those of the keyboard. */
export class Reader {
  readonly tip = el("div", { class: "tip", "aria-hidden": "true", hidden: true });
  private marks: SVGElement | null = null;
  private cursor: number | null = null;

  /** `view`: the drawn chart; `busy`: whether the pointer drags in it. */
  constructor(
    private readonly box: HTMLElement,
    private readonly view: () => Chart | null,
    busy: () => boolean,
    private readonly speak: (sentence: string) => void,
  ) {
    const point = (event: PointerEvent): void => {
      const chart = view();
      if (chart === null) return;
      const { left, top } = box.getBoundingClientRect();
      const x = event.clientX - left;
      const inside = x >= chart.frame.left - 6 && x <= chart.frame.right + 6;
      this.show(chart, inside && !busy() ? readAt(chart, x, event.clientY - top) : null);
    };
    box.addEventListener("pointerdown", point);
    box.addEventListener("pointermove", point);
    box.addEventListener("pointerleave", (event) => {
      // A finger leaves as soon as it is lifted: its value stays until another one is read.
      if (event.pointerType !== "touch") this.hide();
    });
    box.addEventListener("blur", () => this.hide());
  }

  hide(): void {
    this.tip.hidden = true;
    this.marks?.remove();
  }

  /** Reads a little to the left or right of the last reading. */
  step(direction: -1 | 1): void {
    const chart = this.view();
    if (chart === null) return;
    const { left, right } = chart.frame;
    const by = direction * Math.max(4, (right - left) / 60);
    this.cursor = this.cursor === null ? (left + right) / 2 : Math.min(Math.max(this.cursor + by, left), right);
    const reading = readAt(chart, this.cursor, null);
    if (reading === null) return;
    this.show(chart, reading);
    this.speak(`At ${reading.title}: ${reading.found.map((f) => `${f.curve.series.label} ${f.value}`).join(", ")}.`);
  }

  private show(chart: Chart, reading: Reading | null): void {
    this.hide();
    if (reading === null) return;
    const x = chart.x(reading.at);
    const dots = reading.found.map((f) => svg("circle", { cx: f.x, cy: f.y, r: 4, fill: f.curve.colour }));
    this.marks = svg("g", { class: "reading-marks" }, svg("line", { x1: x, x2: x, y1: chart.frame.top, y2: chart.frame.bottom }), ...dots);
    chart.element.append(this.marks);
    const rows = reading.found.slice(0, longest).map(({ curve, value }) =>
      el("div", {}, el("span", { class: "swatch", style: `background:${curve.colour}` }), el("span", { class: "of" }, curve.series.label), el("strong", {}, value)),
    );
    const more = reading.found.length - rows.length;
    this.tip.replaceChildren(el("p", {}, reading.title), ...rows, more > 0 ? el("p", {}, `and ${more} more`) : "");
    this.tip.hidden = false;
    const [own, width] = [this.tip.offsetWidth, this.box.clientWidth];
    const beside = x + 14 + own <= width ? x + 14 : x - 14 - own;
    this.tip.style.left = `${Math.min(Math.max(beside, 0), Math.max(0, width - own))}px`;
    this.tip.style.top = `${chart.frame.top + 4}px`;
  }
}
