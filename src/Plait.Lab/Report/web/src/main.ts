// The page's beginning and end: finds the data in the document, and puts the sections together.
import { readResults, type Results } from "./results.ts";
import { nameRows } from "./rows.ts";
import { applyRememberedTheme } from "./theme.ts";
import { el } from "./dom.ts";
import { header } from "./sections/header.ts";
import { notices } from "./sections/notices.ts";
import { ratioSection } from "./sections/ratios.ts";
import { bytesSection } from "./sections/bytes.ts";
import { capacitySection } from "./sections/capacity.ts";
import { howToRead } from "./sections/howToRead.ts";
import { tableSection } from "./sections/table.ts";
import { environment, reproduce } from "./sections/reproduce.ts";

function navigation(sections: HTMLElement[]): HTMLElement {
  const link = (to: HTMLElement): HTMLElement =>
    el("li", {}, el("a", { href: `#${to.id}` }, to.dataset["short"] ?? to.id));
  return el("nav", { "aria-label": "Sections" }, el("ul", {}, ...sections.map(link)));
}

function show(results: Results, raw: string): void {
  const names = nameRows(results.rows);
  document.title = `${results.title} · Plait lab`;
  const top = header(results, names);
  const warned = notices(results, names);
  const sections = [
    ratioSection(results, names),
    bytesSection(results, names),
    capacitySection(results, names),
    howToRead(results),
    tableSection(results, names),
    reproduce(results, names, raw),
    environment(results),
  ];
  document.body.append(
    el("a", { class: "skip", href: "#main" }, "Skip to the figures"),
    top,
    navigation(warned === null ? sections : [warned, ...sections]),
    el("main", { id: "main", tabindex: -1 }, warned, ...sections),
    el("footer", {}, "Made by plait lab. This page holds its data and asks the network for nothing."),
  );
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
}

start();
