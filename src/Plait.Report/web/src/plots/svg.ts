// Building SVG elements by hand, where Plot would make too many or know too little.

export type SvgAttributes = Record<string, string | number | null>;

const namespace = "http://www.w3.org/2000/svg";

/** An SVG element; attributes that are null are left out, and strings become text. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: SvgAttributes = {},
  ...children: (Node | string | null)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, String(value));
  for (const child of children) if (child !== null) element.append(child);
  return element;
}
