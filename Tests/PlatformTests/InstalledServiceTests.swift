import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@Suite("What lets a service use a file")
struct InstalledServiceTests {
    @Test(
        "to read it needs the service's group",
        arguments: [
            (InstalledService.daemon, "beacond"), (.fleet, "beacon-fleet"), (.contentServer, "beacon-content"),
        ])
    func read(service: InstalledService, group: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.path("key.pem")
        #expect(service.toRead(file) == "for the service, as root: chgrp \(group) \(file) && chmod 640 \(file)")
        let blank = folder.path("my key.pem")
        #expect(
            service.toRead(blank) == "for the service, as root: chgrp \(group) '\(blank)' && chmod 640 '\(blank)'")
        // Where the folder cannot be opened, that would not help.
        #expect(
            service.toRead(folder.path("none/key.pem"))
                == "for the service, put it into a folder that the group \(group) may open")
    }

    @Test("what the service may read already needs another user", arguments: [0o640, 0o600] as [mode_t])
    func readable(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let file = folder.path("key.pem")
        try Data("x".utf8).write(to: URL(fileURLWithPath: file))
        try #require(chmod(file, mode) == 0)
        var status = stat()
        try #require(stat(file, &status) == 0)
        let may = "the service may: to do it yourself, be root or beacon-fleet (sudo -u beacon-fleet)"
        #expect((InstalledService.fleet.toRead(file, group: status.st_gid) == may) == (mode == 0o640))
        #expect(InstalledService.fleet.toRead(file, group: status.st_gid + 1) != may)
    }

    @Test("to write needs a folder that its unit names")
    func write() {
        #expect(
            InstalledService.contentServer.toWrite
                == "for the service, name the folder in ReadWritePaths= (sudo systemctl edit beacon-content-server)")
    }
}
