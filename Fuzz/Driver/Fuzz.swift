import CFuzzer
import FuzzTargets
import Glibc

/// What the callback of libFuzzer reads. It takes no context.
nonisolated(unsafe) private var target: FuzzTarget?

/// `fuzz TARGET [OPTION OF LIBFUZZER…]`: runs one target. `tools/fuzz` runs all.
///
///     fuzz --list              the names of all targets
///     fuzz --prepare FOLDER    writes FOLDER/TARGET/seeds/… and FOLDER/TARGET/words for all targets
@main struct Fuzz {
    static func main() throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "--list":
            for target in FuzzTarget.all { print(target.name) }
        case "--prepare" where arguments.count == 3:
            for target in FuzzTarget.all { try target.prepare(in: arguments[2]) }
        case let name?:
            guard let chosen = FuzzTarget.all.first(where: { $0.name == name }) else {
                complain("fuzz: there is no target \(name); fuzz --list names all")
                exit(2)
            }
            target = chosen
            exit(run(chosen, [arguments[0]] + arguments.dropFirst(2)))
        case nil:
            complain("usage: fuzz TARGET [OPTION OF LIBFUZZER…] | --list | --prepare FOLDER")
            exit(2)
        }
    }

    private static func run(_ target: FuzzTarget, _ arguments: [String]) -> CInt {
        let all = arguments + ["-max_len=\(target.longestInput)", "-detect_leaks=\(target.detectsLeaks ? 1 : 0)"]
        // LeakSanitizer looks once more when the program ends. libFuzzer ends it so only where nothing was found.
        if !target.detectsLeaks { atexit { _exit(0) } }
        var count = CInt(all.count)
        // libFuzzer keeps the arguments until the program ends.
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: all.count + 1)
        for (index, argument) in all.enumerated() { list[index] = strdup(argument) }
        list[all.count] = nil
        var start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = list
        return LLVMFuzzerRunDriver(&count, &start, check)
    }
}

/// Aborts for a broken invariant: libFuzzer then keeps the input as it does for a crash.
private func check(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    do {
        try target?.check(Array(UnsafeBufferPointer(start: data, count: size)))
    } catch {
        complain("broken invariant: \(error)")
        abort()
    }
    return 0
}

private func complain(_ line: String) {
    _ = write(STDERR_FILENO, line + "\n", line.utf8.count + 1)
}
