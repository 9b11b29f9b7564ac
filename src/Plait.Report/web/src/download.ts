// Handing a text to the reader as a file, and lines of values as CSV.
import { el } from "./dom.ts";

/** Saves a text under that name. */
export function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  el("a", { href: url, download: name }).click();
  // The browser has taken the address by then; keeping it would keep the data in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export type Value = number | string | null;

function cell(value: Value): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  // A spreadsheet would run text that begins like a formula; the quote keeps it text.
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Saves lines of values: numbers unrounded, absent ones empty. */
export const downloadCsv = (name: string, lines: Value[][]): void =>
  download(name, "text/csv;charset=utf-8", `${lines.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`);

/** A name as part of a file's name. */
export const fileName = (name: string): string => name.replace(/[^A-Za-z0-9._-]+/g, "-");
