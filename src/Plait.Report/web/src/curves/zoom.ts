// Which part of the x axis is shown, and the pointer, wheel and keys that change it.
import type { Chart } from "./chart.ts";
import type { Span } from "./scale.ts";

/** A part of the whole, kept inside it and not smaller than a hundred thousandth of it. */
export class Zoom {
  shown: Span;
  private readonly others: Zoom[] = [];

  /** `changed` is told whether this plot was zoomed itself, or followed another. */
  constructor(
    readonly whole: Span,
    private readonly changed: (itself: boolean) => void,
  ) {
    this.shown = whole;
  }

  /** Lets plots over the same whole of one axis show the same part of it. */
  static link(zooms: Zoom[]): void {
    for (const zoom of zooms) zoom.others.push(...zooms.filter((other) => other !== zoom));
  }

  private tell(): void {
    this.changed(true);
    for (const other of this.others) other.follow(this);
  }

  private follow(other: Zoom): void {
    // Both have the same whole, which is the mark of not being zoomed.
    this.shown = other.zoomed ? other.shown : this.whole;
    this.changed(false);
  }

  get zoomed(): boolean {
    return this.shown !== this.whole;
  }

  show([from, to]: Span): void {
    const [low, high] = this.whole;
    const all = high - low;
    const width = Math.min(all, Math.max(to - from, all * 1e-5));
    const start = Math.min(Math.max((from + to) / 2 - width / 2, low), high - width);
    this.shown = width >= all * 0.9999 ? this.whole : [start, start + width];
    this.tell();
  }

  /** Shows `times` as little around a place, which stays where it is. */
  in(times: number, around = (this.shown[0] + this.shown[1]) / 2): void {
    const [low, high] = this.shown;
    this.show([around - (around - low) / times, around + (high - around) / times]);
  }

  /** Moves by a share of the visible range. */
  pan(share: number): void {
    const [low, high] = this.shown;
    const by = Math.min(Math.max((high - low) * share, this.whole[0] - low), this.whole[1] - high);
    this.show([low + by, high + by]);
  }

  reset(): void {
    this.shown = this.whole;
    this.tell();
  }
}

/** Lets a drag across the box choose the visible range, a wheel zoom, and a double click show all. */
export function listenToPointer(box: HTMLElement, brush: HTMLElement, zoom: Zoom, view: () => Chart | null): void {
  const pixel = (event: MouseEvent): number => {
    const chart = view();
    const at = event.clientX - box.getBoundingClientRect().left;
    return chart === null ? at : Math.min(Math.max(at, chart.frame.left), chart.frame.right);
  };
  let from: number | null = null;
  const end = (): void => {
    from = null;
    brush.hidden = true;
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    from = pixel(event);
    box.setPointerCapture(event.pointerId);
  });
  box.addEventListener("pointermove", (event) => {
    if (from === null) return;
    const to = pixel(event);
    brush.hidden = Math.abs(to - from) < 4;
    brush.style.left = `${Math.min(from, to)}px`;
    brush.style.width = `${Math.abs(to - from)}px`;
  });
  box.addEventListener("pointerup", (event) => {
    const chart = view();
    const [start, to] = [from, pixel(event)];
    end();
    if (start === null || chart === null || Math.abs(to - start) < 6) return;
    zoom.show([chart.back(Math.min(start, to)), chart.back(Math.max(start, to))]);
  });
  box.addEventListener("pointercancel", end);
  box.addEventListener("dblclick", () => zoom.reset());
  box.addEventListener(
    "wheel",
    (event) => {
      const chart = view();
      // Without the focus or the key the wheel scrolls the page, as it does everywhere else.
      const meant = event.ctrlKey || event.metaKey || box.contains(document.activeElement);
      if (chart === null || !meant) return;
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) zoom.pan(event.deltaX / 600);
      else zoom.in(2 ** (-event.deltaY / 240), chart.back(pixel(event)));
    },
    { passive: false },
  );
}

/** Lets + and - zoom, the arrows move, 0 show all, and arrows with Shift read from point to point. */
export function listenToKeys(box: HTMLElement, zoom: Zoom, read: (direction: -1 | 1) => void, hide: () => void): void {
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : null;
    if (event.key === "+" || event.key === "=") zoom.in(2);
    else if (event.key === "-" || event.key === "_") zoom.in(0.5);
    else if (event.key === "0") zoom.reset();
    else if (event.key === "Escape") hide();
    else if (direction !== null && event.shiftKey) read(direction);
    else if (direction !== null) zoom.pan(direction * 0.2);
    else return;
    event.preventDefault();
  });
}
