// Under test: null in place of an argument, for every parameter of a reference type in the C# door. The answer is an
// ArgumentNullException that names the parameter, from the call or from its result; never a NullReferenceException.
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.FSharp.Core;

namespace Plait.Tests.CSharp;

public class NullArguments
{
    /// <summary>
    /// The types that C# calls: all of the namespace but the modules and builders of F#, and what only the compiler calls.
    /// </summary>
    private static readonly Type[] Types =
    [
        .. from assembly in (Assembly[])[typeof(PooledTask).Assembly, typeof(BlockingPool).Assembly]
           from type in assembly.GetExportedTypes()
           where type.Namespace == "Plait" && !type.IsInterface && !type.IsNested
           where !type.GetCustomAttributes<CompilationMappingAttribute>().Any(mapping => mapping.SourceConstructFlags == SourceConstructFlags.Module)
           where !type.Name.Contains("Builder", StringComparison.Ordinal) && !Bases(type).Any(name => name.EndsWith("Members", StringComparison.Ordinal))
           select type.IsGenericTypeDefinition ? Closed(type) : type,
    ];

    /// <summary>One row a parameter.</summary>
    public static TheoryData<string, string> Parameters
    {
        get
        {
            var rows = new TheoryData<string, string>();
            foreach ((MethodBase member, ParameterInfo parameter) in All()) rows.Add(Signature(member), parameter.Name!);
            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Parameters))]
    public async Task Null_is_an_ArgumentNullException_that_names_the_parameter(string member, string parameter)
    {
        (MethodBase method, ParameterInfo refused) =
            All().Single(one => Signature(one.Member) == member && one.Parameter.Name == parameter);
        ArgumentNullException error =
            await Assert.ThrowsAsync<ArgumentNullException>(() => Within.Result("It", Outcome(method, refused)));
        Assert.Equal(parameter, error.ParamName);
    }

    [Fact]
    public void Every_public_type_is_tested_with_null()
    {
        string[] looked = [.. All().Select(one => one.Member.DeclaringType!.Name).Distinct()];

        foreach (Type type in (Type[])
            [typeof(PooledTask), typeof(PooledTask<int>), typeof(PooledValueTaskSource), typeof(PooledValueTaskSource<int>),
             typeof(ValueTaskCompletionSource<int>), typeof(LazyTaskCompletionSource), typeof(LazyTaskCompletionSource<int>),
             typeof(Pool), typeof(StrandCombinators), typeof(ValueTaskCombinators), typeof(PooledValueTaskCombinators),
             typeof(TaskCombinators), typeof(RetryPolicy), typeof(Strand<int>), typeof(BlockingPool), typeof(StarvationMonitor)])
            Assert.Contains(type.Name, looked);
    }

    [Fact]
    public async Task A_null_among_the_starts_is_an_error_of_the_result()
    {
        Func<ValueTask<int>>[] starts = [null!];
        ArgumentNullException error = await Assert.ThrowsAsync<ArgumentNullException>(
            () => Within.Result("WhenAllThrottled", starts.WhenAllThrottled(1).AsTask()));
        Assert.Equal("starts", error.ParamName);
    }

    [Fact]
    public async Task An_operation_beside_a_null_delegate_is_consumed()
    {
        var source = PooledValueTaskSource<int>.Create();
        ValueTask<int> operation = source.Task;
        Task<int> refused = operation.Select((Func<int, int>)null!).AsTask();
        source.SetResult(1);
        await Assert.ThrowsAsync<ArgumentNullException>(() => Within.Result("Select", refused));
        Assert.False(source.IsValid);
    }

    private static IEnumerable<(MethodBase Member, ParameterInfo Parameter)> All() =>
        from type in Types
        from member in (MethodBase[])
            [.. type.GetConstructors(),
             .. type.GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly)
                 .Select(method => method.IsGenericMethodDefinition ? Closed(method) : method)]
        // an override says whether it is equal; an event ignores null as all events do; nodes are for the builders alone
        where member.Name is not ("Equals" or "From")
        where !member.Name.StartsWith("add_", StringComparison.Ordinal) && !member.Name.StartsWith("remove_", StringComparison.Ordinal)
        from parameter in member.GetParameters()
        where !parameter.ParameterType.IsValueType && !parameter.ParameterType.IsByRef && !parameter.HasDefaultValue
        // functions of F# are never null
        where !parameter.ParameterType.Name.StartsWith("FSharpFunc", StringComparison.Ordinal)
        // null is a result as good as any other
        where !(parameter.Name is "result" or "value" && parameter.ParameterType == typeof(string) && member.Name != "Return")
        select (member, parameter);

    private static IEnumerable<string> Bases(Type type)
    {
        for (Type? at = type; at is not null; at = at.BaseType) yield return at.Name.Split('`')[0];
    }

    private static Type Closed(Type type) => type.MakeGenericType([.. type.GetGenericArguments().Select(_ => typeof(string))]);

    private static MethodInfo Closed(MethodInfo method) =>
        method.MakeGenericMethod([.. method.GetGenericArguments().Select(_ => typeof(string))]);

    private static string Signature(MethodBase member) => $"{member.DeclaringType!.Name}: {member}";

    /// <summary>Calls the member with null for the parameter and awaits what it gives.</summary>
    private static async Task<object?> Outcome(MethodBase member, ParameterInfo refused)
    {
        object?[] arguments =
            [.. member.GetParameters().Select(parameter => parameter.Position == refused.Position ? null : Sample(parameter))];
        object? outcome;

        try
        {
            outcome = member is ConstructorInfo constructor
                ? constructor.Invoke(arguments)
                : member.Invoke(member.IsStatic ? null : Instance(member.DeclaringType!), arguments);
        }
        catch (TargetInvocationException wrapped) when (wrapped.InnerException is not null)
        {
            throw wrapped.InnerException;
        }

        object? task = outcome?.GetType().GetMethod("AsTask", Type.EmptyTypes)?.Invoke(outcome, null) ?? outcome;
        if (task is Task waited) await waited;
        if (outcome is IAsyncEnumerable<string> items) await items.GetAsyncEnumerator().MoveNextAsync();
        if (outcome is IAsyncEnumerable<int> places) await places.GetAsyncEnumerator().MoveNextAsync();
        return outcome;
    }

    /// <summary>A pending source where the type has such, else the default.</summary>
    private static object? Instance(Type type) =>
        type == typeof(BlockingPool) ? BlockingPool.Shared
        : type.GetMethod("Create", Type.EmptyTypes)?.Invoke(null, null) ?? RuntimeHelpers.GetUninitializedObject(type);

    /// <summary>Something good enough for the parameters beside the refused one.</summary>
    private static object? Sample(ParameterInfo parameter) =>
        parameter.ParameterType == typeof(int) ? 1
        : parameter.HasDefaultValue ? null
        : parameter.ParameterType.IsValueType ? RuntimeHelpers.GetUninitializedObject(parameter.ParameterType)
        : parameter.ParameterType == typeof(string) ? ""
        : parameter.ParameterType == typeof(BlockingPool) ? BlockingPool.Shared
        : parameter.ParameterType == typeof(BlockingPoolSettings) ? new BlockingPoolSettings()
        : parameter.ParameterType == typeof(RetryPolicy) ? new RetryPolicy()
        : parameter.ParameterType == typeof(IEnumerable<string>) ? Array.Empty<string>()
        : parameter.ParameterType == typeof(IAsyncEnumerable<string>) ? Array.Empty<ValueTask<string>>().WhenEach()
        : parameter.ParameterType == typeof(Task) ? Task.CompletedTask
        : parameter.ParameterType == typeof(Task<string>) ? Task.FromResult("")
        : parameter.ParameterType.IsSubclassOf(typeof(Delegate)) ? Answering(parameter.ParameterType)
        : throw new NotSupportedException($"No sample for {parameter} of {parameter.Member}.");

    /// <summary>A function of that type that answers with a default.</summary>
    private static Delegate Answering(Type type)
    {
        MethodInfo invoke = type.GetMethod("Invoke")!;
        IEnumerable<ParameterExpression> parameters = invoke.GetParameters().Select(one => Expression.Parameter(one.ParameterType));
        return Expression.Lambda(type, Expression.Default(invoke.ReturnType), parameters).Compile();
    }
}
