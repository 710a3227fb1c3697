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
        // Where the folder cannot be opened, that would not help.
        #expect(
            service.toRead(folder.path("none/key.pem"))
                == "for the service, put it into a folder that the group \(group) may open")
    }

    @Test("to write needs a folder that its unit names")
    func write() {
        #expect(
            InstalledService.contentServer.toWrite
                == "for the service, name the folder in ReadWritePaths= (sudo systemctl edit beacon-content-server)")
    }
}
