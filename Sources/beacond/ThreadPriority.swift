/// libdispatch calls setpriority(2) for each worker thread that it starts, even if the thread already has that
/// priority. Under the unit's system call filter the call fails, and each failure adds a line to the journal. Elsewhere
/// it reverts what `nice` or systemd's Nice= have set. All threads here have the same priority, so this replaces the
/// call. It must not be internal, or the optimiser removes it.
@_cdecl("setpriority")
public func keepPriority(_ which: CInt, _ who: UInt32, _ priority: CInt) -> CInt { 0 }
