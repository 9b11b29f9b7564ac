// The tables and sentences of the documents that repeat figures of bench/results: each stands in a document between `<!-- NAME: begin -->` and
// `<!-- NAME: end -->`. `node build/documents.mjs` renews them; build/check-docs.mjs complains about one that differs.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const report = (name) => {
  const path = join(root, "bench/results", name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};
const cells = (line) => line.split("|").map((cell) => cell.trim()).slice(1, -1);
const plain = (name) => name.replaceAll("**", "");
const section = (text, title) => text.split("\n## ").find((part) => part.startsWith(title)) ?? "";
/** The cells behind the name of a row; dashes where there is none. */
const rowOf = (text, name) =>
  text.split("\n").filter((line) => line.startsWith("| ")).map(cells).find(([first]) => plain(first) === name)?.slice(1) ?? ["-", "-", "-", "-"];
const column = { bytes: 0, time: 1, quartiles: 2, ns: 3 };
/** A figure of a row of a suite, as its report has it. */
const figure = (text, title, row, what) => rowOf(section(text, title), row)[column[what]];
/** The paragraph under a report's title: the machine, the date and the control. */
const how = (text) => text.split("\n")[2]?.split(". Renew with")[0] ?? "";

export const kernel = (title, row, what) => figure(report("kernels.md"), title, row, what);

const yields = "Two Task.Yield()";
const gate = "Two suspensions, in thread (custom awaiter)";
const flight = "1000 in flight";

// The goals on .NET 11 that the reports do not show as met, each with its reason, as a sentence; and what FizzBoom came out as.
const missed = () => {
  const [eleven, kernels] = [report("runtime-async.md"), report("runtime-async-kernels.md")];
  const value = "The result of a function value is a type variable, and the runtime has no async form for it";
  const call = "A call of an async method takes about 2 ns more than a call of a plain one";
  const goals = [
    ["interpreter, F# function values, `valueTask`", "`valueTask` with F# function values, CPU over plain F#", value],
    ["interpreter, F# function values, `task`", "`task` with F# function values, CPU over plain F#", "The same reason, and each call makes a Task"],
    ["interpreter, AsyncFunc", "AsyncFuncs, CPU over plain F#", call],
    ["FizzBuzz behind Kestrel, AsyncFunc", "AsyncFuncs over HTTP, CPU over plain F#", "The same reason"],
  ].map(([goal, name, why]) => {
    const [, number, limit, verdict] = eleven.split("\n").map(cells).find(([what]) => what?.startsWith(`${goal}:`)) ?? [];
    return { name, why, number, limit: limit?.replace("at most ", ""), isMissed: verdict === "**missed**" };
  });
  const ofKernels = section(kernels, "Goals").split("\n").map(cells).flatMap(([goal, measure, limit, number, verdict]) => {
    if (!verdict?.startsWith("**missed**")) return [];
    const [, row, suite] = goal.replace("; by level", "").match(/^(.*?): (.*)$/);
    const why = verdict.replace("**missed**", "").replace(/^: /, "");
    return [{ name: `${row} in "${suite}", ${measure.replace(" / ", " over ")}`, number, limit, why: why.replace(/^./, (first) => first.toUpperCase()) }];
  });
  const all = [...goals.filter(({ isMissed }) => isMissed), ...ofKernels]
    .map(({ name, number, limit, why }) => `  - ${name}: ${number}, goal at most ${limit}.${why && ` ${why}.`}`);
  const missing = all.length === 0 ? [] : ["- Missed goals on .NET 11, from the reports of [FizzBuzz](bench/results/runtime-async.md) and [kernels](bench/results/runtime-async-kernels.md):", ...all];
  const [, ratio, , verdict] = report("runtime-async-fizzboom.md").split("\n").map(cells).find(([what]) => what?.startsWith("FizzBoom:")) ?? [];
  if (ratio === undefined) return missing;
  const seen = verdict.startsWith("not judged") ? "is" : `takes ${ratio} times the CPU of the best other row,`;
  return [...missing, `- FizzBoom, which waits for a slow service, ${seen} ${plain(verdict)}. [The report](bench/results/runtime-async-fizzboom.md).`];
};

