// What a reader must know before the figures: warnings, HTTP errors, and every row that was not fully measured.
import { earlierSchema, knownSchema, type Results, type Row } from "../results.ts";
import { isBase, trouble } from "../rows.ts";
import { count } from "../format.ts";
import { el, section } from "../dom.ts";

function httpErrors(row: Row, name: string): string[] {
  const wrong = (row.http?.errors ?? []).filter(([, n]) => n > 0);
  if (wrong.length === 0) return [];
  const kinds = wrong.map(([kind, n]) => `${count(n)} ${kind}`).join(", ");
  const of = row.http?.requests ?? null;
  return [`${name}: not every HTTP request succeeded (${kinds}${of === null ? "" : `, of ${count(of)} requests`}).`];
}

/** The run's own warnings, then those that follow from its figures. */
export function warnings(results: Results, names: Map<Row, string>): string[] {
  const own = results.warnings;
  const derived = [
    ...(results.schema === knownSchema || results.schema === earlierSchema
      ? []
      : [`These results are written in the schema ${results.schema}; this page knows ${knownSchema} and may misread them.`]),
    ...(results.rows.length > 0 && !results.rows.some((row) => isBase(results, row))
      ? [`The base row, ${results.base}, is not among the rows.`]
      : []),
    ...results.rows.flatMap((row) => httpErrors(row, names.get(row) ?? row.id)),
  ];
  return [...own, ...derived.filter((sentence) => !own.includes(sentence))];
}

export function notices(results: Results, names: Map<Row, string>): HTMLElement | null {
  const said = warnings(results, names);
  const missing = results.rows.flatMap((row) => {
    const found = trouble(row);
    return found === null ? [] : [{ row, ...found }];
  });
  if (said.length === 0 && missing.length === 0) return null;
  const warningBox =
    said.length === 0
      ? null
      : el(
          "div",
          { class: "notice warning", id: "warnings", role: "note" },
          el("h3", {}, said.length === 1 ? "One warning" : `${said.length} warnings`),
          el("ul", {}, ...said.map((sentence) => el("li", {}, sentence))),
        );
  const missingBox =
    missing.length === 0
      ? null
      : el(
          "div",
          { class: "notice", id: "not-measured" },
          el("h3", {}, missing.length === 1 ? "One row has no full result" : `${missing.length} rows have no full result`),
          el(
            "dl",
            {},
            ...missing.map(({ row, word, reason }) =>
              el(
                "div",
                {},
                el("dt", {}, names.get(row) ?? row.id, " ", el("span", { class: "status" }, word)),
                el("dd", {}, reason),
              ),
            ),
          ),
        );
  return section("notices", "Notices", "Before you read the figures", warningBox, missingBox);
}
