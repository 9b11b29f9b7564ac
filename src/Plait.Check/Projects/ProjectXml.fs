// The XML of project and solution files, their paths, and their references.
module internal Plait.Check.ProjectXml

open System
open System.IO
open System.Xml
open System.Xml.Linq

open Plait.Common

/// The XML of a project or of a solution. Raises BadInput if there is no such file, or if it is not XML.
let load (what: string) (file: string) : XDocument =
    try
        Files.read what file XDocument.Load
    with :? XmlException as trouble ->
        raise (
            BadInput
                $"{file} cannot be read as {what}: {trouble.Message.TrimEnd '.'}; mend the file, and check again"
        )

/// The XML of a project; None: it cannot be read, and the read of the project gives the reason.
let tryLoad (file: string) : XDocument option =
    try
        Some(load "a project" file)
    with :? BadInput ->
        None

/// The elements of a name, in any namespace.
let elements (name: string) (document: XDocument) : XElement list =
    [
        for element in document.Descendants() do
            if element.Name.LocalName.Equals(name, StringComparison.OrdinalIgnoreCase) then
                element
    ]

/// An attribute; None: absent or empty.
let attribute (name: string) (element: XElement) : string option =
    match element.Attribute(XName.Get name) with
    | null -> None
    | found when String.IsNullOrWhiteSpace found.Value -> None
    | found -> Some(found.Value.Trim())

/// A path of a project file, as a whole path on this machine.
let path (folder: string) (written: string) : string =
    Path.GetFullPath(Path.Combine(folder, written.Trim().Replace('\\', Path.DirectorySeparatorChar)))

/// The name of a file with its extension, and without its folder.
let nameOf (file: string) : string = Path.GetFileName file |> string

/// The name of a file without its extension.
let baseNameOf (file: string) : string =
    Path.GetFileNameWithoutExtension file |> string

/// The folder of a file.
let folderOf (file: string) : string =
    Path.GetDirectoryName(Path.GetFullPath file) |> Option.ofObj |> Option.defaultValue "/"

/// A file in its folder without symbolic links: MSBuild names a referenced project so, and projects are told apart by their
/// files.
let located (file: string) : string =
    Path.Combine(Files.resolved (folderOf file), nameOf file)

/// The F# projects that a project references by paths without properties.
let references (file: string) (document: XDocument) : string list =
    [
        for element in elements "ProjectReference" document do
            match attribute "Include" element with
            | Some written when not (written.Contains "$(") ->
                for one in written.Split(';', StringSplitOptions.RemoveEmptyEntries) do
                    if one.Trim().EndsWith(".fsproj", StringComparison.OrdinalIgnoreCase) then
                        located (path (folderOf file) one)
            | _ -> ()
    ]