// Both runtimes, each row over plain F# on its own.
const readme = () => {
  const [ten, eleven, kernelsOfTen] = [report("fizzbuzz.md"), report("runtime-async.md"), report("kernels.md")];
  const rows = [
    ["plain F#"],
    ["`strand`, Unsafe.Bare"],
    ["`strand`, Unsafe"],
    ["`strand`", "**`strand`**"],
    ["`strand`, Guarded"],
    ["runtime async, `task`, functions as AsyncFuncs", "**`Plait.RuntimeAsync.task`**, functions as [AsyncFuncs](docs/how-to/functions-as-values.md)"],
    ["runtime async, `valueTask`, F# function values", "`Plait.RuntimeAsync.valueTask`, F# function values"],
    ["runtime async, `task`, F# function values", "`Plait.RuntimeAsync.task`, F# function values"],
    ["C# runtime async, `async Task`, delegates"],
    ["`pooledValueTask`", "**`pooledValueTask`**"],
    ["C# `async ValueTask`"],
    ["FSharp.Core `task`"],
    ["F# `async`"],
  ].map(([name, shown = name]) => {
    const [bytes, cpu, capacity] = rowOf(ten, name);
    const [bytes11, cpu11, http11] = rowOf(eleven, name);
    return { shown, cells: [bytes === "-" ? bytes11 : bytes, cpu, capacity, cpu11, http11] };
  });
  const kernels = [
    ["pooledValueTask", "**`pooledValueTask`**"],
    ["strand", "**`strand`**"],
    ["pooledTask", "`pooledTask`"],
    ["Plait.Tasks.task", "`Plait.Tasks.task`"],
    ["C# pooling ValueTask", "C# with the BCL's pooling builder"],
    ["C# ValueTask", "C# `async ValueTask`"],
    ["F# task", "FSharp.Core `task`"],
  ];
  return [
    "An interpreter evaluates FizzBuzz, with 3,300 awaits a request that all complete synchronously. Medians with 95 % intervals, each over plain F# on the same runtime; bytes without escape analysis.",
    "",
    `- ${how(ten)}.`,
    `- ${how(eleven)}.`,
    ...missed(),
    "",
    "| | bytes over plain | .NET 10: CPU | .NET 10: capacity over HTTP | .NET 11: CPU | .NET 11: CPU over HTTP |",
    "|---|---:|---:|---:|---:|---:|",
    ...rows.map(({ shown, cells }) => `| ${shown} | ${cells.join(" | ")} |`),
    "",
    "Suspending twice on .NET 10: bytes per operation, and time over the BCL's pooling builder (`bench/results/kernels.md`):",
    "",
    "| | two `Task.Yield()`: bytes | time | two awaits in thread: bytes | time | 1,000 in flight: bytes | time |",
    "|---|---:|---:|---:|---:|---:|---:|",
    ...kernels.map(([id, name]) => `| ${name} | ${[yields, gate, flight].flatMap((title) => [figure(kernelsOfTen, title, id, "bytes"), figure(kernelsOfTen, title, id, "time")]).join(" | ")} |`),
  ];
};

// What each builder replaces, and the rows of kernels.md where it takes more than 5 % longer.
const slower = () => {
  const text = report("kernels.md");
  const time = (title, row) => figure(text, title, row, "time");
  const titles = text.split("\n## ").slice(1).map((part) => part.slice(0, part.indexOf("\n"))).filter((title) => time(title, "C# pooling ValueTask") === "1.00");
  return [
    ["Plait.Tasks.task", "F# task", "`Plait.Tasks.task`", "FSharp.Core `task`"],
    ["pooledTask", "F# task", "`pooledTask`", "FSharp.Core `task`"],
    ["pooledValueTask", "C# pooling ValueTask", "`pooledValueTask`", "C# with the BCL's pooling builder"],
    ["valueTask", "C# ValueTask", "`valueTask`", "C# `async ValueTask`"],
    ["strand", "C# ValueTask", "`strand`", "C# `async ValueTask`"],
    ["C# PooledTask", "C# Task", "C# `PooledTask<T>`", "C# `async Task`"],
    ["C# PooledValueTask", "C# pooling ValueTask", "C# `PooledValueTask<T>`", "C# with the BCL's pooling builder"],
  ].map(([ours, theirs, name, over]) => {
    const ratios = titles
      .map((title) => ({ title, ratio: time(title, ours) / time(title, theirs) }))
      .filter(({ ratio }) => !Number.isNaN(ratio));
    const beyond = ratios.filter(({ ratio }) => ratio > 1.05);
    const least = Math.min(...beyond.map(({ ratio }) => ratio)).toFixed(2);
    const most = Math.max(...beyond.map(({ ratio }) => ratio)).toFixed(2);
    return { name, over, rows: ratios.length, beyond, range: beyond.length === 0 ? "" : `${least}-${most}` };
  });
};

