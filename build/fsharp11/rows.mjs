// The rows of the reports on .NET 11, in their order: the row of the lab and its name in a report.
export const names = [
  ["sync", "plain F#"],
  ["sync-again", "plain F# again, the control"],
  ["strand-bare", "`strand`, Unsafe.Bare"],
  ["strand-unsafe", "`strand`, Unsafe"],
  ["strand", "`strand`"],
  ["strand-guarded", "`strand`, Guarded"],
  ["runtime-task-func", "**runtime async, `task`, functions as AsyncFuncs**"],
  ["runtime-value-task", "**runtime async, `valueTask`, F# function values**"],
  ["runtime-task", "**runtime async, `task`, F# function values**"],
  ["csharp-runtime-task", "C# runtime async, `async Task`, delegates"],
  ["pooled-value-task", "`pooledValueTask`"],
  ["csharp-value-task", "C# `async ValueTask`"],
  ["task", "FSharp.Core `task`"],
  ["async", "F# `async`"],
];

/** The runtime, the packages and the machine of a run. */
export const environment = ({ environment: { runtime, packages, cpu, cores } }) => {
  const versions = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  return `${runtime}, F# 11 (${versions.join(", ")}), ${cpu}, ${cores} cores`;
};

/** Ends the script where a run is of another runtime. */
export const need11 = ({ environment: { runtime } }) => {
  if (runtime.startsWith(".NET 11.")) return;
  console.error(`these results are of ${runtime}; run \`plait lab fizzbuzz --runtime 11\``);
  process.exit(2);
};
