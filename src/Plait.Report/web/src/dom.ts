// Building elements. Every string becomes a text node or an attribute value, never markup: names and reasons in
// the data come from outside.

export type Child = Node | string | null;
export type Attributes = Record<string, string | number | boolean | null>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** An element with attributes (null and false are left out, true is empty) and children (null is left out). */
export const el = <K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] =>
  fill(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const svg = <K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** A push button that calls `press`. */
export function button(label: string, attributes: Attributes, press: () => void): HTMLButtonElement {
  const element = el("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", press);
  return element;
}

/** A titled section that the navigation can point at by a short name. */
export const section = (id: string, short: string, title: string, ...children: Child[]): HTMLElement =>
  el("section", { id, "data-short": short, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);

/** The sentence in place of a figure when there is nothing to draw. */
export const emptyFigure = (sentence: string): HTMLElement => el("p", { class: "empty" }, sentence);

let pen: CanvasRenderingContext2D | null = null;

/** The width of a text as a plot will show it. */
export function widthOf(text: string, bold = false, size = 13): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (pen === null) return text.length * size * 0.58;
  pen.font = `${bold ? 600 : 400} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
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

/** A box that scrolls sideways by itself, by keyboard too, so that the page never does. It says when there is more. */
export function scrollBox(label: string, content: Node): HTMLElement {
  const box = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, content);
  const word = el("p", { class: "more-columns", hidden: true }, "This table is wider than its box: scroll sideways for more columns →");
  const look = (): void => {
    const over = box.scrollWidth - box.clientWidth;
    word.hidden = over <= 1;
    box.classList.toggle("more-right", over - box.scrollLeft > 1);
    box.classList.toggle("more-left", box.scrollLeft > 1);
  };
  new ResizeObserver(look).observe(box);
  box.addEventListener("scroll", look, { passive: true });
  return el("div", {}, word, el("div", { class: "wide" }, box));
}

/** A small table without sorting: the alternative to a plot. */
export function plainTable(caption: string, head: string[], body: string[][]): HTMLElement {
  const cell = (value: string, column: number): HTMLElement =>
    column === 0 ? el("th", { scope: "row" }, value) : el("td", {}, value);
  const table = el(
    "table",
    { class: "plain" },
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { scope: "col" }, h)))),
    el("tbody", {}, ...body.map((row) => el("tr", {}, ...row.map(cell)))),
  );
  return scrollBox(caption, table);
}

/** The mark at a figure that is not judged: a sentence with the reason. */
export const notJudged = (sentence: string): HTMLElement => el("p", { class: "not-judged", role: "note" }, el("strong", {}, "✕ "), sentence);