// Which builder for which code, by runtime. `docs`: the way to that folder.
const choice = (docs) => {
  const texts = { 10: report("fizzbuzz.md"), 11: report("runtime-async.md") };
  const cpu = (runtime, name) => rowOf(texts[runtime], name)[1].split(" ")[0];
  const joined = (name) => {
    const each = [2, 4, 16].map((count) => Number(figure(report("runtime-async-kernels.md"), `${count} operations of two Task.Yield(), joined`, name, "bytes")));
    return `${each[0]}, ${each[1]} and ${each[2]} B`;
  };
  const yielding = (kernels, name) => `${Math.round(figure(report(kernels), yields, name, "bytes"))} B`;
  const [ours, theirs] = ["runtime async, `task`, F# function values", "FSharp.Core `task`"];
  const migrate = `${docs}how-to/migrate-to-runtime-async.md`;
  return [
    "| the code | on .NET 8 to 10 | on .NET 11, with F# 11 | the result |",
    "|---|---|---|---|",
    ...[
      [
        "mostly completes synchronously: recursion, interpreters, caches, handlers",
        `\`strand\`: ${cpu(10, "`strand`")} of the CPU of plain F#; FSharp.Core's \`task\` ${cpu(10, theirs)}`,
        `\`task\` of [\`Plait.RuntimeAsync\`](${migrate}): ${cpu(11, ours)}, with functions as [AsyncFuncs](${docs}how-to/functions-as-values.md) ${cpu(11, "runtime async, `task`, functions as AsyncFuncs")}; \`strand\`: ${cpu(11, "`strand`")}; FSharp.Core's \`task\` ${cpu(11, theirs)}`,
        "`Strand<'T>`: 16 bytes, no allocation until something suspends; `Task<'T>`",
      ],
      [
        "mostly suspends, and is awaited once",
        `\`pooledValueTask\`, \`pooledValueTaskUnit\`: ${yielding("kernels.md", "pooledValueTask")} for two yields; FSharp.Core's \`task\` ${yielding("kernels.md", "F# task")}`,
        `the same: ${yielding("runtime-async-kernels.md", "pooledValueTask")}; \`task\` of \`Plait.RuntimeAsync\` ${yielding("runtime-async-kernels.md", "runtime async task")}`,
        "`ValueTask<'T>`, `ValueTask`",
      ],
      [
        "is awaited more than once",
        "`pooledTask`, `valueTask`, their `Unit` forms: 72 B, the Task",
        "`task`, `valueTask`, their `Unit` forms, of `Plait.RuntimeAsync`",
        "`Task<'T>`, `ValueTask<'T>`, `Task`, `ValueTask`",
      ],
      [
        "exists, on FSharp.Core's `task`",
        "`open Plait.Tasks`: no more bytes than FSharp.Core's",
        `\`open Plait.Tasks\`: no more bytes either; \`Task.whenAll\` of 2, 4 and 16 operations takes ${joined("Plait.Tasks.task")} an operation, the BCL's with FSharp.Core's \`task\` ${joined("F# task")}. \`open Plait.RuntimeAsync\`: ${(cpu(11, ours) / cpu(11, theirs)).toFixed(1)} of its CPU where calls complete, [72 bytes more for an operation that suspends in its own body](${docs}explanation/runtime-async.md)`,
        "`task`, `backgroundTask`: the same code",
      ],
      [
        "exists, on Ply, TaskBuilder.fs, PooledAwait or IcedTasks",
        `[another \`open\`](${docs}README.md)`,
        "the same",
        "the same code",
      ],
      [
        "is recursive to any depth",
        `\`strand\` of \`Plait.Guarded\`: ${cpu(10, "`strand`, Guarded")}`,
        "every builder of `Plait.RuntimeAsync.Guarded`",
        "continues on a new stack before the current one overflows",
      ],
      [
        "needs no context of its caller; inner code that writes no `AsyncLocal`",
        `the same names of \`Plait.NonAffine\`; of \`Plait.Unsafe\`: \`strand\` ${cpu(10, "`strand`, Unsafe")}`,
        `those of \`Plait.RuntimeAsync.NonAffine\`; \`strand\` of \`Plait.Unsafe\`: ${cpu(11, "`strand`, Unsafe")}`,
        "as with `ConfigureAwait(false)`; contexts are not restored",
      ],
      [
        "gives items one by one",
        `[\`stream\`](${docs}how-to/streams.md): 0 B an item`,
        "the same",
        "`IAsyncEnumerable<'T>`",
      ],
      [
        "is C#",
        "a builder of `Plait.MethodBuilders` by attribute; or `async PooledValueTask<T>`, `async PooledTask<T>`",
        "the same, or C#'s own runtime async",
        "0 B, 72 B",
      ],
    ].map((cells) => `| ${cells.join(" | ")} |`),
  ];
};

