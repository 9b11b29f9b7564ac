// The parts of d3-flame-graph and d3-selection that the flame graph uses; neither brings types of its own.
declare module "d3-flame-graph" {
  /** A frame as the library lays it out. */
  export interface Laid<Data> {
    readonly data: Data;
    readonly id: number;
    readonly depth: number;
    readonly parent: Laid<Data> | null;
    readonly children?: Laid<Data>[];
    /** Whether the search found it. */
    readonly highlight?: boolean;
  }

  interface Tooltip<Data> {
    (selection: unknown): void;
    show(event: MouseEvent, frame: Laid<Data>): void;
    hide(): void;
  }

  export interface FlameGraph<Data> {
    (selection: unknown): void;
    width(pixels: number): this;
    height(pixels: number): this;
    cellHeight(pixels: number): this;
    minFrameSize(pixels: number): this;
    transitionDuration(milliseconds: number): this;
    tooltip(tooltip: Tooltip<Data>): this;
    onClick(zoomed: (frame: Laid<Data>) => void): this;
    setColorMapper(colour: (frame: Laid<Data>) => string): this;
    setSearchMatch(matches: (frame: Laid<Data>, term: string) => boolean): this;
    setSearchHandler(found: (frames: Laid<Data>[], sum: number, total: number) => void): this;
    search(term: string): void;
    clear(): void;
    zoomTo(frame: Laid<Data>): void;
    findById(id: number): Laid<Data> | null;
  }

  export default function flamegraph<Data>(): FlameGraph<Data>;
}

declare module "d3-selection" {
  interface Selection {
    datum(data: unknown): Selection;
    call(draw: (selection: unknown) => void): Selection;
  }

  export function select(element: Element): Selection;
}
