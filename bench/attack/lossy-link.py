# For bench/attack-machines.sh: joins two TAP devices to one link that loses packets. Arguments: the devices, and the share that
# is lost (0 to 1). Prints how many packets came and how many were lost when it is ended.
import fcntl, os, random, select, signal, struct, sys

one, other, loss = sys.argv[1], sys.argv[2], float(sys.argv[3])


def tap(name):
    handle = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(handle, 0x400454CA, struct.pack("16sH", name.encode(), 0x0002 | 0x1000))  # TUNSETIFF, IFF_TAP | IFF_NO_PI
    return handle


ends = [tap(one), tap(other)]
random.seed(1)
came = lost = 0
going = True


def end(*_):
    global going
    going = False


signal.signal(signal.SIGTERM, end)
print("ready", flush=True)
while going:
    for end_ in select.select(ends, [], [], 0.2)[0]:
        packet = os.read(end_, 65536)
        came += 1
        if random.random() < loss:
            lost += 1
        else:
            try:
                os.write(ends[1 - ends.index(end_)], packet)
            except OSError:
                pass  # the other end is not up yet
print(f"{came} packets, {lost} lost", flush=True)