// What a wait under a hundred calls takes, over FSharp.Core's `task`.
const depth11 = () => {
  const ns = (row) => Number(figure(report("runtime-async-kernels.md"), "100 calls deep, one Task.Yield() at the bottom; by level", row, "ns"));
  const over = (row) => (ns(row) / ns("F# task")).toFixed(2);
  return [
    `A wait under 100 calls takes ${over("runtime async task")} of the time of FSharp.Core's \`task\` in \`task\` of \`Plait.RuntimeAsync\`, and ${over("strand")} in a strand, on .NET 11.`,
  ];
};

// Runtime async on .NET 10.
const net10 = () => {
  const text = report("runtime-async-net10.md");
  const [bytes, without, bytes11] = rowOf(text, "two `Task.Yield()`, started through a delegate: bytes");
  const [state] = rowOf(text, "awaits a cancelled Task");
  return [
    `Two yields cost ${bytes} bytes there (${bytes11} on .NET 11), work that awaits a cancelled Task ends ${state}, and a program without the switch ends with a ${without.replace("System.", "")} ([the report](../../bench/results/runtime-async-net10.md)).`,
  ];
};

// The kernels of .NET 11 that the page about runtime async compares.
const kernels11 = () => {
  const text = report("runtime-async-kernels.md");
  const builders = ["runtime async valueTask", "runtime async task", "C# runtime async ValueTask", "strand", "pooledValueTask", "F# task"];
  const shown = ["`valueTask`", "`task`", "C# `async ValueTask`", "`strand`", "`pooledValueTask`", "FSharp.Core `task`"];
  const suites = [
    ["A result and no await", "a result, no await"],
    ["Ten awaits of a method that does not suspend", "ten awaits of a method that completes"],
    ["100 calls deep, no suspension; by level", "100 calls deep; a level"],
    ["100 calls deep, one Task.Yield() at the bottom; by level", "100 calls deep, one yield at the bottom; a level"],
    [yields, "two yields"],
    [flight, "two yields, 1,000 operations in flight"],
  ];
  return [
    `${how(text).split(". Every row")[0]}; nanoseconds, the least of the rounds, and bytes:`,
    "",
    `| | ${shown.join(" | ")} |`,
    `|---|${shown.map(() => "---:|").join("")}`,
    ...suites.map(([title, name]) => `| ${name} | ${builders.map((row) => `${figure(text, title, row, "ns")} ns, ${Math.round(figure(text, title, row, "bytes"))} B`).join(" | ")} |`),
  ];
};

const fizzbuzz11 = () => {
  const text = report("runtime-async.md");
  const table = text.split("\n\n").find((part) => part.includes("| plain F# |"));
  return [`${how(text)}:`, "", ...table.trim().split("\n")];
};

// The interpreter that waits for a slow service.
const fizzboom11 = () => {
  const text = report("runtime-async-fizzboom.md");
  const table = text.split("\n\n").find((part) => part.startsWith("| | CPU")) ?? "";
  return [`${how(text)}:`, "", ...table.trim().split("\n")];
};

