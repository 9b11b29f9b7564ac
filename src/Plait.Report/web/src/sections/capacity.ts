// The section of capacity over HTTP beside what others published.
import * as Plot from "@observablehq/plot";
import type { Results, Row } from "../results.ts";
import { capacityLines, describeCapacity, drawCapacity, sources } from "../plots/capacity.ts";
import { percent, printedPercent } from "../format.ts";
import { baseName } from "../rows.ts";
import { el, plainTable, section } from "../dom.ts";
import { figure } from "../figure.ts";
import { leftOut } from "./leftOut.ts";

function icon(symbol: Plot.SymbolType): Element {
  const drawn = Plot.plot({
    width: 16, height: 16, margin: 0, axis: null,
    marks: [Plot.dot([0], { frameAnchor: "middle", symbol, r: 4.6, stroke: "var(--quiet)", strokeWidth: 1.5 })],
  });
  drawn.setAttribute("aria-hidden", "true");
  return drawn;
}

const hollow =
  " Hollow marks are percentages of the base that others published, from other machines and stacks: compare the order, not the digits.";

/** The section; null where capacity was neither measured nor published. */
export function capacitySection(results: Results, names: Map<Row, string>): HTMLElement | null {
  const lines = capacityLines(results, names);
  const measured = lines.some((line) => line.ours !== null);
  const found = [...sources(lines)];
  const rowsMeasured = results.rows.filter((row) => lines.some((line) => line.id === row.id && line.ours !== null));
  if (lines.length === 0) return null;
  const content = figure({
    id: "capacity-plot",
    label: describeCapacity(lines, baseName(results)),
    draw: (width) => drawCapacity(lines, baseName(results), width),
    below: [measured ? leftOut(results.rows, rowsMeasured, names, "Capacity was not measured for") : null],
    table: plainTable(
      `Capacity in per cent of ${baseName(results)}`,
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
    found.length > 0 ? "Capacity beside what was published" : "Capacity",
    el(
      "p",
      {},
      `How many requests one core can answer, in per cent of ${baseName(results)}: 100 ÷ the CPU ratio over HTTP.${found.length > 0 ? hollow : ""}`,
    ),
    measured ? null : el("p", { class: "left-out" }, "Capacity was not measured in this run; only published figures are shown."),
    el(
      "ul",
      { class: "legend", "aria-label": "Marks" },
      el("li", {}, el("span", { class: "mark median" }), "this run"),
      ...found.map(([source, symbol]) => el("li", {}, icon(symbol), source)),
    ),
    content,
  );
}
