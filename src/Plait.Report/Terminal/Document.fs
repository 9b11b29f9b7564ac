// A document for the page that is made of panels alone, as one of load runs is.
module Plait.Report.Document

open System

/// Where nothing is known of where it ran.
let unknownEnvironment: RunEnvironment =
    {
        Os = "not known"
        Kernel = None
        Architecture = "not known"
        Cpu = None
        Cores = 0
        Runtime = "not known"
        Sdk = None
        Gc = "not known"
        TieredPgo = false
        Git = None
        Dirty = false
        ServerCore = None
        ClientCore = None
        Pinning = "not known"
        LoadAverage = None
        StealPercent = None
        Packages = Map.empty
        Variables = Map.empty
    }

/// A document of panels alone: rows of comparisons, and what belongs to them, are empty.
let ofPanels
    scenario
    title
    command
    (started: DateTime)
    (ended: DateTime)
    complete
    environment
    warnings
    panels
    : Results =
    {
        Schema = Results.CurrentSchema
        Scenario = scenario
        Title = title
        StartedUtc = Results.Stamp started
        EndedUtc = Results.Stamp ended
        Complete = complete
        Command = command
        Seed = 0
        Base = ""
        Margin = 0.0
        Settings =
            {
                Launches = 0
                Pairs = 0
                SliceMilliseconds = 0
                WarmUpMilliseconds = 0
                Connections = 0
            }
        Environment = environment
        Warnings = warnings
        Rows = []
        Published = []
        Panels = panels
        Stopping = None
    }