// The ways of calling a function, in the page about functions as values.
const calls11 = () => {
  const text = report("runtime-async-kernels.md");
  const title = "A call of a function by name and as a value";
  const cell = (row) => (row === "" ? "" : `${figure(text, title, row, "ns")} ns, ${Math.round(figure(text, title, row, "bytes"))} B`);
  return [
    `${how(text).split(". Every row")[0]}; nanoseconds, the least of the rounds, and bytes:`,
    "",
    "| call | a `ValueTask` function | a `Task` function |",
    "|---|---:|---:|",
    ...[
      ["by name", "by name", "by name, Task"],
      ["by name in a step", "by name in a step", "by name in a step, Task"],
      ["C# runtime async, by name", "C# by name", "C# by name, Task"],
      ["`AsyncFunc` of a named function", "AsyncFunc of a named function", "AsyncFunc of a named function, Task"],
      ["abstract member of a named class", "abstract member", "abstract member, Task"],
      ["F# function value", "F# function value", "F# function value, Task"],
      ["a lambda with the code in `AsyncFunc.ofFun`", "AsyncFunc of a lambda with the code", ""],
    ].map(([name, value, task]) => `| ${name} | ${cell(value)} | ${cell(task)} |`),
  ];
};

// What a call of a function that returns a Result costs on .NET 11.
const resultCalls11 = () => {
  const text = section(report("runtime-async-kernels.md"), "A call of a function that returns a Result");
  if (text === "") return ["`bench/results` has no times of such calls yet."];
  return [
    "A loop of calls that complete at once ([the report](../../bench/results/runtime-async-kernels.md)); nanoseconds hold only beside each other:",
    "",
    "| | bytes | ns | time / `valueTask` without Results |",
    "|---|---:|---:|---:|",
    ...["valueTask, without Results", "valueTask, Results by hand", "valueTaskResult of Plait.RuntimeAsync", "strandResult", "pooledValueTaskResult"].map((row) => {
      const [bytes, time, , ns] = rowOf(text, row);
      return `| ${row} | ${bytes} | ${ns} | ${time} |`;
    }),
  ];
};

// One call of a recursion that completes synchronously.
const recursion = (file, rows) => {
  const text = report(file);
  const cell = (row, what) => figure(text, "Synchronous recursion: one call (fib)", row, what);
  return [
    "| one call of `fib`, nothing suspends | ns | over plain F# |",
    "|---|---:|---:|",
    ...rows.map(([name, row = name]) => `| ${name} | ${cell(row, "ns")} | ${cell(row, "time")} |`),
  ];
};

const recursion10 = () =>
  recursion("kernels.md", [
    ["plain F#"],
    ["`strand`, Unsafe.Bare", "strand, Unsafe.Bare"],
    ["`strand`", "strand"],
    ["`pooledValueTask`", "pooledValueTask"],
    ["FSharp.Core `task`", "F# task"],
    ["`strand`, Guarded", "strand, Guarded"],
  ]);

const guarded11 = () =>
  recursion("runtime-async-kernels.md", [
    ["plain F#"],
    ["`valueTask`", "runtime async valueTask"],
    ["`valueTask` of `Guarded`", "runtime async valueTask, Guarded"],
    ["`strand`", "strand"],
    ["`strand` of `Plait.Guarded`", "strand, Guarded"],
  ]);

const compileTime11 = () => {
  const text = report("runtime-async-compile-time.md");
  const [, whole, programs] = rowOf(text, "runtime async `task`");
  return [`F# 11 compiles the test programs in ${programs} of the processor time that they take with FSharp.Core's \`task\`. With the start of the compiler and the shared code, the ratio is ${whole}.`];
};

/** A table with the bytes and the time of each row in several suites, after a sentence. A suite is [title, name], and "quartiles" behind it
 * shows those of each time. */
const beside = (file, sentence, rows, suites) => {
  const text = report(file);
  return [
    `${sentence} (\`bench/results/${file}\`):`,
    "",
    `| | ${suites.map(([, name]) => `${name}: bytes | time`).join(" | ")} |`,
    `|---|${suites.map(() => "---:|---:|").join("")}`,
    ...rows.map((row) => `| ${row} | ${suites.flatMap(([title, , quartiles]) => [figure(text, title, row, "bytes"), figure(text, title, row, "time") + (quartiles ? ` (${figure(text, title, row, quartiles)})` : "")]).join(" | ")} |`),
  ];
};

