// Building elements. Every string becomes a text node or an attribute value, never markup: names and reasons in
// the data come from outside.

export type Child = Node | string | null;
export type Attributes = Record<string, string | number | boolean | null>;

/** An element with attributes (null and false are left out, true is empty) and children (null is left out). */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** A push button that calls `press`. */
export function button(label: string, attributes: Attributes, press: () => void): HTMLButtonElement {
  const element = el("button", { type: "button", ...attributes }, label);
  element.addEventListener("click", press);
  return element;
}

/** A titled section that the navigation can point at by a short name. */
export function section(id: string, short: string, title: string, ...children: Child[]): HTMLElement {
  return el(
    "section",
    { id, "data-short": short, "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title),
    ...children,
  );
}

/** A box that scrolls sideways by itself, by keyboard too, so that the page never does. */
export function scrollBox(label: string, content: Node): HTMLElement {
  return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, content);
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
