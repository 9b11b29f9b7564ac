// The sections of the panels: title, note, and what belongs to the kind.
import { el, section } from "../dom.ts";
import { emptyFigure } from "../figure.ts";
import type { Panel } from "../panels.ts";
import { colourSeries, type Colours } from "../panels/colours.ts";
import { curvesOf } from "../panels/curves.ts";
import { itemsOf } from "../panels/items.ts";
import { tableOf } from "../panels/table.ts";
import { Zoom } from "../panels/zoom.ts";

type Join = (axis: string, zoom: Zoom) => void;

function contentOf(panel: Panel, colours: Colours, join: Join): HTMLElement {
  switch (panel.kind) {
    case "lines":
    case "percentiles":
      return curvesOf(panel, colours, join);
    case "forest":
    case "bars":
      return itemsOf(panel, colours);
    case "table":
      return tableOf(panel);
    case "unknown":
      return emptyFigure(`This page cannot draw a panel of the kind "${panel.called}"; its figures are in the JSON.`);
  }
}

/** A section for each panel, in their order. Plots over the same axis, such as time, zoom together. */
export function panelSections(panels: Panel[]): HTMLElement[] {
  const colours = colourSeries(panels);
  const zooms = new Map<string, Zoom[]>();
  const join: Join = (axis, zoom) => zooms.set(axis, [...(zooms.get(axis) ?? []), zoom]);
  const sections = panels.map((panel) => {
    const note = panel.note === "" ? null : el("p", {}, panel.note);
    return section(panel.id, panel.title, panel.title, note, contentOf(panel, colours, join));
  });
  for (const linked of zooms.values()) Zoom.link(linked);
  return sections;
}
