import CVips
import Text

/// What takes this process's rights away, in the order in which it is done: limits at once, files and the network when
/// libvips is loaded, and other system calls when it has started.
final class Protection {
    private var inForce: [String] = []
    private var missing: [String] = []

    init(limits: Request) {
        note("no_new_privs", csandbox_no_new_privileges() == 0)
        note("dumpable", csandbox_not_dumpable() == 0)
        note("parent_death", csandbox_die_with_parent() == 0)
        note("core", csandbox_limit_cores() == 0)
        note("memory", csandbox_limit_memory(limits.memory) == 0)
        note("cpu", csandbox_limit_seconds(60) == 0)
        note("file_size", csandbox_limit_file(512 << 20) == 0)
    }

    /// From here on no file can be opened.
    func closeFiles() {
        note("descriptors", csandbox_limit_descriptors(32) == 0)
        let version = csandbox_landlock_version()
        note("landlock", version > 0 && csandbox_landlock(version) == 0)
    }

    /// From here on the process only computes.
    func closeSystem() {
        note("seccomp", csandbox_filter() == 0)
    }

    private func note(_ name: String, _ isDone: Bool) {
        if isDone { inForce.append(name) } else { missing.append(name) }
    }

    func write(_ json: inout JSONText, libvips: String) {
        json.value("libvips", libvips)
        json.array("protections") { json in for name in inForce { json.value(nil, name) } }
        json.array("missing") { json in for name in missing { json.value(nil, name) } }
    }
}
