// Reading values off the curves: with the pointer, with a finger, and from point to point by keyboard.
import type { Chart, Look } from "../plots/chart.ts";
import { readAt, sentence, type Reading } from "./reading.ts";
import type { Tip } from "./tip.ts";

/** What is on the screen. */
export interface View {
  chart: Chart;
  look: Look;
}

/** Shows what the pointer is at, unless something is being dragged. Returns a step of the keyboard to the left or right. */
export function listenToReading(
  box: HTMLElement,
  tip: Tip,
  dragged: () => boolean,
  view: () => View | null,
  speak: (sentence: string) => void,
): (direction: -1 | 1) => void {
  const show = (seen: View, reading: Reading | null): void => {
    if (reading === null) tip.hide();
    else tip.show(seen.chart, seen.look.width, reading);
  };
  const point = (event: PointerEvent): void => {
    const seen = view();
    if (seen === null) return;
    const { left, top } = box.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const { frame } = seen.chart;
    const inside = x >= frame.left - 6 && x <= frame.right + 6;
    show(seen, inside && !dragged() ? readAt(seen.chart, seen.look, x, y) : null);
  };
  box.addEventListener("pointerdown", point);
  box.addEventListener("pointermove", point);
  box.addEventListener("pointerleave", (event) => {
    // A finger leaves as soon as it is lifted: what it touched is read until something else is.
    if (event.pointerType !== "touch") tip.hide();
  });
  box.addEventListener("blur", () => tip.hide());

  let cursor: number | null = null;
  return (direction) => {
    const seen = view();
    if (seen === null) return;
    const { left, right } = seen.chart.frame;
    const step = direction * Math.max(4, (right - left) / 60);
    cursor = cursor === null ? (left + right) / 2 : Math.min(Math.max(cursor + step, left), right);
    const reading = readAt(seen.chart, seen.look, cursor, null);
    if (reading === null) return;
    show(seen, reading);
    speak(sentence(reading));
  };
}
