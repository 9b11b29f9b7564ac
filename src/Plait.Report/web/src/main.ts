// The page's beginning and end: finds the data in the document, and puts the sections together.
import { readResults, type Results, type Row } from "./results.ts";
import { nameRows, ranked } from "./rows.ts";
import { rowsWithBytes } from "./plots/bytes.ts";
import { applyRememberedTheme } from "./theme.ts";
import { el } from "./dom.ts";
import { header } from "./sections/header.ts";
import { notices } from "./sections/notices.ts";
import { ratioSection } from "./sections/ratios.ts";
import { bytesSection } from "./sections/bytes.ts";
import { capacitySection } from "./sections/capacity.ts";
import { howToRead } from "./sections/howToRead.ts";
import { panelSections } from "./sections/panels.ts";
import { tableSection } from "./sections/table.ts";
import { environment, reproduce } from "./sections/reproduce.ts";

function navigation(sections: HTMLElement[]): HTMLElement {
  const link = (to: HTMLElement): HTMLElement =>
    el("li", {}, el("a", { href: `#${to.id}` }, to.dataset["short"] ?? to.id));
  return el("nav", { "aria-label": "Sections" }, el("ul", {}, ...sections.map(link)));
}

/** The plots of the rows. Where one kind of figure was not measured and another was, its section is left out. */
function rowSections(results: Results, names: Map<Row, string>): (HTMLElement | null)[] {
  const ratios = ranked(results, "inProcess").length + ranked(results, "http").length;
  const counted = rowsWithBytes(results).length;
  return [
    ratios > 0 || counted === 0 ? ratioSection(results, names) : null,
    counted > 0 || ratios === 0 ? bytesSection(results, names) : null,
  ];
}

function show(results: Results, raw: string): void {
  const names = nameRows(results.rows);
  document.title = `${results.title} · Plait lab`;
  const top = header(results, names);
  const warned = notices(results, names);
  // A page of panels alone has no sections about rows; one with neither says that nothing was measured.
  const hasRows = results.rows.length > 0 || results.panels.length === 0;
  const sections = [
    ...(hasRows ? rowSections(results, names) : []),
    hasRows ? capacitySection(results, names) : null,
    ...panelSections(results.panels),
    howToRead(results),
    hasRows ? tableSection(results, names) : null,
    reproduce(results, names, raw),
    environment(results),
  ].filter((part) => part !== null);
  document.body.append(
    el("a", { class: "skip", href: "#main" }, "Skip to the figures"),
    top,
    navigation(warned === null ? sections : [warned, ...sections]),
    el("main", { id: "main", tabindex: -1 }, warned, ...sections),
    el("footer", {}, "Made by plait lab. This page holds its data and asks the network for nothing."),
  );
}

/** Goes to the section that the address names, once the plots above it have their heights. */
function goToAnchor(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  setTimeout(() => requestAnimationFrame(() => target.scrollIntoView({ behavior: "instant" })), 60);
}

function sayOnly(sentence: string): void {
  document.body.append(el("main", { id: "main" }, el("h1", {}, "Plait lab"), el("p", { class: "empty" }, sentence)));
}

function start(): void {
  applyRememberedTheme();
  const raw = document.getElementById("plait-results")?.textContent ?? null;
  if (raw === null) return sayOnly("This page holds no results yet: plait lab puts them in.");
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw);
  } catch {
    return sayOnly("The results in this page are damaged: they are not JSON.");
  }
  show(readResults(parsed), raw);
  goToAnchor();
}

start();
