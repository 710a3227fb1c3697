// Opens standard input, output and error where a program was started without them (`program >&-`).
//
// The next file, socket or event queue that is opened would otherwise get the free number, and results would be written
// into it. Swift cannot come first: before an asynchronous `main`, libdispatch has opened descriptors of its own.
#include <errno.h>
#include <fcntl.h>

// 101 is the first priority for programs, before the constructors of libraries that are linked into this one.
__attribute__((constructor(101))) static void open_standard_streams(void) {
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
        // The other way round: to use it fails with EBADF, as if it were closed. It gets the lowest free number, which is
        // this one, and is passed on to programs that are run.
        open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
    }
}
