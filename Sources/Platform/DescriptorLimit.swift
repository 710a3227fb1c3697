import Glibc

/// How many file descriptors this process may have open (getrlimit(2), RLIMIT_NOFILE).
///
/// The usual soft limit of 1,024 is for programs that use select(2). Some libraries end the program when no descriptor
/// is left, so some should always be free.
package enum DescriptorLimit {
    /// More than any program here needs. A higher limit is left unchanged.
    static let enough: rlim_t = 8192

    /// The minimum for beacond: its sources, the content site and a few clients.
    package static let least = 128

    /// The current limit.
    package static var current: Int { Int(clamping: limits.rlim_cur) }

    /// Raises the soft limit as far as useful and as the hard limit allows. Never lowers it.
    package static func raise() {
        var limits = limits
        let wanted = min(limits.rlim_max, enough)
        guard limits.rlim_cur < wanted else { return }
        limits.rlim_cur = wanted
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    }

    /// The problem with the limit and its remedy, if beacond could not work with it; otherwise nil.
    package static var problem: String? {
        guard current < least else { return nil }
        return "only \(current) file descriptors may be open, and it needs \(least); "
            + "raise the hard limit (ulimit -Hn, LimitNOFILE= in systemd)"
    }

    private static var limits: rlimit {
        var limits = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        return limits
    }
}
