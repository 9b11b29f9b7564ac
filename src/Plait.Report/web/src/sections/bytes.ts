// The section of bytes per request.
import type { Results, Row } from "../results.ts";
import { operation } from "../rows.ts";
import { describeBytes, drawBytes, rowsWithBytes } from "../plots/bytes.ts";
import { bytes } from "../format.ts";
import { el, plainTable, section } from "../dom.ts";
import { emptyFigure, figure } from "../figure.ts";
import { leftOut } from "./leftOut.ts";

export function bytesSection(results: Results, names: Map<Row, string>): HTMLElement {
  const rows = rowsWithBytes(results);
  const one = operation(results);
  const outlined = rows.some((row) => row.bytesPerOperationNoEscape !== null);
  const noEscape = (row: Row): string[] => (outlined ? [bytes(row.bytesPerOperationNoEscape)] : []);
  const opening = `What one ${one} allocates, in process: the figure that repeats best.`;
  const content =
    rows.length === 0
      ? emptyFigure("No bytes were counted in this run.")
      : figure({
          id: "bytes-plot",
          label: describeBytes(results, names),
          draw: (width) => drawBytes(results, names, width),
          below: [leftOut(results.rows, rows, names)],
          table: plainTable(
            `Bytes per ${one}`,
            ["Row", `Per ${one}`, ...(outlined ? ["Without escape analysis"] : [])],
            rows.map((row) => [names.get(row) ?? row.id, bytes(row.bytesPerOperation), ...noEscape(row)]),
          ),
        });
  return section(
    "bytes", "Bytes",
    `Bytes per ${one}`,
    el(
      "p",
      {},
      outlined
        ? `${opening} The outline is the same with the runtime's escape analysis switched off, the fairer comparison between builders: that analysis removes objects in some method bodies and not in others.`
        : opening,
    ),
    outlined
      ? el(
          "ul",
          { class: "legend", "aria-label": "Marks" },
          el("li", {}, el("span", { class: "mark bar" }), "as measured"),
          el("li", {}, el("span", { class: "mark outline" }), "without escape analysis"),
        )
      : null,
    content,
  );
}
