// A user of the package, in C#: says what its operations come to; those of the F# library too, where it has one.
Console.WriteLine(await User.Door.Report());
#if BUILDERS
Console.WriteLine(await User.Builders.report());
#endif
