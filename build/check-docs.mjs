// Checks the docs: every relative link leads to a file, and with --compile every F# snippet of README and docs is
// type-checked against the built library. A snippet opens what it needs; `<!-- not compiled: why -->` before the fence
// exempts it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const root = resolve(dirname(new URL(import.meta.url).pathname), "..");
const pages = [];
const walk = (folder) => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) walk(path);
    else if (name.endsWith(".md")) pages.push(path);
  }
};
for (const name of readdirSync(root)) if (name.endsWith(".md")) pages.push(join(root, name));
for (const folder of ["docs", "candidates", "bench"]) if (existsSync(join(root, folder))) walk(join(root, folder));

let wrong = 0;
let snippets = 0;
for (const page of pages) {
  const text = readFileSync(page, "utf8");
  for (const match of text.replace(/```[\s\S]*?```/g, "").matchAll(/\]\(([^)\s]+)\)/g)) {
    const target = match[1].split("#")[0];
    if (target === "" || /^[a-z]+:/.test(target)) continue;
    if (!existsSync(resolve(dirname(page), target))) {
      console.error(`${page.slice(root.length + 1)}: the link to ${match[1]} leads nowhere`);
      wrong++;
    }
  }
  if (!process.argv.includes("--compile")) continue;
  for (const match of text.matchAll(/(<!-- not compiled:[^>]*-->\s*)?```fsharp\n([\s\S]*?)```/g)) {
    if (match[1]) continue;
    snippets++;
    const folder = mkdtempSync(join(tmpdir(), "plait-docs-"));
    const file = join(folder, "snippet.fsx");
    const library = join(root, "artifacts/bin/Plait/release_net10.0/Plait.dll");
    writeFileSync(file, `#r @"${library}"\n${match[2]}`);
    try {
      execFileSync("dotnet", ["fsi", "--typecheck-only", "--warnaserror+", file], { stdio: "pipe" });
    } catch (error) {
      console.error(`${page.slice(root.length + 1)}: a snippet does not compile\n${match[2]}\n${error.stdout}${error.stderr}`);
      wrong++;
    }
  }
}
console.log(`${pages.length} pages, ${snippets} snippets compiled, ${wrong} wrong`);
process.exit(wrong === 0 ? 0 : 1);
