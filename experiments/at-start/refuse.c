/* Stands between a server and the kernel, without the C library, so that it goes with every server's own.
 * FILES: the limit of open files that the server is told. GRANTED: how often io_setup() is let through before it says EAGAIN.
 * RING: io_uring_queue_init() says EPERM. */

struct limit { unsigned long soft, hard; };

static long call(long number, long a, long b, long c, long d)
{
    long result;
    register long fourth __asm__("r10") = d;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth) : "rcx", "r11", "memory");
    return result;
}

#ifdef FILES
/* RLIMIT_NOFILE is 7, prlimit64 is 302. */
int getrlimit(int what, struct limit *limit)
{
    long result = call(302, 0, what, 0, (long)limit);
    if (what == 7)
        limit->soft = limit->hard = FILES;
    return result < 0 ? -1 : 0;
}
int getrlimit64(int what, struct limit *limit) { return getrlimit(what, limit); }
int setrlimit(int what, const struct limit *limit)
{
    return what == 7 ? 0 : call(302, 0, what, (long)limit, 0) < 0 ? -1 : 0;
}
int setrlimit64(int what, const struct limit *limit) { return setrlimit(what, limit); }
#endif

#ifdef GRANTED
static int asked;
int io_setup(int requests, void *context)
{
    return asked++ < GRANTED ? (int)call(206, requests, (long)context, 0, 0) : -11;
}
#endif

#ifdef RING
int io_uring_queue_init(unsigned entries, void *ring, unsigned flags) { return -1; }
#endif
