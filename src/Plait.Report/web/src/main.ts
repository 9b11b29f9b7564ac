// The page's beginning: finds the data in the document, and puts the sections together.
import { el } from "./dom.ts";
import { guide } from "./guide.ts";
import { header } from "./header.ts";
import { notMeasured } from "./notMeasured.ts";
import { panelSections } from "./panels/panels.ts";
import { readResults, type Results } from "./results.ts";
import { environment, keyFigures, reproduce } from "./run.ts";
import { applyRememberedTheme } from "./theme.ts";

function navigation(sections: HTMLElement[]): HTMLElement {
  const link = (to: HTMLElement): HTMLElement => el("li", {}, el("a", { href: `#${to.id}` }, to.dataset["short"] ?? to.id));
  return el("nav", { "aria-label": "Sections" }, el("ul", {}, ...sections.map(link)));
}

function show(results: Results, raw: string): void {
  document.title = `${results.title} · plait`;
  const [first = null, ...others] = panelSections(results.panels);
  const facts = keyFigures(results);
  const early = results.facts.length > 0;
  const sections = [
    first,
    early ? facts : null,
    ...others,
    notMeasured(results.rows),
    early ? null : facts,
    guide(results),
    reproduce(results, raw),
    environment(results),
  ].filter((part) => part !== null);
  document.body.append(
    el("a", { class: "skip", href: "#main" }, "Skip to the figures"),
    header(results),
    navigation(sections),
    el("main", { id: "main", tabindex: -1 }, ...sections),
    el("footer", {}, "Made by plait. This page holds its data and asks the network for nothing."),
  );
}

/** Goes to the section that the address names, once the plots above it have their heights. */
function goToAnchor(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  setTimeout(() => requestAnimationFrame(() => target.scrollIntoView({ behavior: "instant" })), 60);
}

function sayOnly(sentence: string): void {
  document.body.append(el("main", { id: "main" }, el("h1", {}, "Plait"), el("p", { class: "empty" }, sentence)));
}

function start(): void {
  applyRememberedTheme();
  const raw = document.getElementById("plait-results")?.textContent ?? null;
  if (raw === null) return sayOnly("This page holds no results yet: plait puts them in.");
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw);
  } catch {
    return sayOnly("The results in this page are damaged: they are not JSON.");
  }
  const results = readResults(parsed);
  if (typeof results === "string") return sayOnly(results);
  show(results, raw);
  goToAnchor();
}

start();
