// What a plot does not show: named under it, so that no row is missing in silence.
import type { Row } from "../results.ts";
import { el } from "../dom.ts";

/** Names the rows that are not among those shown; null where all are. */
export function leftOut(
  all: Row[],
  shown: Row[],
  names: Map<Row, string>,
  opening = "Not in this plot, for want of a valid figure:",
): HTMLElement | null {
  const missing = all.filter((row) => !shown.includes(row));
  if (missing.length === 0) return null;
  return el("p", { class: "left-out" }, `${opening} ${missing.map((row) => names.get(row) ?? row.id).join(", ")}.`);
}
