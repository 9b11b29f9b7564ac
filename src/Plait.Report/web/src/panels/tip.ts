// The line under the pointer, the marks on it, and the box that says their values.
import { el } from "../dom.ts";
import type { Chart } from "../plots/chart.ts";
import { svg } from "../plots/svg.ts";
import type { Reading } from "./reading.ts";

const most = 14;

/** A tip that stands in a box over its chart. */
export class Tip {
  readonly element = el("div", { class: "tip", "aria-hidden": "true" });
  private marks: SVGElement | null = null;

  constructor() {
    this.hide();
  }

  hide(): void {
    this.element.hidden = true;
    this.marks?.remove();
    this.marks = null;
  }

  show(chart: Chart, width: number, reading: Reading): void {
    this.hide();
    const x = chart.x(reading.at);
    this.marks = svg(
      "g",
      { class: "reading-marks" },
      svg("line", { x1: x, x2: x, y1: chart.frame.top, y2: chart.frame.bottom }),
      ...reading.found.map((f) => svg("circle", { cx: f.x, cy: f.y, r: 4, fill: f.curve.colour })),
    );
    chart.element.append(this.marks);
    const rows = reading.found.slice(0, most).map((f) =>
      el(
        "div",
        {},
        el("span", { class: "swatch", style: `background:${f.curve.colour}` }),
        el("span", { class: "of" }, f.curve.series.label),
        el("strong", {}, f.value),
      ),
    );
    const more = reading.found.length - rows.length;
    this.element.replaceChildren(el("p", {}, reading.title), ...rows, more > 0 ? el("p", {}, `and ${more} more`) : "");
    this.element.hidden = false;
    const own = this.element.offsetWidth;
    const beside = x + 14 + own <= width ? x + 14 : x - 14 - own;
    this.element.style.left = `${Math.min(Math.max(beside, 0), Math.max(0, width - own))}px`;
    this.element.style.top = `${chart.frame.top + 4}px`;
  }
}
