// The run itself: its key figures, the command and data to get them again, and the machine they came from.
import { button, el, section } from "./dom.ts";
import { download, fileName } from "./download.ts";
import { absent, count, duration, fixed, moment, words } from "./format.ts";
import type { Results } from "./results.ts";

/** The length of the run, and the number of its launches. */
function runFact({ startedUtc, endedUtc, settings, panels }: Results): { title: string; figure: string; words: string } {
  const several = (name: string, one: string): string | null => {
    const value = settings.find(([key]) => key === name)?.[1] ?? "0";
    return value === "0" ? null : `${value} ${value === "1" ? one : `${one}s`}`;
  };
  const launches = several("launches", "launch")?.replace(/launchs$/, "launches") ?? null;
  const counts = panels.flatMap((panel) => ("items" in panel ? panel.items.map((item) => item.launches.length) : []));
  // Rows whose interval was narrow sooner had fewer launches.
  const uneven = new Set(counts.filter((n) => n > 0)).size > 1;
  const pairs = several("pairs", "pair");
  const parts = [launches && `${uneven ? "up to " : ""}${launches}`, pairs && `${pairs} each`].filter(Boolean);
  return { title: "Run", figure: duration(startedUtc, endedUtc), words: parts.join(" × ") || moment(startedUtc) };
}

/** The section of key figures. */
export function keyFigures(results: Results): HTMLElement {
  const fact = ({ title, figure, words: said }: Results["facts"][number]): HTMLElement =>
    el("div", { class: "fact" }, el("dt", {}, title), el("dd", {}, el("strong", {}, figure), el("span", {}, said)));
  // The length of a look is no fact about the process.
  const shown = results.isRun ? [...results.facts, runFact(results)] : results.facts;
  return section("facts", "Key figures", "Key figures", el("dl", { class: "facts" }, ...shown.map(fact)));
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The section of the command, and of the whole results as a file. */
export function reproduce({ command, scenario, isRun }: Results, raw: string): HTMLElement {
  const said = el("p", { class: "said", role: "status" });
  const code = el("code", { id: "command" }, command ?? "");
  const copy = async (): Promise<void> => {
    const done = await copied(command ?? "");
    said.textContent = done ? "Copied." : "The browser refused; the command is selected, copy it by keyboard.";
    if (!done) getSelection()?.selectAllChildren(code);
  };
  return section(
    "reproduce",
    isRun ? "Reproduce" : "Command",
    isRun ? "Reproduce it" : "Look again",
    command === null
      ? el("p", { class: "empty" }, "The run did not record its command.")
      : el(
          "div",
          { class: "command" },
          el("pre", { tabindex: 0, "aria-label": "Command" }, code),
          button("Copy", { id: "copy" }, () => void copy()),
        ),
    said,
    el(
      "p",
      { class: "downloads" },
      button("Download JSON", { id: "download-json" }, () => download(`${fileName(scenario)}-results.json`, "application/json", raw)),
    ),
  );
}

function written(value: unknown): string {
  if (value === null || value === undefined || value === "") return absent;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : fixed(value, 2);
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value);
  return entries.length === 0 ? "none" : entries.map(([key, v]) => `${key} ${written(v)}`).join(", ");
}

const titles: Record<string, string> = { os: "OS", cpu: "CPU", gc: "GC", sdk: "SDK", git: "Commit", dirty: "Changed since", tieredPgo: "Tiered PGO" };

/** Whether the value is there: a look at another process has fewer values than a run has of its own. */
function isKnown(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return !([null, undefined, "", "not known", 0, false] as unknown[]).includes(value);
}

/** The section of the machine and the settings, and of why the run measured as long as it did. */
export function environment({ isRun, environment: machine, settings, rows, stopping, seed, startedUtc, endedUtc }: Results): HTMLElement {
  const stopped: [string, string][] = [
    ["launches until", stopping.rule ?? ""],
    ["ended because", stopping.reason ?? ""],
    ["pairs dropped for stolen time", stopping.dropped.map(([row, pairs]) => `${row} ${count(pairs)}`).join(", ")],
  ];
  const when: [string, string][] = isRun
    ? [["seed", count(seed)], ["started", moment(startedUtc)], ["ended", moment(endedUtc)]]
    : [["seen", moment(startedUtc)]];
  const entries: [string, string][] = [
    ...machine.filter(([, value]) => isRun || isKnown(value)).map(([name, value]): [string, string] => [name, written(value)]),
    // A run without rows has no launches, pairs or slices.
    ...settings.filter(([, value]) => rows.length > 0 || value !== "0"),
    ...stopped.filter(([, value]) => value !== ""),
    ...when,
  ];
  const entry = ([name, value]: [string, string]): HTMLElement => el("div", {}, el("dt", {}, titles[name] ?? words(name)), el("dd", {}, value));
  return section("environment", "Environment", isRun ? "Where it was measured" : "Where it was seen", el("dl", { class: "environment" }, ...entries.map(entry)));
}
