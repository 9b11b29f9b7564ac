// Compiles and runs the snippets of the pages: all F# ones as one project, all C# ones as another, against the library as
// it was built, with warnings as errors. Owns the conventions of the fences:
//   ```fsharp / ```csharp       compiled, and run from top to bottom
//   ``` right behind a snippet  what it prints
//   <!-- continues -->          stands behind the snippet before it on the page
//   <!-- not compiled: why -->  left alone
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fence =
  /(?:<!-- (?<mark>continues|not compiled:[^>]*) -->\s*)?```(?<language>fsharp|csharp)\n(?<code>[\s\S]*?)```(?:\s*\n```\n(?<output>[\s\S]*?)```)?/g;

/** The snippets of a page that are code to be compiled; `own` is what a snippet adds to those it continues. */
export const snippetsOf = (page, text) => {
  const found = [];
  const before = {};
  for (const { groups, index } of text.matchAll(fence)) {
    if (groups.mark?.startsWith("not compiled")) continue;
    const earlier = groups.mark === "continues" ? before[groups.language] ?? [] : [];
    const parts = [...earlier, groups.code];
    before[groups.language] = parts;
    const line = text.slice(0, index).split("\n").length;
    found.push({ page, line, language: groups.language, parts, output: groups.output });
  }
  return found;
};

const marker = (number) => `--- snippet ${number}`;
const isType = /^(public |internal |sealed |abstract |static |partial |readonly )*(class|struct|record|interface|enum) /m;

// The print of what a snippet continues is not its own: the marker stands behind it.
const fsharp = (snippet, number) => {
  const parts = [...snippet.parts];
  parts.splice(parts.length - 1, 0, `System.Console.WriteLine "${marker(number)}"\n`);
  return `module Snippet${number}\n\n${parts.join("\n")}\n`;
};

const csharp = (snippet, number) => {
  const text = snippet.parts.slice(0, -1).join("\n") + `\n//own\n` + snippet.parts.at(-1);
  const usings = [...new Set(text.match(/^using (static )?[A-Za-z.]+;$/gm) ?? [])];
  const code = text.replace(/^using (static )?[A-Za-z.]+;\n/gm, "");
  const lines = code.split("\n");
  const first = lines.findIndex((line) => isType.test(line));
  const statements = (first < 0 ? lines : lines.slice(0, first)).join("\n");
  const types = first < 0 ? "" : lines.slice(first).join("\n");
  const mark = `System.Console.WriteLine("${marker(number)}");`;
  return `${usings.join("\n")}
namespace Snippet${number};
#pragma warning disable CS1998, CS8321 // a snippet may show a function that nothing calls
public static class Program
{
    public static async System.Threading.Tasks.Task Run()
    {
${statements.includes("//own") ? statements.replace("//own", mark) : `${mark}\n${statements}`}
    }
}
${types.replace("//own", "")}
`;
};

const languages = {
  fsharp: {
    extension: "fs",
    file: fsharp,
    // the top level of a file that nothing refers to runs when it is asked for
    main: (numbers) => `module Main

for number in 0 .. ${numbers.length - 1} do
    let file = System.Reflection.Assembly.GetExecutingAssembly().GetType $"<StartupCode$Snippets-fsharp>.$Snippet{number}"
    System.Runtime.CompilerServices.RuntimeHelpers.RunClassConstructor((nonNull file).TypeHandle)
`,
  },
  csharp: {
    extension: "cs",
    file: csharp,
    main: (numbers) => `internal static class Entry
{
    private static async System.Threading.Tasks.Task Main()
    {
${numbers.map((number) => `        await Snippet${number}.Program.Run();`).join("\n")}
    }
}
`,
  },
};

const project = (files, library) => `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <EnableDefaultCompileItems>false</EnableDefaultCompileItems>
    <RestorePackagesWithLockFile>false</RestorePackagesWithLockFile>
  </PropertyGroup>
  <ItemGroup>
    ${files.map((file) => `<Compile Include="${file}" />`).join("\n    ")}
    <PackageReference Include="FSharp.Core" />
    <Reference Include="Plait"><HintPath>${library}</HintPath></Reference>
  </ItemGroup>
</Project>
`;

const said = (error) => `${error.stdout ?? ""}${error.stderr ?? ""}`;

/** Compiles and runs all the snippets of one language; the complaints. */
export const check = (root, language, snippets) => {
  const kind = languages[language];
  const folder = join(root, "artifacts", "snippets", language);
  const library = join(root, "artifacts/bin/Plait/release_net10.0/Plait.dll");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = [];
  snippets.forEach((snippet, number) => {
    const name = `Snippet${number}.${kind.extension}`;
    writeFileSync(join(folder, name), kind.file(snippet, number));
    files.push(name);
  });
  const main = `Main.${kind.extension}`;
  writeFileSync(join(folder, main), kind.main([...snippets.keys()]));
  const file = join(folder, `Snippets.${language}.${kind.extension}proj`);
  writeFileSync(file, project([...files, main], library));
  const where = (text) =>
    text.replace(/\S*Snippet(\d+)\.(fs|cs)/g, (_, number) => `${snippets[number].page}:${snippets[number].line} (Snippet${number})`);

  try {
    const options = ["-c", "Release", "-v", "q", "--nologo", "-nodeReuse:false"];
    execFileSync("dotnet", ["build", file, ...options], { stdio: "pipe", encoding: "utf8" });
  } catch (error) {
    const lines = said(error).split("\n").filter((line) => line.includes("error"));
    return [...new Set(lines)].map(where);
  }

  let printed;
  try {
    const program = join(root, `artifacts/bin/Snippets.${language}/release/Snippets.${language}.dll`);
    printed = execFileSync("dotnet", [program], { stdio: "pipe", encoding: "utf8", timeout: 60_000 });
  } catch (error) {
    return [`The ${language} snippets do not run to their end: ${where(said(error))}`];
  }

  const prints = {};
  for (const part of printed.split("--- snippet ").slice(1)) {
    const end = part.indexOf("\n");
    prints[part.slice(0, end)] = part.slice(end + 1).trimEnd();
  }
  return snippets.flatMap((snippet, number) => {
    const seen = prints[number];
    if (seen === undefined) return [`${snippet.page}:${snippet.line}: the snippet was not run`];
    if (snippet.output === undefined || seen === snippet.output.trimEnd()) return [];
    return [`${snippet.page}:${snippet.line}: the snippet prints\n${seen}\nand the page says\n${snippet.output}`];
  });
};
