// The sections of the panels: title, note, and the view of its kind.
import { colourSeries, type Colours } from "../colours.ts";
import type { Span } from "../curves/scale.ts";
import { Zoom } from "../curves/zoom.ts";
import { el, emptyFigure, notJudged, section } from "../dom.ts";
import { sentence } from "../format.ts";
import type { CurvePanel, Panel } from "../results.ts";
import { curvesOf, spansOf } from "./curves.ts";
import { flameOf } from "./flame.ts";
import { itemsOf } from "./items.ts";
import { tableOf } from "./table.ts";

type Join = (axis: string, zoom: Zoom) => void;

function contentOf(panel: Panel, colours: Colours, span: (panel: CurvePanel) => Span, join: Join): HTMLElement {
  switch (panel.kind) {
    case "lines":
    case "percentiles":
      return curvesOf(panel, colours, span(panel), join);
    case "forest":
    case "bars":
      return itemsOf(panel, colours);
    case "table":
      return tableOf(panel);
    case "flame":
      return flameOf(panel);
    case "unknown":
      return emptyFigure(`This page cannot draw a panel of the kind "${panel.called}"; its figures are in the JSON.`);
  }
}

/** A section for each panel, in their order. Plots over the same axis, such as time, show the same part of it and zoom together. One of a measure
 *  that is not judged says so over its plot. */
export function panelSections(panels: Panel[]): HTMLElement[] {
  const colours = colourSeries(panels);
  const span = spansOf(panels.flatMap((panel) => (panel.kind === "lines" || panel.kind === "percentiles" ? [panel] : [])));
  const zooms = new Map<string, Zoom[]>();
  const join: Join = (axis, zoom) => zooms.set(axis, [...(zooms.get(axis) ?? []), zoom]);
  const sections = panels.map((panel) => {
    const note = panel.note === "" ? null : el("p", { class: "note" }, sentence(panel.note));
    const mark = panel.notJudged === null ? null : notJudged(panel.notJudged);
    return section(panel.id, panel.title, panel.title, note, mark, contentOf(panel, colours, span, join));
  });
  for (const linked of zooms.values()) Zoom.link(linked);
  return sections;
}
