// A user of the package, in C#: says what its operations come to; those of the F# library too, where it has one. With the argument
// `bytes` it says what they allocate.
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
