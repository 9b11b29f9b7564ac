// The attribute that names a builder under a short name, as a library with several targets writes it. Quoted by
// docs/how-to/use-from-csharp.md.
global using Plait.MethodBuilders;
#if NET8_0_OR_GREATER
global using Pooled = System.Runtime.CompilerServices.AsyncMethodBuilderAttribute;
#else
namespace Plait.MethodBuilders
{
    struct PooledValueTaskMethodBuilder { }
    struct PooledValueTaskMethodBuilder<T> { }

    [System.AttributeUsage(System.AttributeTargets.Method)]
    sealed class Pooled : System.Attribute
    {
        public Pooled(System.Type _) { }
    }
}
#endif
