import CLinux
import Foundation

/// Starts a program with what it prints in files of a folder.
///
/// - Parameters:
///   - program: its path; one without a slash is looked for in PATH.
///   - environment: all of its variables.
///   - input: sets its standard input up.
func spawn(
    _ program: String, _ arguments: [String], environment: [String: String], output: String, errors: String,
    input: (inout posix_spawn_file_actions_t) -> Void
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    input(&actions)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    // SwiftNIO accepts without SOCK_CLOEXEC: a connection that a server of another test closes would stay open.
    clinux_close_from(&actions, 3)

    // The threads that run tests may block or ignore signals, and a child would go on doing so.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var pointers = ([program] + arguments).map { strdup($0) } + [nil]
    var environmentPointers = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (pointers + environmentPointers).forEach { free($0) } }
    var process: pid_t = 0
    let result = posix_spawnp(&process, program, &actions, &attributes, &pointers, &environmentPointers)
    guard result == 0 else {
        throw RunningProgram.Failure(description: "\(program) cannot be run: \(String(cString: strerror(result)))")
    }
    return process
}

/// Lets a program end when it does, without a zombie.
func reap(_ process: pid_t) {
    Thread.detachNewThread { waitpid(process, nil, 0) }
}
