// Under test: Pool, in the ways in which C# calls it.
namespace Plait.Tests.CSharp;

public class Pools
{
    private sealed class Item;

    [Fact]
    public void An_object_is_rented_or_null_in_one_expression()
    {
        Item made = Pool.TryRent<Item>() ?? new Item();
        Pool.Return(made);
        Assert.Same(made, Pool.TryRent<Item>());
        Assert.Null(Pool.TryRent<Item>());
        Pool.Return(made);
        Assert.True(Pool.TryRent<Item>(out Item? rented));
        Assert.Same(made, rented);
        Assert.False(Pool.TryRent(out Item? none));
        Assert.Null(none);
        Assert.Throws<InvalidOperationException>(() => Pool.TryRent<object>());
    }

    [Fact]
    public void A_value_is_boxed_by_reference_or_not()
    {
        (int Number, string Name) value = (1, "one");
        object first = Pool.Box(in value);
        object second = Pool.Box(value);
        object third = Pool.Box((2, "two"));
        value = (3, "three"); // too late for the boxes
        Assert.Equal((1, "one"), Pool.UnboxAndReturn<(int, string)>(first));
        Assert.Equal((1, "one"), Pool.UnboxAndReturn<(int, string)>(second));
        Assert.Equal((2, "two"), Pool.UnboxAndReturn<(int, string)>(third));
    }
}
