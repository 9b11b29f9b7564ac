// The names of the series as buttons that show and hide them.
import { button, el } from "../dom.ts";
import { svg } from "../plots/svg.ts";
import { fineDash } from "../plots/chart.ts";
import type { Series } from "../panels.ts";
import type { Colours } from "./colours.ts";

function sample(series: Series, colours: Colours): SVGElement {
  const line = { stroke: colours.of(series), "stroke-width": 2.4, "stroke-linecap": "round", fill: "none" };
  const dash = series.style === "dashed" ? "5 4" : colours.again(series) ? fineDash : null;
  const drawn =
    series.style === "dots"
      ? svg("path", { ...line, "stroke-width": 5, d: "M4,5h0M11,5h0M18,5h0" })
      : series.style === "step"
        ? svg("path", { ...line, d: "M2,8H8V2H14V8H20", "stroke-dasharray": dash })
        : svg("path", { ...line, d: "M2,5H20", "stroke-dasharray": dash });
  return svg("svg", { width: 22, height: 10, viewBox: "0 0 22 10", "aria-hidden": "true" }, drawn);
}

/** One button a series; `change` is told which one was switched and whether it is shown now. */
export function legend(
  series: Series[],
  colours: Colours,
  change: (index: number, shown: boolean) => void,
): HTMLElement {
  const items = series.map((one, index) => {
    const press = (): void => {
      const shown = item.getAttribute("aria-pressed") !== "true";
      item.setAttribute("aria-pressed", String(shown));
      change(index, shown);
    };
    const item = button("", { "aria-pressed": "true", class: "of-series", title: "Show or hide" }, press);
    item.append(sample(one, colours), el("span", {}, one.label));
    return el("li", {}, item);
  });
  return el("ul", { class: "legend", "aria-label": "Series, to show and hide" }, ...items);
}
