// Reading values of unknown kind: whatever is absent or wrong becomes null or empty, and nothing throws.

export type Fields = Record<string, unknown>;

export const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const text = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value : null;

/** One line on an axis: control and direction characters would break it, or turn what stands beside it. */
export const oneLine = (value: string): string => value.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, " ").trim();

export const figure = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

export const present = <T>(value: T | null): value is T => value !== null;
