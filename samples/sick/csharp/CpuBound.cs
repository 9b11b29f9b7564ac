// Nothing blocks, and still orders wait: each takes a tenth of a second of a processor, and there are more of them than
// processors. More threads would not help; less work, or more processors, would.
// doctor: CPU-BOUND
using System.Security.Cryptography;

namespace Sick;

static class Passwords
{
    public static byte[] Hash(int order)
    {
        var hash = BitConverter.GetBytes(order);
        for (var round = 0; round < 200_000; round++)
            hash = SHA256.HashData(hash);
        return hash;
    }

    public static void Start() => Load.Backlog(order => Hash(order));
}
