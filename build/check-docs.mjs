// Checks the docs: every relative link leads to a file, every page is named in docs/README.md, every decision stands under its
// title in docs/decisions/README.md, and every error text of the library is quoted by a page of docs/errors: where it names one,
// by that one, and says that it is in the package. A part of a file that a page quotes is in that file. A table is in one piece, a
// file that AGENTS.md or CONTRIBUTING.md names is there, and no page has a phrase that hides who acts. With --compile every F# and
// C# snippet of README and docs is compiled and run: see snippets.mjs.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { stale } from "./documents.mjs";
import { check, snippetsOf, wrongQuotes } from "./snippets.mjs";

const root = resolve(dirname(new URL(import.meta.url).pathname), "..");
const complaints = [];

const filesUnder = (folder, ending) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesUnder(path, ending);
    return name.endsWith(ending) ? [path] : [];
  });

const pages = readdirSync(root).filter((name) => name.endsWith(".md")).map((name) => join(root, name));
pages.push(join(root, "src/Plait.ThreadPool/README.md"));
for (const folder of ["docs", "candidates", "bench"]) pages.push(...filesUnder(join(root, folder), ".md"));
const texts = new Map(pages.map((page) => [page, readFileSync(page, "utf8")]));
const shown = (path) => relative(root, path);

for (const { file, name } of stale())
  complaints.push(`${file}: the table '${name}' differs from bench/results; run \`node build/documents.mjs\``);

// Links
const linked = new Set();
for (const [page, text] of texts)
  for (const [, target] of text.replace(/```[\s\S]*?```/g, "").matchAll(/\]\(([^)\s]+)\)/g)) {
    const file = target.split("#")[0];
    if (file === "" || /^[a-z]+:/.test(file)) continue;
    const path = resolve(dirname(page), file);
    if (!existsSync(path)) complaints.push(`${shown(page)}: the link to ${target} leads nowhere`);
    if (shown(page) === "docs/README.md") linked.add(path);
  }

for (const page of pages)
  if (shown(page).startsWith("docs/") && !/^docs\/(README\.md|decisions\/\d)/.test(shown(page)) && !linked.has(page))
    complaints.push(`docs/README.md: no link to ${shown(page)}`);

// The index of the decisions
const decisions = "docs/decisions/README.md";
const listed = texts.get(join(root, decisions)).match(/^- .*$/gm);
const titled = [...texts]
  .filter(([page]) => /^docs\/decisions\/\d/.test(shown(page)))
  .map(([page, text]) => `- [${text.match(/^# (.*)/m)[1]}](${basename(page)})`);
for (const line of titled)
  if (listed.filter((other) => other === line).length !== 1) complaints.push(`${decisions}: this line is not there once: ${line}`);
for (const line of listed)
  if (!titled.includes(line)) complaints.push(`${decisions}: not the title of a decision and its file: ${line}`);

// Error texts: string literals that are sentences, with … for each inserted value
const sentences = (source) =>
  [...source.replace(/^\s*\/\/.*$/gm, "").matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)]
    .map(([, text]) => text.replace(/\\\n\s*/g, "").replace(/\{[^}]*\}/g, "…"))
    .filter((text) => text.length > 60 && / .*\.$/.test(text));
const flat = (text) => text.replace(/^> ?/gm, "").replace(/\s+/g, " ");
const errors = pages.filter((page) => shown(page).startsWith("docs/errors/"));

for (const file of ["src/Plait", "src/Plait.ThreadPool"].flatMap((folder) => filesUnder(join(root, folder), ".fs"))) {
  if (/PlaitMeter/.test(file)) continue; // descriptions of instruments
  for (const text of sentences(readFileSync(file, "utf8"))) {
    const named = text.match(/docs\/errors\/[a-z-]+\.md/)?.[0];
    if (named && !text.endsWith(`${named} in the Plait package.`))
      complaints.push(`${shown(file)}: this does not say where ${named} is: ${text}`);
    const among = named ? errors.filter((page) => shown(page) === named) : errors;
    if (!among.some((page) => flat(texts.get(page)).includes(flat(text))))
      complaints.push(`${shown(file)}: ${named ? `${named} does not quote` : "no page of docs/errors quotes"}: ${text}`);
  }
}

// Parts of files
for (const [page, text] of texts) complaints.push(...wrongQuotes(root, shown(page), text));

// Tables, and phrases that hide who acts
const hiding = /\b(?:is|are|was) said\b|\bthat which\b|\bwhoever\b/;
const isTable = (line) => line.trimStart().startsWith("|");
for (const [page, text] of texts) {
  const lines = text.replace(/```[\s\S]*?```/g, (fence) => fence.replace(/[^\n]/g, "")).split("\n");
  for (const [at, line] of lines.entries()) {
    if (isTable(line) && !isTable(lines[at - 1] ?? "") && !/^\s*\|[\s:|-]+$/.test(lines[at + 1] ?? ""))
      complaints.push(`${shown(page)}, line ${at + 1}: this row is apart from its table`);
    if (shown(page) !== "CHANGELOG.md" && hiding.test(line))
      complaints.push(`${shown(page)}, line ${at + 1}: name who acts, instead of "${line.match(hiding)[0]}"`);
  }
}

// Files that the guides name
const places = ["", "src/Plait", "src/Plait.Check", "src/Plait.Doctor", "src/Plait.Load", "src/Plait.Lab", "src/Plait.Tool/Lab"];
for (const page of ["AGENTS.md", "CONTRIBUTING.md"])
  for (const [, path] of texts.get(join(root, page)).matchAll(/`([\w.]+(?:\/[\w.-]+)+)`/g))
    if (!/^artifacts|\b(?:NAME|CODE|PROJECT|X)\b|^docs\/decisions\/\d{4}$/.test(path) && !places.some((place) => existsSync(join(root, place, path))))
      complaints.push(`${page}: there is no ${path}`);

// Snippets
const compiled = { fsharp: 0, csharp: 0 };
if (process.argv.includes("--compile")) {
  const only = process.argv.slice(process.argv.indexOf("--compile") + 1);
  const snippets = [...texts]
    .filter(([page]) => only.length === 0 || only.includes(shown(page)))
    .flatMap(([page, text]) => snippetsOf(shown(page), text));
  for (const language of ["fsharp", "csharp"]) {
    const some = snippets.filter((snippet) => snippet.language === language);
    if (some.length > 0) complaints.push(...check(root, language, some));
    compiled[language] = some.flatMap((snippet) => snippet.parts).length;
  }
}

for (const complaint of complaints) console.error(complaint);
const run = process.argv.includes("--compile") ? `, ${compiled.fsharp} F# and ${compiled.csharp} C# snippets compiled and run` : "";
console.log(`${pages.length} pages${run}, ${complaints.length} wrong`);
process.exit(complaints.length === 0 ? 0 : 1);
