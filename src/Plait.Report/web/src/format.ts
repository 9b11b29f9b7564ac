// Numbers and dates as people read them. An absent figure is a dash, never a zero.

const thin = "\u202f";
export const absent = "–";

type Figure = number | null;

const digits = (value: number, places: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places });

/** Three figures or so: 1.23, 12.3, 123. */
const three = (value: number): string => {
  const size = Math.abs(value);
  return digits(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
};

export const ratio = (value: Figure): string => (value === null ? absent : three(value));

export const times = (value: Figure): string => (value === null ? absent : `${three(value)}${thin}×`);

export const interval = (low: Figure, high: Figure): string =>
  low === null || high === null ? absent : `${three(low)}–${three(high)}`;

export function bytes(value: Figure): string {
  if (value === null) return absent;
  const size = Math.abs(value);
  if (size < 999.5) return `${digits(value, 0)}${thin}B`;
  if (size < 999_950) return `${digits(value / 1e3, 1)}${thin}kB`;
  return `${digits(value / 1e6, 2)}${thin}MB`;
}

export function microseconds(value: Figure): string {
  if (value === null) return absent;
  const size = Math.abs(value);
  if (size < 0.9995) return `${three(value * 1e3)}${thin}ns`;
  if (size < 999.5) return `${three(value)}${thin}µs`;
  return `${three(value / 1e3)}${thin}ms`;
}

export const nanoseconds = (value: Figure): string => microseconds(value === null ? null : value / 1e3);

export const count = (value: Figure): string => (value === null ? absent : digits(value, 0));

export const percent = (value: Figure): string =>
  value === null ? absent : `${digits(value, Math.abs(value) < 9.95 ? 1 : 0)}${thin}%`;

/** A percentage as its source printed it: 91.5 stays 91.5, 55 stays 55. */
export const printedPercent = (value: Figure): string =>
  value === null ? absent : `${value.toLocaleString("en-US", { maximumFractionDigits: 1 })}${thin}%`;

export const share = (value: Figure): string =>
  value === null ? absent : `${digits(value * 100, 1)}${thin}%`;

export const margin = (value: number): string => `±${thin}${printedPercent(value * 100)}`;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A moment in UTC, the same in every locale; text that is no moment stays as it is. */
export function moment(utc: string | null): string {
  if (utc === null) return absent;
  const at = new Date(utc);
  if (Number.isNaN(at.getTime())) return utc;
  const two = (n: number): string => String(n).padStart(2, "0");
  const day = `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
  return `${day}, ${two(at.getUTCHours())}:${two(at.getUTCMinutes())} UTC`;
}

export function duration(from: string | null, to: string | null): string {
  if (from === null || to === null) return absent;
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (!Number.isFinite(seconds) || seconds < 0) return absent;
  if (seconds < 60) return `${seconds}${thin}s`;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${hours}${thin}h ${minutes % 60}${thin}min`;
  return seconds % 60 === 0 ? `${minutes}${thin}min` : `${minutes}${thin}min ${seconds % 60}${thin}s`;
}

/** `sliceMilliseconds` as "slice milliseconds". */
export const words = (name: string): string =>
  name.replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);

/** A number of no known unit: whole ones as they are, others with three figures. */
export function number(value: Figure): string {
  if (value === null) return absent;
  const size = Math.abs(value);
  if (value === 0 || (Number.isInteger(value) && size < 1e15)) return digits(value, 0);
  if (size >= 1e15 || size < 1e-6) return value.toExponential(2);
  if (size >= 99.95) return digits(value, 0);
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

/** The same with its unit. */
export const quantity = (value: Figure, unit: string): string =>
  value === null || unit === "" ? number(value) : `${number(value)}${thin}${unit}`;

/** With so many decimals. */
export const fixed = (value: Figure, places: number): string => (value === null ? absent : digits(value, places));
