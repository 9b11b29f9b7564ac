// An async void method raises an error after two seconds. Nobody can catch it, and it ends the process. Instead: a method that returns
// its Task, which somebody awaits. It is no program of the gallery: `plait doctor run` must say that it failed.
namespace Sick;

static class Crash
{
    static async void Ship()
    {
        await Task.Delay(2000);
        throw new InvalidOperationException("an order was lost");
    }

    public static void Start() => Ship();
}
