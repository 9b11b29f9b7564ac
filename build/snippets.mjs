// Compiles and runs the snippets of the pages against the libraries as they were built, with warnings as errors. Those that stand
// alone share one program a language; one that is continued is a program of its own, with its continuations. Owns the
// conventions of the fences:
//   ```fsharp / ```csharp       compiled, and run from top to bottom
//   ```text right behind one     its output
//   <!-- continues -->          stands behind the snippet before it on the page (F# only)
//   <!-- from FILE -->           a part of that file of the tree, whose project compiles it
//   <!-- not compiled: why -->  left alone
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fence =
  /(?:<!-- (?<mark>continues|from \S+|not compiled:[^>]*) -->\s*)?```(?<language>fsharp|csharp)\n(?<code>[\s\S]*?)```(?:\s*\n```text\n(?<output>[\s\S]*?)```)?/g;

/** The snippets of a page that are code to be compiled, each with its continuations: parts of code, line and output. */
export const snippetsOf = (page, text) => {
  const found = [];
  for (const { groups, index } of text.matchAll(fence)) {
    if (/^(not compiled|from )/.test(groups.mark ?? "")) continue;
    const part = { code: groups.code, output: groups.output, line: text.slice(0, index).split("\n").length };
    if (groups.mark === "continues") found.at(-1).parts.push(part);
    else found.push({ page, language: groups.language, parts: [part] });
  }
  return found;
};

const unindented = (text) => text.replace(/^ +/gm, "").trim();

/** The errors in the parts of files that a page quotes. */
export const wrongQuotes = (root, page, text) =>
  [...text.matchAll(fence)].flatMap(({ groups, index }) => {
    const [, file] = groups.mark?.match(/^from (.*)/) ?? [];
    if (!file || unindented(readFileSync(join(root, file), "utf8")).includes(unindented(groups.code))) return [];
    return [`${page}:${text.slice(0, index).split("\n").length}: this is not in ${file}`];
  });

const marker = (number, part) => `--- snippet ${number}.${part}`;

const fsharp = (snippet, number) =>
  `module Snippet${number}\n\n` +
  snippet.parts.map(({ code }, part) => `System.Console.WriteLine "${marker(number, part)}"\n\n${code}`).join("\n");

const isType = /^(public |internal |sealed |abstract |static |partial |readonly )*(class|struct|record|interface|enum) /;

const csharp = (snippet, number) => {
  const lines = snippet.parts[0].code.split("\n");
  const isUsing = (line) => /^using (static )?[A-Za-z.]+;$/.test(line);
  const code = lines.filter((line) => !isUsing(line));
  const type = code.findIndex((line) => isType.test(line));
  const end = type < 0 ? code.length : type;
  return `${lines.filter(isUsing).join("\n")}
namespace Snippet${number};
#pragma warning disable CS1998, CS8321 // a snippet may show a function that nothing calls
public static class Program
{
    public static async System.Threading.Tasks.Task Run()
    {
        System.Console.WriteLine("${marker(number, 0)}");
${code.slice(0, end).join("\n")}
    }
}
${code.slice(end).join("\n")}
`;
};

const languages = {
  fsharp: {
    extension: "fs",
    file: fsharp,
    // the top level of a file that nothing refers to runs when it is asked for; that of the last one runs by itself
    main: (numbers, name) => `module Main

for number in ${numbers.at(0)} .. ${numbers.at(-1)} do
    let file = System.Reflection.Assembly.GetExecutingAssembly().GetType $"<StartupCode$${name}>.$Snippet{number}"
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

const libraries = ["Plait", "Plait.ThreadPool"];

const project = (root, files) => `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <EnableDefaultCompileItems>false</EnableDefaultCompileItems>
  </PropertyGroup>
  <ItemGroup>
    ${files.map((file) => `<Compile Include="${file}" />`).join("\n    ")}
    <PackageReference Include="FSharp.Core" />
    ${libraries.map((name) => `<Reference Include="${name}"><HintPath>${join(root, `artifacts/bin/${name}/release_net10.0/${name}.dll`)}</HintPath></Reference>`).join("\n    ")}
  </ItemGroup>
</Project>
`;

const said = (error) => `${error.stdout ?? ""}${error.stderr ?? ""}`;

// Builds and runs one program; its output by "snippet.part", and complaints.
const run = (root, language, name, snippets) => {
  const kind = languages[language];
  const folder = join(root, "artifacts", "snippets", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (file, text) => {
    writeFileSync(join(folder, file), text);
    return file;
  };
  const numbers = [...snippets.keys()];
  const files = numbers.map((number) => write(`Snippet${number}.${kind.extension}`, kind.file(snippets[number], number)));
  // the last F# file is the program: its code may be used by other threads while it runs
  if (language === "csharp" || numbers.length > 1) files.push(write(`Main.${kind.extension}`, kind.main(numbers, name)));
  const file = write(`${name}.${kind.extension}proj`, project(root, files));
  const where = (text) => text.replace(/\S*Snippet(\d+)\.(fs|cs)/g, (seen, number) => `${snippets[number].page}: ${seen}`);

  try {
    const options = ["-c", "Release", "-v", "q", "--nologo", "-nodeReuse:false"];
    execFileSync("dotnet", ["build", join(folder, file), ...options], { stdio: "pipe", encoding: "utf8" });
  } catch (error) {
    const lines = said(error).split("\n").filter((line) => line.includes("error"));
    return { complaints: [...new Set(lines)].map(where) };
  }

  try {
    const program = join(root, `artifacts/bin/${name}/release/${name}.dll`);
    const printed = execFileSync("dotnet", [program], { stdio: "pipe", encoding: "utf8", timeout: 60_000 });
    const prints = printed.split("--- snippet ").slice(1).map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end), part.slice(end + 1).trimEnd()];
    });
    return { prints: Object.fromEntries(prints), complaints: [] };
  } catch (error) {
    return { complaints: [`${name} does not run to its end:\n${where(said(error))}`] };
  }
};

/** Compiles and runs snippets of one language; the complaints. */
export const check = (root, language, snippets) => {
  const alone = snippets.filter((snippet) => snippet.parts.length === 1);
  const continued = snippets.filter((snippet) => snippet.parts.length > 1);
  const programs = [alone, ...continued.map((snippet) => [snippet])].filter((some) => some.length > 0);
  return programs.flatMap((some, index) => {
    const { prints, complaints } = run(root, language, `snippets-${language}-${index}`, some);
    if (prints === undefined) return complaints;
    return some.flatMap(({ page, parts }, number) =>
      parts.flatMap(({ line, output }, part) => {
        const seen = prints[`${number}.${part}`];
        if (seen === undefined) return [`${page}:${line}: the snippet was not run`];
        if (output === undefined || seen === output.trimEnd()) return [];
        return [`${page}:${line}: the snippet prints\n${seen}\nand the page says\n${output}`];
      }),
    );
  });
};
