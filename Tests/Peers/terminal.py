"""Runs a program on an emulated terminal, and tells what stands there afterwards.

    terminal.py COLUMNS ROWS UPDATES FROM PROGRAM [ARGUMENT…]

UPDATES is the number of times that the program has to draw in place before it is told to end; 0 waits for its own end.
They count from when the text FROM stands on the screen, which may be empty: a program may have nothing to show at first.
It is told to end while FROM stands there, since a starved program may have nothing to show for a while. If FROM does not
stand there any more at its end, or its last drawing has come only in part, the rows are those of that moment.
Prints one JSON object: the exit status, how often a line went beyond the last column, how often it was drawn in place,
and the rows as lists of cells, in which the second cell of a wide character is empty.
"""

import errno
import fcntl
import json
import os
import pty
import signal
import struct
import sys
import termios

import pyte
from wcwidth import wcwidth


# A drawing ends with the erasure of what is below it, and each of its rows with that of what is right of it.
DRAWN, ROW = b"\x1b[J", b"\x1b[K"


class Screen(pyte.HistoryScreen):
    """Counts lines that wrap."""

    wraps = 0

    def draw(self, data: str) -> None:
        for character in data:
            if self.cursor.x + max(0, wcwidth(character)) > self.columns:
                self.wraps += 1
            super().draw(character)

    def shows(self, text: str) -> bool:
        """Whether a line has this text. `display` fails where half of a wide character was overwritten."""
        lines = ("".join(self.buffer[row][column].data for column in range(self.columns)) for row in range(self.lines))
        return any(text in line for line in lines)

    def cells(self) -> list[list[str]]:
        """The rows, those above the screen first."""
        lines = list(self.history.top) + [self.buffer[row] for row in range(self.lines)]
        return [[line[column].data for column in range(self.columns)] for line in lines]


def main() -> None:
    columns, rows, updates = (int(argument) for argument in sys.argv[1:4])
    start, command = sys.argv[4], sys.argv[5:]
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    screen = Screen(columns, rows, history=10_000)
    stream = pyte.ByteStream(screen)
    drawn, shown, has_started, rest = 0, None, not start, b""
    while True:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        if not data:
            break
        # Of the next drawing, a part may have come already.
        end = data.rfind(DRAWN) + len(DRAWN) if DRAWN in data else 0
        stream.feed(data[:end])
        is_shown = end > 0 and (not start or screen.shows(start))
        has_started = has_started or is_shown
        if has_started:
            drawn += data.count(DRAWN)
        if updates and drawn >= updates and is_shown and shown is None:
            shown = screen.cells()
            os.kill(child, signal.SIGTERM)
        stream.feed(data[end:])
        rest = data[end:] if end else rest + data
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    is_whole = ROW not in rest and (not start or screen.shows(start))
    cells = screen.cells() if shown is None or is_whole else shown
    print(json.dumps({"status": status, "wraps": screen.wraps, "updates": drawn, "rows": cells}))


main()
