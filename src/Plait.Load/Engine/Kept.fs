// The requests of a run one by one, as many as there is room for: when there are more, each kept one is the worst of
// several that followed each other, so that no stall and no failure is thinned away.
namespace Plait.Load


/// Keeps samples in the order in which they ended. Takes its memory at the start.
type internal Kept(room: int) =
    let samples = Array.zeroCreate<Sample> room
    let mutable count = 0
    let mutable each = 1
    let mutable group = 0

    let isWorse (one: inref<Sample>) (other: inref<Sample>) =
        if (one.Fate = Fate.Right) <> (other.Fate = Fate.Right) then
            one.Fate <> Fate.Right
        else
            one.Done - one.Intended > other.Done - other.Intended

    let halve () =
        for index in 0 .. count / 2 - 1 do
            let first = &samples[2 * index]
            let second = &samples[2 * index + 1]
            samples[index] <- if isWorse &second &first then second else first

        count <- count / 2
        each <- each * 2

    /// Adds one.
    member _.Add(sample: Sample) : unit =
        if group = 0 then
            if count = room then
                halve ()

            samples[count] <- sample
            count <- count + 1
        else
            let held = &samples[count - 1]

            if isWorse &sample &held then
                held <- sample

        group <- if group + 1 = each then 0 else group + 1

    /// What is kept.
    member _.ToArray() : Sample[] = Array.sub samples 0 count
