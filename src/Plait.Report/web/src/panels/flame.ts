// A flame graph: d3-flame-graph lays out the bars, zooms and searches; here are its colours, the keyboard, the words
// of a frame, and the redrawing when the width changes.
import flamegraph, { type FlameGraph, type Laid } from "d3-flame-graph";
import { select } from "d3-selection";
import { button, el, emptyFigure, watchWidth } from "../dom.ts";
import { count, number } from "../format.ts";
import type { FlamePanel, Frame } from "../results.ts";
import { dataOf } from "./data.ts";

/** The input of the library: it writes marks of its own into the objects. */
interface Bar {
  name: string;
  value: number;
  frame: Frame;
  children: Bar[];
}

const barOf = (frame: Frame): Bar => ({ name: frame.name, value: frame.value, frame, children: frame.children.map(barOf) });

const depthOf = (frame: Frame): number => 1 + frame.children.reduce((most, child) => Math.max(most, depthOf(child)), 0);

function each(frames: Frame[], visit: (frame: Frame) => void): void {
  for (const frame of frames) {
    visit(frame);
    each(frame.children, visit);
  }
}

const warm = [1, 2, 3, 4, 5].map((n) => `var(--flame-${n})`);

/** The colour of each word, in the order of the legend; frames without one are grey. */
function coloursOf(frames: Frame[]): Map<string, string> {
  const words = new Map<string, { tone: Frame["tone"]; value: number }>();
  each(frames, ({ word, tone, value }) => {
    if (word !== null && tone !== "") words.set(word, { tone, value: value + (words.get(word)?.value ?? 0) });
  });
  let troubles = 0;
  const sorted = [...words].sort(([, a], [, b]) => b.value - a.value);
  return new Map(sorted.map(([word, { tone }]) => [word, tone === "work" ? "var(--flame-work)" : (warm[troubles++ % warm.length] ?? "")]));
}

function legend(colours: Map<string, string>, hasGrey: boolean): HTMLElement | null {
  const shown: [string, string][] = hasGrey ? [...colours, ["only calls others", "var(--flame-none)"]] : [...colours];
  if (shown.length < 2) return null;
  const entry = ([word, colour]: [string, string]): HTMLElement => el("li", {}, el("span", { class: "swatch square", style: `background:${colour}` }), word);
  return el("ul", { class: "legend colours", "aria-label": "Colours" }, ...shown.map(entry));
}

/** How many of all, as "940 of 994 samples (94.6 %)". */
const shareOf = (value: number, total: number, what: string): string =>
  `${number(value)} of ${number(total)} ${what} (${number((100 * value) / total)}\u202f%)`;

/** The graph in words, for readers who do not see it: its widest coloured frames. */
function describe({ title, frames, total, x }: FlamePanel): string {
  const found: Frame[] = [];
  each(frames, (frame) => {
    if (frame.tone !== "") found.push(frame);
  });
  const said = found
    .sort((a, b) => b.value - a.value)
    .slice(0, 8)
    .map(({ name, word, value }) => `${name}${word === null ? "" : `, ${word}`}, ${shareOf(value, total, x.label)}`);
  return `${title}: ${said.length === 0 ? shareOf(total, total, x.label) : said.join("; ")}. All frames are in the table below.`;
}

const help =
  "Press a frame to zoom into it. With the focus on the graph: ↑ goes to the function that it calls, ↓ back, ← and → beside it, Enter zooms into it, 0 shows all.";

