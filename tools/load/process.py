"""What the kernel tells about a process."""
import os
import pathlib
import time


class Process:
    """What the kernel counts about one process."""

    def __init__(self, pid: int):
        self.folder = pathlib.Path(f"/proc/{pid}")
        self.began = time.monotonic()
        self.cpu_before, self.wakeups_before = self.cpu, self.wakeups

    def field(self, file: str, name: str) -> int:
        for line in (self.folder / file).read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1])
        raise SystemExit(f"{self.folder / file} has no {name}")

    @property
    def cpu(self) -> float:
        """User and system time so far, in seconds."""
        fields = (self.folder / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def wakeups(self) -> dict[str, int]:
        """How often each thread has waited, and was woken."""
        counts = {}
        for task in (self.folder / "task").iterdir():
            try:
                text = (task / "status").read_text()
            except OSError:
                continue  # The thread has ended.
            counts[task.name] = int(text.split("\nvoluntary_ctxt_switches:")[1].split()[0])
        return counts

    def seconds(self) -> float:
        return time.monotonic() - self.began

    def cpu_share(self) -> float:
        return (self.cpu - self.cpu_before) / self.seconds()

    def wakeup_rate(self) -> float:
        """Per second. What a thread that has ended did is not counted."""
        after = self.wakeups
        return sum(count - self.wakeups_before.get(name, 0) for name, count in after.items()) / self.seconds()

    def private_dirty(self) -> float:
        """In MiB."""
        return self.field("smaps_rollup", "Private_Dirty") / 1024

    def resident(self) -> float:
        """In MiB."""
        return self.field("status", "VmRSS") / 1024

    def threads(self) -> int:
        return self.field("status", "Threads")
