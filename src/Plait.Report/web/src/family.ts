// The families of candidates: their names, order and colours (as style variables, so that the theme decides).
import { el } from "./dom.ts";

export type Family = "base" | "plait" | "fsharp" | "csharp" | "published" | "rival" | "control" | "other";

const names: Record<Family, string> = {
  base: "Base",
  plait: "Plait",
  fsharp: "F#",
  csharp: "C#",
  published: "As published",
  rival: "Other packages",
  control: "A/A control",
  other: "Other",
};

const order: Family[] = ["plait", "fsharp", "csharp", "rival", "published", "base", "control", "other"];

/** The family of that name; what is no family's name is "other". */
export const readFamily = (value: unknown): Family =>
  typeof value === "string" && Object.hasOwn(names, value) ? (value as Family) : "other";

export const familyName = (family: Family): string => names[family];

export const familyColour = (family: Family): string => `var(--family-${family})`;

/** The families that occur in the rows or items, as a list of coloured names. */
export function familyLegend(rows: { family: Family }[]): HTMLElement {
  const present = order.filter((family) => rows.some((row) => row.family === family));
  return el(
    "ul",
    { class: "legend", "aria-label": "Colours" },
    ...present.map((family) =>
      el("li", {}, el("span", { class: "swatch", style: `background:${familyColour(family)}` }), names[family]),
    ),
  );
}
