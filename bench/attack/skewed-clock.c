// For bench/attack-machines.sh: a process that this is preloaded into reads a wall clock that is SKEW_NANOSECONDS ahead.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long skew(void) {
  const char *text = getenv("SKEW_NANOSECONDS");
  return text ? atoll(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int code = syscall(SYS_clock_gettime, clock, time);
  if (code == 0 && clock == CLOCK_REALTIME) {
    long long all = time->tv_sec * 1000000000LL + time->tv_nsec + skew();
    time->tv_sec = all / 1000000000LL;
    time->tv_nsec = all % 1000000000LL;
  }
  return code;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}
