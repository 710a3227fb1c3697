/// Writes a shell script that can be run.
///
/// Another program writes it. If this process had it open for writing, a program that another test starts at that
/// moment would have it open too until it runs, and the kernel would refuse to run the script: ETXTBSY, execve(2).
package func writeScript(_ text: String, to path: String) async throws {
    let end = try await RunningProgram.run(
        "/bin/sh", ["-c", "cat >\"$0\" && chmod 755 \"$0\"", path], input: .text(text))
    guard end.status == 0 else { throw RunningProgram.Failure(description: "no script at \(path): \(end.errors)") }
}
