// The section of capacity over HTTP beside what others published.
import * as Plot from "@observablehq/plot";
import type { Results, Row } from "../results.ts";
import { capacityLines, describeCapacity, drawCapacity, sources } from "../plots/capacity.ts";
import { percent, printedPercent } from "../format.ts";
import { el, plainTable, section } from "../dom.ts";
import { emptyFigure, figure } from "../figure.ts";
import { leftOut } from "./leftOut.ts";

function icon(symbol: Plot.SymbolType): Element {
  const drawn = Plot.plot({
    width: 16, height: 16, margin: 0, axis: null,
    marks: [Plot.dot([0], { frameAnchor: "middle", symbol, r: 4.6, stroke: "var(--quiet)", strokeWidth: 1.5 })],
  });
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}

export function capacitySection(results: Results, names: Map<Row, string>): HTMLElement {
  const lines = capacityLines(results, names);
  const measured = lines.some((line) => line.ours !== null);
  const found = [...sources(lines)];
  const rowsMeasured = results.rows.filter((row) => lines.some((line) => line.id === row.id && line.ours !== null));
  const content =
    lines.length === 0
      ? emptyFigure("Neither was capacity measured in this run, nor is there a published figure to show.")
      : figure({
          id: "capacity-plot",
          label: describeCapacity(lines, results.base),
          draw: (width) => drawCapacity(lines, results.base, width),
          below: [measured ? leftOut(results.rows, rowsMeasured, names, "Capacity was not measured for") : null],
          table: plainTable(
            `Capacity in per cent of ${results.base}`,
            ["Row", "This run", ...found.map(([source]) => source)],
            lines.map((line) => [
              line.name,
              percent(line.ours),
              ...found.map(
                ([source]) =>
                  line.earlier
                    .filter((e) => e.source === source)
                    .map((e) => printedPercent(e.percent))
                    .join(", ") || "–",
              ),
            ]),
          ),
        });
  return section(
    "capacity", "Capacity",
    "Capacity beside what was published",
    el(
      "p",
      {},
      `How many requests one core can answer, in per cent of ${results.base}: 100 ÷ the CPU ratio over HTTP. Hollow marks are percentages of sync that others published, from other machines and stacks: compare the order, not the digits.`,
    ),
    measured || lines.length === 0 ? null : el("p", { class: "left-out" }, "Capacity was not measured in this run; only published figures are shown."),
    lines.length === 0
      ? null
      : el(
          "ul",
          { class: "legend", "aria-label": "Marks" },
          el("li", {}, el("span", { class: "mark median" }), "this run"),
          ...found.map(([source, symbol]) => el("li", {}, icon(symbol), source)),
        ),
    content,
  );
}
