// Pure: the load of a scenario as an indexed Job of Kubernetes. Each of its pods is a generator with a share, which writes its
// JSON to a shared volume.
module Plait.Lab.Kubernetes

open System
open System.Globalization

open Plait.Load
open Plait.Common

/// The parts of a Job that a scenario does not have.
type Settings =
    {
        /// How many pods load together.
        Shares: int
        /// Scheme and host of the server.
        Target: string
        /// The image that holds the tool.
        Image: string
        /// When the counted part begins, in UTC.
        StartAt: DateTime
    }

/// The claim of the volume with the results.
let claim = "plait-results"

/// The name of the Job, and the label of its pods.
let private name = "plait-attack"

// Results are on the volume; the Job and the logs of its pods stay for a day.
let private keptSeconds = 86_400

// A pod that fails ends the others: it has done its work if its file is there. The volume may have the files of a Job before. Rules are
// judged for the whole run.
let private script (shares: int) =
    let result = "/results/share-$JOB_COMPLETION_INDEX.json"
    $"rm -f \"{result}\" || exit 1; plait \"$@\" --share \"$((JOB_COMPLETION_INDEX + 1))/{shares}\" --json \"{result}\"; test -s \"{result}\""

// Kubernetes puts the value of a variable in place of $(NAME), and $ in place of $$.
let private plain (text: string) : Yaml = Text(text.Replace("$", "$$"))

let private startText (settings: Settings) : string =
    settings.StartAt.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture)

// Generators on one machine share its cores and its network: each pod goes to another node while there are some, and has a core,
// the most that a generator uses. A limit would make it pause.
let private spread: Yaml =
    Items
        [
            Entries
                [
                    "maxSkew", Whole 1
                    "topologyKey", Text "kubernetes.io/hostname"
                    "whenUnsatisfiable", Text "ScheduleAnyway"
                    "labelSelector", Entries [ "matchLabels", Entries [ "app", Text name ] ]
                ]
        ]

let private arguments (settings: Settings) (file: ScenarioFile) : string list =
    [
        "attack"
        settings.Target + file.Requests.Head.Path
        yield! LoadArguments.ofModel file
        "--warm-up"
        $"{Portable.warmUpSeconds file}s"
        if (Arrivals.span file.Model).IsNone then
            "--duration"
            $"{Portable.durationSeconds}s"
        yield! LoadArguments.ofRequest "Kubernetes" file
        "--start-at"
        startText settings
    ]

let private merge (file: ScenarioFile) : string = LoadArguments.merge "share-*.json" file

/// The text of the Job. Raises BadInput for a scenario that cannot be run there.
let write (settings: Settings) (file: ScenarioFile) : string =
    let connections = file.Model.Connections

    if connections < settings.Shares then
        raise (
            BadInput
                $"the scenario has {connections} connections, and each of {settings.Shares} shares needs one; use --shares {connections} at most, or more connections in the scenario"
        )

    match file.Requests with
    | [ _ ] -> ()
    | several ->
        raise (
            BadInput
                $"the scenario has {several.Length} requests, and a Job has one; export one scenario for each"
        )

    let container =
        Entries
            [
                "name", Text "plait"
                "image", Text settings.Image
                "command", Items([ "/bin/sh"; "-c"; script settings.Shares; "plait" ] |> List.map plain)
                "args", Items(arguments settings file |> List.map plain)
                "resources", Entries [ "requests", Entries [ "cpu", Text "1" ] ]
                "volumeMounts", Items [ Entries [ "name", Text "results"; "mountPath", Text "/results" ] ]
            ]

    let volume =
        Entries [ "name", Text "results"; "persistentVolumeClaim", Entries [ "claimName", Text claim ] ]

    let pod =
        Entries
            [
                "restartPolicy", Text "Never"
                "topologySpreadConstraints", spread
                "containers", Items [ container ]
                "volumes", Items [ volume ]
            ]

    let job =
        Entries
            [
                "apiVersion", Text "batch/v1"
                "kind", Text "Job"
                "metadata", Entries [ "name", Text name ]
                "spec",
                Entries
                    [
                        "completionMode", Text "Indexed"
                        "completions", Whole settings.Shares
                        "parallelism", Whole settings.Shares
                        "backoffLimit", Whole 0
                        "ttlSecondsAfterFinished", Whole keptSeconds
                        "template",
                        Entries
                            [ "metadata", Entries [ "labels", Entries [ "app", Text name ] ]; "spec", pod ]
                    ]
            ]

    let header =
        [
            $"# {Printable.line file.Title}, for Kubernetes. Made by 'plait lab export --to kubernetes'."
            $"# The counted part begins at {startText settings}, after {Portable.warmUpSeconds file}s of warm-up: all pods must run by then."
            "# If their image takes long to pull, export with a later time: --start-in 10m."
            $"# The pods write to the claim {claim}. Then: {merge file}"
        ]

    String.concat "\n" (header @ Yaml.lines "" job) + "\n"
