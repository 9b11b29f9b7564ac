// The rows that were not wholly measured, one line a reason.
import { el, section } from "./dom.ts";
import type { Row } from "./results.ts";

/** Why a row has no full result; null where it has one. */
export function troubleOf({ status, reason, correct }: Row): { word: string; reason: string } | null {
  if (status !== "measured") return { word: status, reason: reason ?? "No reason was recorded." };
  return correct === false
    ? { word: "wrong answer", reason: reason ?? "It did not give the expected answer; its figures are not plotted." }
    : null;
}

/** The section; null where all rows are measured and right. */
export function notMeasured(rows: Row[]): HTMLElement | null {
  const groups = new Map<string, { word: string; reason: string; labels: string[] }>();
  for (const row of rows) {
    const trouble = troubleOf(row);
    if (trouble === null) continue;
    const key = `${trouble.word}\n${trouble.reason}`;
    const group = groups.get(key) ?? { ...trouble, labels: [] };
    group.labels.push(row.label);
    groups.set(key, group);
  }
  if (groups.size === 0) return null;
  const line = ({ word, reason, labels }: { word: string; reason: string; labels: string[] }): HTMLElement => {
    const said = [el("strong", {}, labels.length === 1 ? (labels[0] ?? "") : `${labels.length} rows`), " ", el("span", { class: "status" }, word), `: ${reason}`];
    return el("li", {}, ...(labels.length === 1 ? said : [el("details", {}, el("summary", {}, ...said), el("p", {}, `${labels.join(", ")}.`))]));
  };
  return section("not-measured", "Not measured", "Without a full result", el("ul", { class: "reasons" }, ...[...groups.values()].map(line)));
}
