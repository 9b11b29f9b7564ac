// Makes a new candidate: checks its name, and writes files that compile and answer rightly before a line is edited.
module Plait.Lab.NewCandidate

open System.IO
open System.Text.RegularExpressions

open Plait.Common

/// The package that a candidate's library comes from.
type Package = { Id: string; Version: string }

/// One file to write: its full path and its content.
type NewFile = { Path: string; Content: string }

let private refuse sentence : 'a = raise (BadInput sentence)

// Folders that are not candidates.
let private reserved = [ "shared"; "packages"; "bin"; "obj" ]

let private nameShape = Regex "^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
let private idShape = Regex @"^[A-Za-z0-9_]+([.-][A-Za-z0-9_]+)*$"
let private versionShape = Regex @"^\d+\.\d+(\.\d+){0,2}(-[0-9A-Za-z.-]+)?$"

/// The name that was probably meant: small letters, digits, and hyphens for the rest.
let private tidy (name: string) =
    let hyphens = Regex.Replace(name.ToLowerInvariant(), "[^a-z0-9]+", "-").Trim('-')
    Regex.Replace(hyphens, "^[0-9-]+", "")

let private checkName (name: string) =
    if not (nameShape.IsMatch name) then
        let example =
            match tidy name with
            | "" -> "my-task"
            | tidied -> tidied

        refuse
            $"'{name}' cannot be the name of a candidate: it takes small letters and digits, with single hyphens between them, and begins with a letter, like '{example}'"

    if name.Length > 40 then
        refuse $"'{name}' is too long for a name: it has {name.Length} letters, and tables have room for 40"

    if List.contains name reserved then
        refuse $"'{name}' is a folder of another kind among the candidates; choose another name"

let private checkPackage (name: string) (package: Package) =
    if not (idShape.IsMatch package.Id) then
        refuse
            $"--package: '{package.Id}' is not the id of a package; ids look like 'Ply' or 'FsToolkit.ErrorHandling'"

    if not (versionShape.IsMatch package.Version) then
        refuse
            $"--version: '{package.Version}' is not a version; one exact version is pinned, like '0.3.1' or '2.0.0-beta.1'"

    // NuGet takes a project for the package of the same name, and reports a cycle.
    if name = package.Id.ToLowerInvariant() then
        refuse
            $"'{name}' is the name of the package itself, and NuGet would see a cycle; add the measured part to the name, like '{name}-task'"

/// The package that two options name together.
let package (id: string option) (version: string option) : Package option =
    match id, version with
    | Some id, Some version -> Some { Id = id; Version = version }
    | None, None -> None
    | Some id, None ->
        refuse $"--package {id} needs --version: a candidate pins one version, or its figures mean nothing"
    | None, Some version -> refuse $"--version {version} needs --package, to name the package of that version"

let private description (name: string) (package: Package option) =
    let library = package |> Option.map _.Id |> Option.defaultValue "FSharp.Core"
    let family = if package.IsSome then "package" else "fsharp"

    $$"""{
  "name": "{{name}}",
  "label": "{{name}} { }",
  "family": "{{family}}",
  "library": "{{library}}",
  "evaluator": "Wrapped",
  "syncFn": true,
  "order": 200,
  "description": "One sentence about {{name}}."
}
"""

let private effect (name: string) =
    $"""// The effect: FSharp.Core's `task`, until {name} takes its place.
namespace Plait.Candidate

open System.Threading.Tasks

/// The result of evaluation: the type that your builder makes.
type Effect<'a> = Task<'a>

/// The builder.
[<AutoOpen>]
module EffectBuilder =
    /// Writes effects: put your builder here.
    let effect = task

/// Ways into the effect and out of it.
module Effect =
    /// Waits for a task.
    let ofTask (running: Task<'a>) : Effect<'a> = effect {{ return! running }}

    /// Starts it on the calling thread; it is awaited once.
    let start (work: Effect<'a>) : ValueTask<'a> = ValueTask<'a> work
"""

let private project (package: Package) =
    $"""<Project Sdk="Microsoft.NET.Sdk">
  <!-- If `let!` of the builder is an extension member: <PropertyGroup><Opens>Its.Namespace</Opens></PropertyGroup> -->
  <Import Project="../../Candidate.FSharp.props" />

  <ItemGroup>
    <PackageReference Include="{package.Id}" VersionOverride="{package.Version}" />
  </ItemGroup>
</Project>
"""

let private readme (name: string) (package: Package option) =
    let builds =
        match package with
        | Some _ ->
            $"It is fetched and built when a run asks for it: `plait lab fizzbuzz --only {name}` (`--feed DIR` for packages in a folder). If the assembly of the package is not called like the package, correct `library` in candidate.json: the references of the assembly are checked against it."
        | None ->
            $"Build it with `dotnet build candidates/Candidates.proj -c Release`, then `plait lab fizzbuzz --only {name}`. If it is about a library, name its assembly under `library` in candidate.json: the references of the candidate are checked against it."

    $"""# {name}

Edit Effect.fs (the type, the builder, the way in from a task and out to a ValueTask) and the texts in candidate.json; the
rest is shared. {builds}
"""

/// The files of a new candidate in `folder`, which holds the candidates of a repository. Raises BadInput when that is no
/// such folder, the name cannot be one or is taken, or the package is not one.
let files (folder: string) (name: string) (package: Package option) : NewFile list =
    let folder = Path.GetFullPath folder
    checkName name
    Option.iter (checkPackage name) package

    if not (File.Exists(Path.Combine(folder, "Candidate.fsproj"))) then
        refuse
            $"{folder} is not a folder of candidates: it has no Candidate.fsproj; run this inside the repository, or name its candidates folder with --in DIR"

    let places = [ Path.Combine(folder, name); Path.Combine(folder, "packages", name) ]

    match places |> List.tryFind (fun place -> Directory.Exists place || File.Exists place) with
    | Some taken -> refuse $"the name '{name}' is taken: there is {taken}; choose another, or edit that one"
    | None -> ()

    let place = if package.IsSome then places[1] else places[0]

    let file content (called: string) =
        { Path = Path.Combine(place, called); Content = content }

    [
        match package with
        | Some package -> file (project package) $"{name}.fsproj"
        | None -> ()
        file (description name package) "candidate.json"
        file (effect name) "Effect.fs"
        file (readme name package) "README.md"
    ]

/// Writes them.
let write (files: NewFile list) : unit =
    for file in files do
        Files.write file.Path file.Content
