// Paths and counts as outputs show them.
module internal Plait.Check.Locations

open System
open System.IO

/// The path of a file relative to a folder, with slashes; the whole path if it is outside.
let shown (root: string) (file: string) : string =
    let relative = Path.GetRelativePath(root, file)

    if
        Path.IsPathRooted relative
        || relative = ".."
        || relative.StartsWith(".." + string Path.DirectorySeparatorChar)
    then
        file
    else
        relative.Replace('\\', '/')

/// The same as a URI; None: the file is outside of the folder.
let tryUri (root: string) (file: string) : string option =
    match shown root file with
    | path when path = file -> None
    | path -> path.Split('/') |> Array.map Uri.EscapeDataString |> String.concat "/" |> Some

/// "1 file", "2 files".
let counted (count: int) (one: string) (several: string) : string =
    let number = count.ToString("N0", Globalization.CultureInfo.InvariantCulture)
    if count = 1 then $"{number} {one}" else $"{number} {several}"
