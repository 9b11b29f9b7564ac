// The frame of a plot: heading text, the plot itself redrawn to the width there is, and the same figures as a table.
import { el, type Child } from "./dom.ts";

export interface FigureParts {
  id?: string;
  /** Says in one sentence what a reader who cannot see the plot would miss. */
  label: string;
  draw: (width: number) => Element;
  /** Stands before the plot: legends. */
  above?: Child[];
  /** Stands after the plot: what it leaves out. */
  below?: Child[];
  /** The same figures as a table, behind a disclosure; or `data`, a disclosure that is there already. */
  table?: HTMLElement;
  data?: HTMLElement;
}

/** Calls back with the width of a box whenever that changes. */
export function watchWidth(box: HTMLElement, draw: (width: number) => void): void {
  let drawn = 0;
  const observer = new ResizeObserver(() => {
    const width = Math.floor(box.clientWidth);
    // Zero: the box is hidden. The same width: only the height changed, which the plot itself did.
    if (width === 0 || width === drawn) return;
    drawn = width;
    requestAnimationFrame(() => draw(width));
  });
  observer.observe(box);
}

/** A figure that draws itself again whenever its width changes. */
export function figure(parts: FigureParts): HTMLElement {
  const box = el("div", { class: "plot" });
  watchWidth(box, (width) => {
    const plot = parts.draw(width);
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", parts.label);
    box.replaceChildren(plot);
  });
  const data =
    parts.data ?? el("details", { class: "data" }, el("summary", {}, "These figures as a table"), parts.table ?? null);
  return el("figure", { id: parts.id ?? null }, ...(parts.above ?? []), box, ...(parts.below ?? []), data);
}

/** What stands in a figure's place when there is nothing to draw. */
export const emptyFigure = (sentence: string): HTMLElement => el("p", { class: "empty" }, sentence);