const locks = () => [
  ...beside(
    "locks.md",
    "Bytes of one operation, and its time over that of SemaphoreSlim, of a free lock with the quartiles of the rounds",
    ["AsyncLock", "AsyncSemaphore", "SemaphoreSlim", "DotNext AsyncExclusiveLock", "Nito AsyncLock"],
    [
      ["Enter and release a free lock", "free", "quartiles"],
      ["2 contenders", "2 contenders"],
      ["1000 contenders", "1,000 contenders"],
    ],
  ),
  "",
  ...beside("locks.md", "The same of an event for one", ["AsyncAutoResetEvent", "SemaphoreSlim", "DotNext AsyncAutoResetEvent", "Nito AsyncAutoResetEvent"], [
    ["An event for one: set, then", "set, then waited for"],
    ["An event for one: an operation", "an operation waits, then it is set"],
  ]),
  "",
  ...beside("locks.md", "The same of an event for all, over a TaskCompletionSource", ["AsyncManualResetEvent", "TaskCompletionSource", "DotNext AsyncManualResetEvent", "Nito AsyncManualResetEvent"], [
    ["An event for all", "a hundred operations wait, then it is set"],
  ]),
];

const results = () =>
  beside(
    "breadth.md",
    "Bytes of one operation of three steps, or of a validation of two values, and its time over that of FSharp.Core's `task` with `match`",
    ["task, by hand", "taskResult", "pooledValueTask, by hand", "pooledValueTaskResult", "strandResult"],
    [
      ["Results: three steps, Ok\n", "Ok"],
      ["Results: three steps, the second an Error", "the second an Error"],
      ["Results: two values validated, Ok", "validation"],
    ],
  );

const starts = () => {
  const [made, kept] = ["Cold and cancellable: made and started, a result", "Cold and cancellable: one that is kept"];
  const ns = (title, row) => figure(report("breadth.md"), title, row, "ns");
  return [
    ...beside(
      "breadth.md",
      "Bytes of a function that is made and started, or kept and started again, and its time over that of a function of a token with FSharp.Core's `task`",
      ["task of a token", "pooledTask of a token", "coldTask", "cancellableTask", "pooledValueTask of a token", "cancellableValueTask"],
      [
        [made, "made"],
        [kept, "kept"],
        ["Cold and cancellable: made and started, two nested\n", "two nested"],
        ["Cold and cancellable: made and started, two nested, each", "two nested, behind Task.Yield()"],
      ],
    ),
    "",
    `Compare the rows of one column. A function of a token is the same code in "made" and "kept", yet with \`task\` it took ${ns(made, "task of a token")} ns in one and ${ns(kept, "task of a token")} ns in the other. A kept \`cancellableTask\` took ${ns(kept, "cancellableTask")} ns and \`pooledTask\` ${ns(kept, "pooledTask of a token")}, a kept \`cancellableValueTask\` ${ns(kept, "cancellableValueTask")} ns and \`pooledValueTask\` ${ns(kept, "pooledValueTask of a token")}.`,
  ];
};

const limits = () => [
  ...beside(
    "breadth.md",
    "Bytes of one operation, and its time over that of the first row",
    ["CancellationTokenSource by hand", "Task.WaitAsync, which does not cancel", "Polly's timeout", "PooledValueTask.withTimeoutLinked", "Task.withTimeoutLinked"],
    [
      ["Time: work within a limit, completed at once", "completed at once"],
      ["Time: work within a limit, behind Task.Yield()", "behind Task.Yield()"],
    ],
  ),
  "",
  ...beside("breadth.md", "The same of attempts", ["a loop by hand", "Polly's retry", "PooledValueTask.retryLinked"], [
    ["Attempts: the first succeeds", "the first succeeds"],
    ["Attempts: two exceptions, then a result", "two exceptions, then a result"],
  ]),
];

