// Numbers and dates as people read them. An absent figure is a dash, never a zero.

const thin = "\u202f";
export const absent = "–";

type Figure = number | null;

/** With so many decimals; minus nothing is nothing. */
export const fixed = (value: number, decimals: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals, signDisplay: "negative" });

export const count = (value: Figure): string => (value === null ? absent : fixed(value, 0));

/** A number of no known unit: with so many decimals; without `decimals`, whole ones as they are, others with three
/** figures. */
export function number(value: Figure, decimals: Figure = null): string {
  if (value === null) return absent;
  if (decimals !== null) return fixed(value, decimals);
  const size = Math.abs(value);
  if (value === 0 || (Number.isInteger(value) && size < 1e15)) return fixed(value, 0);
  if (size >= 1e15 || size < 1e-6) return value.toExponential(2);
  if (size >= 99.95) return fixed(value, 0);
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

/** The same with its unit; many bytes are kB and MB. */
export function quantity(value: Figure, unit: string, decimals: Figure = null): string {
  if (value === null || unit === "") return number(value, decimals);
  const size = Math.abs(value);
  if (unit !== "B" || size < 999.5) return `${number(value, decimals)}${thin}${unit}`;
  const [scaled, prefix] = size < 999_950 ? [value / 1e3, "k"] : [value / 1e6, "M"];
  return `${scaled.toLocaleString("en-US", { maximumFractionDigits: prefix === "k" ? 1 : 2 })}${thin}${prefix}B`;
}

/** From one number to the other; a dash beside a minus is not to be read. */
export const between = (write: (value: number) => string, low: number, high: number): string =>
  `${write(low)}${low < 0 ? " to " : "–"}${write(high)}`;

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
  const seconds = from === null || to === null ? NaN : Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (!Number.isFinite(seconds) || seconds < 0) return absent;
  if (seconds < 60) return `${seconds}${thin}s`;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return `${hours}${thin}h ${minutes % 60}${thin}min`;
  return seconds % 60 === 0 ? `${minutes}${thin}min` : `${minutes}${thin}min ${seconds % 60}${thin}s`;
}

/** A text as the beginning of a sentence. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `sliceMilliseconds` as "Slice milliseconds". */
export function words(name: string): string {
  return sentence(name.replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`));
}
