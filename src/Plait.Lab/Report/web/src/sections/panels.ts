// The sections of the panels: title, note, and what belongs to the kind.
import { el, section } from "../dom.ts";
import { emptyFigure } from "../figure.ts";
import type { Panel } from "../panels.ts";
import { colourSeries, type Colours } from "../panels/colours.ts";
import { curvesOf } from "../panels/curves.ts";
import { itemsOf } from "../panels/items.ts";
import { tableOf } from "../panels/table.ts";

function contentOf(panel: Panel, colours: Colours): HTMLElement {
  switch (panel.kind) {
    case "lines":
    case "percentiles":
      return curvesOf(panel, colours);
    case "forest":
    case "bars":
      return itemsOf(panel);
    case "table":
      return tableOf(panel);
    case "unknown":
      return emptyFigure(`This page cannot draw a panel of the kind "${panel.called}"; its figures are in the JSON.`);
  }
}

/** A section for each panel, in their order. */
export function panelSections(panels: Panel[]): HTMLElement[] {
  const colours = colourSeries(panels);
  return panels.map((panel) =>
    section(panel.id, panel.title, panel.title, panel.note === "" ? null : el("p", {}, panel.note), contentOf(panel, colours)),
  );
}
