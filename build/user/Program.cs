// A user of the package, in C#: prints the results of its operations; those of the F# library too, where it has one. With the
// argument `bytes` it prints their allocations.
#if BUILDERS
if (args is ["bytes"])
{
    Console.WriteLine(User.Bytes.report(User.Door.Loops));
    return;
}
#endif
Console.WriteLine(await User.Door.Report());
#if BUILDERS
Console.WriteLine(await User.Builders.report());
#endif
