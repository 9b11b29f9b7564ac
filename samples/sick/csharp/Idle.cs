// Nothing is done: a timer looks for work every second and finds none.
// doctor: HEALTHY
namespace Sick;

static class Night
{
    static int _looks;
    static Timer? _timer;

    public static void Start() => _timer = new Timer(_ => _looks++, null, 1000, 1000);
}
