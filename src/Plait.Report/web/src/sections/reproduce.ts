// How to get these figures again: the command, the data, and the machine they came from.
import type { Results, Row } from "../results.ts";
import { absent, count, fixed as decimals, moment, words } from "../format.ts";
import { button, el, section } from "../dom.ts";
import { toCsv } from "../csv.ts";
import { download, fileName, saveCsv } from "../download.ts";

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function copyButton(text: string, source: HTMLElement, said: HTMLElement): HTMLButtonElement {
  return button("Copy", { id: "copy" }, () => {
    void copy(text).then((done) => {
      said.textContent = done ? "Copied." : "The browser refused; the command is selected, copy it by keyboard.";
      if (!done) getSelection()?.selectAllChildren(source);
    });
  });
}

export function reproduce(results: Results, names: Map<Row, string>, raw: string): HTMLElement {
  const said = el("p", { class: "said", role: "status" });
  const command = results.command;
  const code = el("code", { id: "command" }, command ?? "");
  const file = fileName(results.scenario);
  return section(
    "reproduce", "Reproduce",
    "Reproduce it",
    command === null
      ? el("p", { class: "empty" }, "The run did not record its command.")
      : el("div", { class: "command" }, el("pre", { tabindex: 0, "aria-label": "Command" }, code), copyButton(command, code, said)),
    said,
    el(
      "p",
      { class: "downloads" },
      button("Download JSON", { id: "download-json" }, () => download(`${file}-results.json`, "application/json", raw)),
      // Without rows the CSV of the rows would hold its head alone; every panel has a CSV of its own.
      results.rows.length === 0
        ? null
        : button("Download CSV", { id: "download-csv" }, () => saveCsv(`${file}-results.csv`, toCsv(results, names))),
    ),
  );
}

function written(value: unknown): string {
  if (value === null || value === undefined || value === "") return absent;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : decimals(value, 2);
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value);
  return entries.length === 0 ? "none" : entries.map(([key, v]) => `${key} ${written(v)}`).join(", ");
}

const titles: Record<string, string> = { os: "OS", cpu: "CPU", gc: "GC", sdk: "SDK", git: "Commit", dirty: "Changed since", tieredPgo: "Tiered PGO" };

function stopped({ stopping }: Results): [string, string][] {
  const dropped = stopping?.dropped.map(([row, pairs]) => `${row} ${count(pairs)}`).join(", ") ?? "";
  const said: [string, string][] = [
    ["launches until", stopping?.rule ?? ""],
    ["ended because", stopping?.reason ?? ""],
    ["pairs dropped for stolen time", dropped],
  ];
  return said.filter(([, value]) => value !== "");
}

export function environment(results: Results): HTMLElement {
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  const entry = (name: string, value: string): HTMLElement =>
    el("div", {}, el("dt", {}, titles[name] ?? capital(words(name))), el("dd", {}, value));
  return section(
    "environment", "Environment",
    "Where it was measured",
    el(
      "dl",
      { class: "environment" },
      ...results.environment.map(([name, value]) => entry(name, written(value))),
      // A run without rows has no launches, pairs or slices.
      ...results.settings.filter(([, value]) => results.rows.length > 0 || value !== "0").map(([name, value]) => entry(name, value)),
      ...stopped(results).map(([name, value]) => entry(name, value)),
      entry("seed", count(results.seed)),
      entry("started", moment(results.startedUtc)),
      entry("ended", moment(results.endedUtc)),
      entry("schema", results.schema),
    ),
  );
}