const throttled = () => beside("breadth.md", "Bytes of one item of a hundred, and its time over that of Parallel.ForEachAsync", ["Parallel.ForEachAsync", "SemaphoreSlim and Task.WhenAll", "PooledValueTask.mapThrottled"], [
  ["A hundred items, four at a time", "four at a time"],
]);

// Each way of reading a stream: its bytes and its time over the C# iterator's.
const streams = () => {
  const text = report("streams.md");
  const suites = text.split("\n## ").slice(1).filter((part) => !part.startsWith("Goals"));
  const control = suites.map((part) => Number(rowOf(part, "C# async iterator, again")[1]));
  return [
    "| | bytes | C# | time / C# async iterator |",
    "|---|---:|---:|---:|",
    ...suites.map((part) => `| ${part.split("\n")[0]} | ${rowOf(part, "stream")[0]} | ${rowOf(part, "C# async iterator")[0]} | ${rowOf(part, "stream")[1]} |`),
    "",
    `The control, the C# iterator against itself, took ${Math.min(...control).toFixed(2)}-${Math.max(...control).toFixed(2)}.`,
  ];
};

/** Every table: the document, its name there, and its lines. */
export const tables = () => {
  const slow = slower();
  return [
    { file: "README.md", name: "figures", lines: readme() },
    {
      file: "README.md",
      name: "slower",
      lines: [
        slow
          .filter(({ beyond }) => beyond.length > 0)
          .map(({ name, over, rows, beyond, range }) => `${name} than ${over} in ${beyond.length} of ${rows} rows, by ${range}`)
          .join("; ") + ".",
      ],
    },
    { file: "README.md", name: "choice", lines: choice("docs/") },
    { file: "docs/how-to/choose-a-builder.md", name: "choice", lines: choice("../") },
    { file: "docs/explanation/when-not-to-pool.md", name: "recursion", lines: recursion10() },
    {
      file: "docs/explanation/when-not-to-pool.md",
      name: "slower",
      lines: [
        "| | over | row | times |",
        "|---|---|---|---:|",
        ...slow.flatMap(({ name, over, beyond }) => beyond.map(({ title, ratio }) => `| ${name} | ${over} | ${title} | ${ratio.toFixed(2)} |`)),
      ],
    },
    { file: "docs/how-to/choose-a-builder.md", name: "depth", lines: depth11() },
    { file: "docs/explanation/runtime-async.md", name: "kernels", lines: kernels11() },
    { file: "docs/explanation/runtime-async.md", name: "net10", lines: net10() },
    { file: "docs/explanation/runtime-async.md", name: "fizzbuzz", lines: fizzbuzz11() },
    { file: "docs/explanation/runtime-async.md", name: "fizzboom", lines: fizzboom11() },
    { file: "docs/explanation/runtime-async.md", name: "compile-time", lines: compileTime11() },
    { file: "docs/explanation/runtime-async.md", name: "guarded", lines: guarded11() },
    { file: "docs/how-to/functions-as-values.md", name: "calls", lines: calls11() },
    { file: "docs/how-to/locks.md", name: "figures", lines: locks() },
    { file: "docs/how-to/streams.md", name: "figures", lines: streams() },
    { file: "docs/how-to/results.md", name: "figures", lines: results() },
    { file: "docs/how-to/results.md", name: "calls", lines: resultCalls11() },
    { file: "docs/how-to/cancellable.md", name: "figures", lines: starts() },
    { file: "docs/how-to/retry.md", name: "figures", lines: limits() },
    { file: "docs/explanation/combinators.md", name: "figures", lines: throttled() },
  ];
};

const set = (text, name, lines) => {
  const [before, rest] = text.split(`<!-- ${name}: begin -->`);
  const [, after] = rest.split(`<!-- ${name}: end -->`);
  return `${before}<!-- ${name}: begin -->\n${lines.join("\n")}\n<!-- ${name}: end -->${after}`;
};

/** The tables that differ from the reports. */
export const stale = () =>
  tables().filter(({ file, name, lines }) => {
    const text = readFileSync(join(root, file), "utf8");
    return set(text, name, lines) !== text;
  });

/** Sets the tables into their documents. */
export const renew = () => {
  for (const { file, name, lines } of tables()) {
    const path = join(root, file);
    writeFileSync(path, set(readFileSync(path, "utf8"), name, lines));
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) renew();
