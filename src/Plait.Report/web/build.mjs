// Builds dist/page.html: one file with script and style inside, which asks the network for nothing.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const marker = "<!--PLAIT-RESULTS-->";
const largest = 500_000;

const options = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  write: false,
  charset: "utf8",
  legalComments: "none",
  target: "es2022",
};

/** The licence texts of the packages inside the script, each text once: their licences ask to be passed on. */
async function licences(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) packages.add(found[1]);
  }
  const byText = new Map();
  for (const name of [...packages].sort()) {
    const folder = join(here, "node_modules", name);
    const file = (await readdir(folder)).find((f) => /^licen[cs]e/i.test(f));
    if (!file) throw new Error(`${name} has no licence file.`);
    const text = (await readFile(join(folder, file), "utf8")).trim().replaceAll("--", "- -");
    byText.set(text, [...(byText.get(text) ?? []), name]);
  }
  return [...byText].map(([text, names]) => `${names.join(", ")}:\n\n${text}`).join("\n\n\n");
}

// The look of everything is in page.css, that of the packages too.
const script = await build({ ...options, entryPoints: ["src/main.ts"], format: "iife", metafile: true, loader: { ".css": "empty" } });
const style = await build({ ...options, entryPoints: ["src/page.css"] });
const scriptText = script.outputFiles[0].text;
const hash = createHash("sha256").update(scriptText).digest("base64");

const parts = {
  "%SCRIPT-HASH%": `'sha256-${hash}'`,
  "%LICENCES%": await licences(Object.keys(script.metafile.inputs)),
  "%STYLE%": style.outputFiles[0].text.trim(),
  "%SCRIPT%": scriptText,
};

const template = await readFile(join(here, "src/page.html"), "utf8");
const page = template.replace(/%[A-Z-]+%/g, (name) => parts[name] ?? name);

const markers = page.split(marker).length - 1;
if (markers !== 1) throw new Error(`The page holds the marker ${markers} times; it must hold it once.`);
const size = Buffer.byteLength(page);
if (size >= largest) throw new Error(`The page has ${size} bytes; it must stay under ${largest}.`);

await mkdir(join(here, "dist"), { recursive: true });
await writeFile(join(here, "dist/page.html"), page);
console.log(`dist/page.html, ${(size / 1000).toFixed(1)} kB`);
