/// libdispatch calls setpriority(2) for each worker thread that it starts, also where the thread is to have the
/// priority that it has already. Under the unit's system call filter that fails, and each failure is a line in the
/// journal; elsewhere it undoes what `nice` or systemd's Nice= have set. All threads here are of one kind: the call is
/// not made. It is public: the optimiser removes it otherwise.
@_cdecl("setpriority")
public func keepPriority(_ which: CInt, _ who: UInt32, _ priority: CInt) -> CInt { 0 }