/** Draws a panel that is a flame graph. */
export function flameOf(panel: FlamePanel): HTMLElement {
  const { frames, total, x, title } = panel;
  if (total <= 0) return emptyFigure("There are no frames to draw.");
  const root: Frame = { name: "all", value: total, note: null, tone: "", word: null, children: frames };
  const colours = coloursOf(frames);
  const helpId = `${panel.id}-help`;
  const stage = el("div", { class: "stage" });
  const tip = el("div", { class: "tip", "aria-hidden": "true", hidden: true });
  const spoken = el("p", { class: "frame-said", role: "status" });
  const box = el(
    "div",
    { class: "plot flame", tabindex: 0, role: "application", "aria-roledescription": "flame graph", "aria-label": title, "aria-describedby": helpId },
    stage,
    tip,
  );
  let chart: FlameGraph<Bar> | null = null;
  let zoomed = 0;
  let current = 0;
  let term = "";
  const at = (id: number): Laid<Bar> | null => chart?.findById(id) ?? null;

  const wordsOf = ({ data: { frame } }: Laid<Bar>): string =>
    `${[frame.name, frame.note].filter((part) => part !== null).join(", ")}: ${shareOf(frame.value, total, x.label)}`;
  const say = (sentence: string): void => {
    spoken.textContent = sentence;
  };
  const tooltip = Object.assign((): void => undefined, {
    show: (event: MouseEvent, frame: Laid<Bar>): void => {
      const { name, note, value } = frame.data.frame;
      tip.replaceChildren(el("strong", {}, name), note === null ? "" : el("p", {}, note), el("p", {}, shareOf(value, total, x.label)));
      tip.hidden = false;
      const { left, top } = box.getBoundingClientRect();
      const room = Math.max(0, box.clientWidth - tip.offsetWidth);
      tip.style.left = `${Math.min(Math.max(event.clientX - left + 12, 0), room)}px`;
      tip.style.top = `${event.clientY - top + 18}px`;
    },
    hide: (): void => {
      tip.hidden = true;
    },
  });

  /** Marks the frame that the keyboard is on. */
  const mark = (): void => {
    const frame = at(current);
    for (const old of stage.querySelectorAll(".frame.current")) old.classList.remove("current");
    const drawn = [...stage.querySelectorAll(".frame")].find((one) => (one as Element & { __data__?: unknown }).__data__ === frame);
    drawn?.classList.add("current");
  };
  const shown = (frame: Laid<Bar>): void => {
    zoomed = current = frame.id;
    out.disabled = reset.disabled = zoomed === 0;
    mark();
    say(zoomed === 0 ? "" : `Shown: ${wordsOf(frame)}.`);
  };
  const zoomTo = (id: number): void => {
    const frame = at(id);
    if (frame !== null) chart?.zoomTo(frame);
  };
  const named = (label: string, name: string, press: () => void): HTMLButtonElement =>
    button(label, { "aria-label": `${name}: ${title}`, title: name, disabled: true }, press);
  const out = named("−", "Zoom out", () => zoomTo(at(zoomed)?.parent?.id ?? 0));
  const reset = named("Reset", "Show all", () => zoomTo(0));

  const find = (): void => {
    if (term === "") {
      chart?.clear();
      say("");
    } else chart?.search(term);
    mark();
  };
  const search = el("input", { type: "search", placeholder: "Find a function", "aria-label": `Find a function: ${title}`, autocomplete: "off", spellcheck: "false" });
  search.addEventListener("input", () => {
    term = search.value.trim().toLowerCase();
    find();
  });

  const draw = (width: number): void => {
    const cell = width < 500 ? 26 : 22;
    chart = flamegraph<Bar>()
      .width(width)
      .height(depthOf(root) * cell + 1)
      .cellHeight(cell)
      .minFrameSize(0.4)
      .transitionDuration(0)
      .tooltip(tooltip)
      .onClick(shown)
      .setColorMapper(({ highlight, data: { frame } }) =>
        highlight === true ? "var(--flame-found)" : frame.tone === "" ? "var(--flame-none)" : (colours.get(frame.word ?? "") ?? warm[0] ?? ""),
      )
      .setSearchMatch(({ data: { frame } }, wanted) => `${frame.name}\n${frame.note ?? ""}\n${frame.word ?? ""}`.toLowerCase().includes(wanted))
      .setSearchHandler((found, sum) =>
        say(found.length === 0 ? "No frame has that." : `${count(found.length)} ${found.length === 1 ? "frame" : "frames"}: ${shareOf(sum, total, x.label)}.`),
      );
    stage.replaceChildren();
    select(stage).datum(barOf(root)).call(chart);
    const drawn = stage.querySelector("svg");
    drawn?.setAttribute("role", "img");
    drawn?.setAttribute("aria-label", describe(panel));
    if (zoomed !== 0) zoomTo(zoomed);
    if (term !== "") find();
  };

  /** The visible frame that a key leads to. */
  const towards = (key: string, frame: Laid<Bar>): Laid<Bar> | null => {
    const widest = (all: Laid<Bar>[]): Laid<Bar> | null => all.reduce<Laid<Bar> | null>((a, b) => (a === null || b.data.value > a.data.value ? b : a), null);
    if (key === "ArrowUp") return widest(frame.children ?? []);
    if (key === "ArrowDown") return frame.parent;
    const beside = frame.parent?.children ?? [];
    return beside[beside.indexOf(frame) + (key === "ArrowLeft" ? -1 : 1)] ?? null;
  };
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const frame = at(current);
    if (event.key === "0") zoomTo(0);
    else if (event.key === "Escape") tooltip.hide();
    else if (event.key === "Enter" && frame !== null) zoomTo(frame.id);
    else if (event.key.startsWith("Arrow") && frame !== null) {
      const next = towards(event.key, frame);
      if (next !== null) {
        // Hidden frames are shown again before the keyboard goes there.
        const inside = isBelow(next, zoomed);
        current = next.id;
        if (!inside) zoomTo(next.id);
        mark();
        say(`${wordsOf(next)}.`);
      }
    } else return;
    event.preventDefault();
  });
  watchWidth(box, draw);
  const tools = el("div", { class: "tools" }, search, el("div", { class: "choice", role: "group", "aria-label": "Zoom" }, out, reset));
  let hasGrey = false;
  each(frames, ({ tone }) => {
    hasGrey ||= tone === "";
  });
  return el(
    "figure",
    {},
    el("div", { class: "controls" }, legend(colours, hasGrey), tools),
    box,
    spoken,
    el("p", { class: "help", id: helpId }, help),
    dataOf(panel),
  );
}

/** Whether a frame is that one, or is called by it. */
function isBelow(frame: Laid<Bar>, id: number): boolean {
  for (let one: Laid<Bar> | null = frame; one !== null; one = one.parent) if (one.id === id) return true;
  return false;
}
