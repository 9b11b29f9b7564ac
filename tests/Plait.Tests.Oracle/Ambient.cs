namespace Plait.Tests.Oracle;

/// <summary>The one AsyncLocal that the tests watch.</summary>
public static class Ambient
{
    private static readonly AsyncLocal<int> Local = new();

    /// <summary>The value in the current execution context.</summary>
    public static int Value
    {
        get => Local.Value;
        set => Local.Value = value;
    }
}
