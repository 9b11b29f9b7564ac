// Makes the pages of docs/ and of the library's API as HTML in artifacts/docs, with fsdocs, of the Release build that is
// there. The home page is the README, the index of the search is the one of fsdocs without entries that nobody looks for. Afterwards
// every link is relative, so that the pages open from a disk; a link to a file that is no page stays as its text; a link to
// a page or a heading that is missing fails, as do Markdown that fsdocs has left as it is, and a page that the search does not
// find by its title.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { runInNewContext } from "node:vm";

const root = resolve(dirname(new URL(import.meta.url).pathname), "..");
const input = join(root, "artifacts/docs-input");
const site = join(root, "artifacts/docs");
// stands for the root of the site until the links are made relative
const base = "/plait-site/";
// fsdocs takes the description of a namespace from a tag in the library's sources
const namespaces = {
  Plait: "Builders, their results, combinators and pools, for F# and C#.",
  "Plait.Kernel": "The parts of builders. Only code that writes a builder or a task-like type of its own needs it.",
  "Plait.MethodBuilders": "Builders for C# async methods that return Task and ValueTask, named in an attribute.",
};
const complaints = [];

/** The README without the parts for readers of the repository, with the way to install behind the example. */
const home = () => {
  const readme = readFileSync(join(root, "README.md"), "utf8").replace(/<!-- repository: begin -->.*?<!-- repository: end -->/s, "");
  const [top, ...sections] = readme.split(/^(?=## )/m);
  const install = sections.filter((section) => section.startsWith("## Install"));
  return [top, ...install, ...sections.filter((section) => !install.includes(section))].join("").replaceAll("](docs/", "](");
};

const page = (name, title, index, text) =>
  writeFileSync(join(input, name), `---\ntitle: ${title}\ncategory: Start\ncategoryindex: 0\nindex: ${index}\n---\n\n${text}`);

/** The files in a folder and those below it whose names end so. */
const files = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => path.endsWith(ending));

for (const folder of [input, site, join(root, ".fsdocs")]) rmSync(folder, { recursive: true, force: true });
cpSync(join(root, "docs"), input, { recursive: true });
page("index.md", "Home", 0, home());
page("CHANGELOG.md", "Changelog", 2, readFileSync(join(root, "CHANGELOG.md"), "utf8"));
// fsdocs shows a table behind a comment as text
for (const path of files(input, ".md")) writeFileSync(path, readFileSync(path, "utf8").replace(/^<!-- .*? -->$/gm, ""));

const words = execFileSync(
  "dotnet",
  [
    "fsdocs", "build", "--strict", "--nodefaultcontent", "--ignoreuncategorized",
    "--input", relative(root, input), "--output", site, "--projects", "src/Plait/Plait.fsproj", "src/Plait.ThreadPool/Plait.ThreadPool.fsproj",
    "--properties", "Configuration=Release", "TargetFramework=net10.0",
    "--parameters", "root", base, "fsdocs-collection-name", "Plait",
  ],
  { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
);
complaints.push(...words.split("\n").filter((line) => /\b(warning|error)\b/i.test(line) && !/writing|errors\//.test(line)));
const index = JSON.parse(readFileSync(join(site, "index.json"), "utf8"));

// for services that this site has not
for (const path of files(site, "")) if (/\.md$|^llms|^index\.json$|^NuGet\.config$/.test(basename(path))) rmSync(path);
const pages = files(site, ".html");

/** The heading of a page that a link names, as fsdocs spells it; undefined where there is none. */
const heading = (page, anchor) => {
  const plain = (text) => decodeURIComponent(text).toLowerCase().replace(/[^\w]/g, "");
  const names = [...readFileSync(page, "utf8").matchAll(/<[^>]* (?:name|id)="([^"]+)"/g)].map(([, name]) => name);
  return names.includes(anchor) ? anchor : names.find((name) => plain(name) === plain(anchor));
};

const linked = (page, html) =>
  html.replace(
    /<a ([^>]*?)href="([^"]*)"([^>]*)>([\s\S]*?)<\/a>|(href|src)="([^"]*)"/g,
    (whole, before, link, after, text, name, other) => {
      const [path, anchor] = (link ?? other).split("#");
      if (/^[a-z]+:/.test(path) || path === "") return whole;
      const named = path.startsWith(base) ? join(site, path.slice(base.length)) : resolve(dirname(page), path);
      // a link with an anchor keeps the name of the source
      const rendered = named.replace(/\.md$/, ".html");
      const target = existsSync(rendered) ? rendered : named;
      const found = anchor && existsSync(target) ? heading(target, anchor) : anchor;
      if (anchor && !found) complaints.push(`${relative(site, page)}: ${relative(site, target)} has no heading ${anchor}`);
      const file = relative(dirname(page), target).split(sep).join("/") + (found ? `#${found}` : "");
      if (name !== undefined) return `${name}="${file}"`;
      if (existsSync(target)) return `<a ${before}href="${file}"${after}>${text}</a>`;
      // the API names types that are not public
      if (target.endsWith(".html") && !target.includes("/reference/")) complaints.push(`${relative(site, page)}: no page ${relative(site, target)}`);
      return text;
    },
  );

const described = (name) => {
  if (!namespaces[name]) complaints.push(`build/build-site.mjs: no description of the namespace ${name}`);
  return namespaces[name];
};

/** A page of the API as a reader expects it: fsdocs shows fields that are not public, and describes no namespace. */
const ofApi = (html) =>
  html
    .replace(/<title>(.*?) \((.*?)\) -/, (_, name, other) => `<title>${other === "API Reference" ? "API" : name} -`)
    .replace(/(title="([\w.]+)">(?:(?!<td)[\s\S])*?<\/td>\s*)<td><\/td>/g, (_, before, name) => `${before}<td>${described(name)}</td>`)
    .replace(/([\w.]+) Namespace\s*<\/h2>\s*(?=<div class="fsdocs-xmldoc"><\/div>)/, (whole, name) => `${whole}<p>${described(name)}</p>`)
    .replace(/<tr>(?:(?!<tr>)[\s\S])*?<a id="[a-z]\w*">(?:(?!<tr>)[\s\S])*?<\/tr>/g, (row) => (row.includes("fsdocs-summary") ? row : ""))
    .replace(/<div>\s*<h3>(?:(?!<h3>)[\s\S])*?<tbody>\s*<\/tbody>\s*<\/table>\s*<\/div>/g, "")
    // it leaves the backticks of documentation comments as they are, and so a text in < and > behind them; not in attributes
    .replace(/(?<![\w`"'#])`((?:[^`<>\n]|<\w*>)+)`/g, (_, code) => `<code>${code.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</code>`);

/** Bold text that begins with code or a link, of which fsdocs makes an emphasis between asterisks. */
const bold = (html) => html.replace(/\*<em>((?:(?!<em>)[\s\S])*?)\*<\/em>/g, "<strong>$1</strong>");

for (const page of pages) {
  const html = bold(linked(page, readFileSync(page, "utf8"))).replace(/\s+(?=-[^<]*<\/title>)/, " ");
  const left = html.replace(/<pre[\s\S]*?<\/pre>/g, "").match(/^\|.*\||\*\*?<\w+>|<\/\w+>\*\*?/m);
  if (left) complaints.push(`${relative(site, page)}: Markdown is left as it is: ${left[0]}`);
  writeFileSync(page, page.includes("reference") ? ofApi(html) : html);
}

// The search
const entries = new Map();
for (const { uri, title, content, headings, type } of index) {
  const link = uri.slice(base.length);
  const name = title.trim();
  const isApi = type === "apiDocs";
  const lines = content.replace(/<\/?a\b[^>]*>/g, "").split("\n").map((line) => line.trim());
  // of a type without its members, which are entries of their own
  const members = lines.findIndex((line, at) => at > 0 && line.startsWith(`${name}.`));
  const own = isApi && !link.includes("#") && members > 0 ? lines.slice(0, members) : lines;
  const text = own.filter((line) => !isApi || (line !== name && !name.endsWith(`.${line}`))).join(" ").replace(/[`\s]+/g, " ").trim();
  if (name.includes("``.ctor``") || (link.includes("#") && text === "")) continue;
  const same = entries.get(link);
  if (same) same.text += ` ${text}`;
  else {
    const kind = !isApi ? "page" : link.startsWith("reference/plait-kernel") ? "kernel" : "api";
    entries.set(link, { link, title: name, headings: headings.join(" "), text: namespaces[name] ?? text, kind });
  }
}
writeFileSync(join(site, "content/search-index.js"), `globalThis.searchIndex = ${JSON.stringify([...entries.values()])};\n`);

const find = runInNewContext(`${readFileSync(join(root, "docs/content/search.js"), "utf8")}; find`);
for (const entry of entries.values()) {
  if (!existsSync(join(site, entry.link.split("#")[0]))) complaints.push(`the search leads to ${entry.link}, which is no page`);
  if (entry.kind === "page" && !find([...entries.values()], entry.title).slice(0, 3).includes(entry))
    complaints.push(`the search for "${entry.title}" does not find ${entry.link} among the first three`);
}

for (const complaint of complaints) console.error(complaint);
console.log(`${pages.length} pages in artifacts/docs, ${complaints.length} complaints`);
process.exit(complaints.length === 0 ? 0 : 1);
