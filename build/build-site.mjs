// Makes the pages of docs/ and of the library's API as HTML in artifacts/docs, with fsdocs, of the Release build that is
// there. Afterwards every link is relative, so that the pages open from a disk; a link to a file that is no page stays as
// its text; a link to a page that is missing fails.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const root = resolve(dirname(new URL(import.meta.url).pathname), "..");
const site = join(root, "artifacts/docs");
// stands for the root of the site until the links are made relative
const base = "/plait-site/";

rmSync(site, { recursive: true, force: true });
rmSync(join(root, ".fsdocs"), { recursive: true, force: true });
const words = execFileSync(
  "dotnet",
  [
    "fsdocs", "build", "--strict", "--nodefaultcontent", "--ignoreuncategorized",
    "--input", "docs", "--output", site, "--projects", "src/Plait/Plait.fsproj",
    "--properties", "Configuration=Release", "TargetFramework=net10.0",
    "--parameters", "root", base, "fsdocs-collection-name", "Plait",
  ],
  { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
);
const complaints = words.split("\n").filter((line) => /\b(warning|error)\b/i.test(line) && !/writing|errors\//.test(line));

const pages = [];
const walk = (folder) => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) walk(path);
    else if (name.endsWith(".html")) pages.push(path);
    else if (/\.md$|^llms|^index\.json$|^NuGet\.config$/.test(name)) rmSync(path); // for services that this site has not
  }
};
walk(site);

for (const page of pages) {
  const here = dirname(page);
  const html = readFileSync(page, "utf8").replace(
    /<a ([^>]*?)href="([^"]*)"([^>]*)>([\s\S]*?)<\/a>|(href|src)="([^"]*)"/g,
    (whole, before, link, after, text, name, other) => {
      const [path, anchor] = (link ?? other).split("#");
      if (/^[a-z]+:/.test(path) || path === "") return whole;
      const target = path.startsWith(base) ? join(site, path.slice(base.length)) : resolve(here, path);
      const file = relative(here, target).split(sep).join("/") + (anchor ? `#${anchor}` : "");
      if (name !== undefined) return `${name}="${file}"`;
      if (existsSync(target)) return `<a ${before}href="${file}"${after}>${text}</a>`;
      // the API names types that are not public
      if (target.endsWith(".html") && !target.includes("/reference/")) complaints.push(`${relative(site, page)}: no page ${relative(site, target)}`);
      return text;
    },
  );
  // fsdocs leaves the backticks of documentation comments as they are
  const quoted = page.includes("reference") ? html.replace(/`([^`<>\n]+)`/g, "<code>$1</code>") : html;
  writeFileSync(page, quoted);
}
copyFileSync(join(site, "README.html"), join(site, "index.html"));

for (const complaint of complaints) console.error(complaint);
console.log(`${pages.length} pages in artifacts/docs, ${complaints.length} complaints`);
process.exit(complaints.length === 0 ? 0 : 1);
