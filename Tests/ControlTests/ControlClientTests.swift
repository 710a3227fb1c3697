import Console
import ControlClient
import Settings
import TestSupport
import Testing

@Suite("A client of the control socket", .timeLimit(.minutes(10)))
struct ControlClientTests {
    @Test("gives a daemon up that takes the connection and never answers, and says what to do")
    func hanging() async throws {
        let silent = try SilentSocket()
        let client = ControlClient(socket: silent.path)
        let asked = await #expect(throws: ControlClientError.self) {
            _ = try await client.get("/v1/status", within: .milliseconds(200))
        }
        let told = await #expect(throws: ControlClientError.self) {
            _ = try await client.post("/v1/reload", within: .milliseconds(200))
        }
        withExtendedLifetime(silent) {}
        for error in [asked, told] {
            #expect(error?.place == silent.path && error?.problem.contains("has not answered") == true)
            #expect(error?.remedy.contains("systemctl status beacond") == true)
            #expect(error?.code == .connectionLost)
        }
    }

    @Test("does not wait for a place among those who wait to be let in")
    func full() throws {
        let silent = try SilentSocket(room: 0)
        for _ in 0..<3 { #expect(ControlSocket.look(silent.path) == .running) }
        withExtendedLifetime(silent) {}
    }
}
