// The section of the ranked CPU ratios, in process and over HTTP.
import type { Results, Row } from "../results.ts";
import { baseName, operation, ranked, sideOf, type Place } from "../rows.ts";
import { describeRatios, drawRatios } from "../plots/ratio.ts";
import { familyLegend } from "../family.ts";
import { count, interval, margin, microseconds, ratio as text, share } from "../format.ts";
import { button, el, plainTable, section } from "../dom.ts";
import { emptyFigure, figure } from "../figure.ts";
import { leftOut } from "./leftOut.ts";

const titles: Record<Place, string> = { inProcess: "In process", http: "Over HTTP" };
const words: Record<Place, string> = { inProcess: "in process", http: "over HTTP" };

function ratioFigure(results: Results, names: Map<Row, string>, place: Place): HTMLElement {
  const lines = ranked(results, place);
  const table = plainTable(
    `CPU ratio to ${baseName(results)}, ${words[place]}`,
    ["Row", "Ratio", "95 % interval", "Launches", "Spread", "Pairs", `CPU per ${operation(results)}`, "Verdict"],
    lines.map(({ row, ratio }) => [
      names.get(row) ?? row.id,
      text(ratio.median),
      interval(ratio.low, ratio.high),
      ratio.launches.map(text).join(", ") || "–",
      share(ratio.spread),
      count(ratio.pairs),
      microseconds(sideOf(row, place)?.cpuMicroseconds ?? null),
      sideOf(row, place)?.verdict ?? "–",
    ]),
  );
  return figure({
    id: `ratio-${place === "http" ? "http" : "in-process"}`,
    label: describeRatios(results, names, place),
    draw: (width) => drawRatios(results, names, place, width),
    below: [leftOut(results.rows, lines.map((l) => l.row), names)],
    table,
  });
}

function markLegend(within: number): HTMLElement {
  const item = (icon: string, label: string): HTMLElement => el("li", {}, el("span", { class: `mark ${icon}` }), label);
  return el(
    "ul",
    { class: "legend", "aria-label": "Marks" },
    item("median", "median"),
    item("whisker", "95 % interval over launches"),
    item("launch", "single launches"),
    item("reference", "base and A/A control"),
    item("margin", `within ${margin(within)}`),
  );
}

export function ratioSection(results: Results, names: Map<Row, string>): HTMLElement {
  const places = (["inProcess", "http"] as const).filter((place) => ranked(results, place).length > 0);
  const panels = places.map((place) =>
    el("div", { class: "panel" }, el("h3", { class: "panel-title" }, titles[place]), ratioFigure(results, names, place)),
  );
  const buttons = places.map((place, i) => button(titles[place], { id: `show-${place}` }, () => show(i)));
  const show = (chosen: number): void => {
    buttons.forEach((b, i) => b.setAttribute("aria-pressed", String(i === chosen)));
    panels.forEach((panel, i) => panel.classList.toggle("unchosen", i !== chosen));
  };
  show(0);
  return section(
    "cpu", "CPU",
    "CPU time against the base",
    el(
      "p",
      {},
      `How many times the CPU time of ${baseName(results)} one ${operation(results)} takes${places.length === 1 ? `, ${words[places[0] ?? "inProcess"]}` : ""}. Left is cheaper. Each row was measured in pairs of short slices with the base beside it.`,
    ),
    places.length < 2 ? null : el("div", { class: "choice", role: "group", "aria-label": "Where it was measured" }, ...buttons),
    ...(places.length > 0 ? [familyLegend(results.rows), markLegend(results.margin)] : [emptyFigure("No CPU ratio was measured in this run.")]),
    ...panels,
  );
}
