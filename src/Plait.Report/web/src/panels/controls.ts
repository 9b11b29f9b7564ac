// The buttons over a plot of curves: its scale, and how much of it is shown.
import { button, el } from "../dom.ts";
import type { Zoom } from "./zoom.ts";

export type Scale = "linear" | "log";

export interface Controls {
  element: HTMLElement;
  /** Says which scale is chosen, and which part is shown; "": all. */
  update: (scale: Scale, part: string) => void;
}

const scalesOf: { scale: Scale; shown: string; name: string }[] = [
  { scale: "linear", shown: "Linear", name: "Linear scale" },
  { scale: "log", shown: "Log", name: "Logarithmic scale" },
];

/** Makes them. `scales`: false where a logarithmic axis would have nothing to show. */
export function controlsOf(title: string, axis: string, scales: boolean, zoom: Zoom, choose: (scale: Scale) => void): Controls {
  const named = (shown: string, name: string, press: () => void): HTMLButtonElement =>
    button(shown, { "aria-label": `${name}: ${title}`, title: name }, press);
  const part = el("span", { class: "range" });
  const choices = scalesOf.map(({ scale, shown, name }) => ({ scale, control: named(shown, name, () => choose(scale)) }));
  const out = named("−", "Zoom out", () => zoom.in(0.5));
  const reset = named("Reset", "Show all", () => zoom.reset());
  const group = (label: string, ...buttons: HTMLElement[]): HTMLElement =>
    el("div", { class: "choice", role: "group", "aria-label": label }, ...buttons);
  return {
    element: el(
      "div",
      { class: "tools" },
      part,
      scales ? group(`Scale of ${axis || "y"}`, ...choices.map(({ control }) => control)) : null,
      group("Zoom", named("+", "Zoom in", () => zoom.in(2)), out, reset),
    ),
    update: (scale, shown) => {
      for (const choice of choices) choice.control.setAttribute("aria-pressed", String(choice.scale === scale));
      part.textContent = shown;
      out.disabled = reset.disabled = !zoom.zoomed;
    },
  };
}
