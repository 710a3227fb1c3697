import Beacon
import BlueZ
import Bus
import Radio
import Testing
import Text

/// The way of a session: scripted messages in, actions out, no bus.
@Suite struct BluezSessionTests {
    // MARK: - Starting

    /// First the monitor, which switches the duplicate filter off, then the discovery beside it.
    @Test("takes monitor and discovery where both are offered")
    func bothWhereOffered() {
        var script = SessionScript.examined()
        #expect(script.kinds.suffix(1) == [.registerMonitor])
        _ = script.take()
        script.answer(.registerMonitor)
        #expect(script.actions.isEmpty)
        script.feed(Announced.monitorCall("Activate"))
        #expect(script.kinds == [.setDiscoveryFilter(), .startDiscovery])
        script.answer(.setDiscoveryFilter())
        script.answer(.startDiscovery)
        #expect(script.started == [.combined])
    }

    /// bluetoothd may activate the monitor before it answers.
    @Test("the monitor may be activated before its registration is answered")
    func activatedBeforeTheAnswer() {
        var script = SessionScript.examined(goal: .listen(.monitor))
        script.feed(Announced.monitorCall("Activate"))
        script.answer(.registerMonitor)
        #expect(script.started == [.monitor])
    }

    @Test("takes the monitor alone where discovery is refused")
    func monitorAloneWhereDiscoveryIsRefused() {
        var script = SessionScript.examined()
        script.answer(.registerMonitor)
        script.feed(Announced.monitorCall("Activate"))
        script.fail(.startDiscovery, "org.bluez.Error.Failed")
        #expect(script.started == [.monitor])
    }

    /// Others may be done with the adapter later.
    @Test("adds discovery later, once it is possible")
    func discoveryIsAddedLater() {
        var script = SessionScript.examined()
        script.answer(.registerMonitor)
        script.feed(Announced.monitorCall("Activate"))
        script.fail(.startDiscovery, "org.bluez.Error.Failed")
        _ = script.take()
        script.ring()
        #expect(script.kinds == [.startDiscovery])
        script.fail(.startDiscovery, "org.bluez.Error.Failed")
        script.ring()
        script.answer(.startDiscovery)
        #expect(script.started == [.combined])
        script.ring()
        #expect(script.kinds == [.startDiscovery, .startDiscovery])
    }

    /// Without a monitor the duplicate filter is on, so the scan begins anew all the time.
    @Test("refreshes a discovery that is alone")
    func discoveryAloneIsRefreshed() {
        var script = SessionScript.listening(.discovery)
        for level: Int16? in [-127, nil, -127] {
            script.ring()
            #expect(script.kinds == [.setDiscoveryFilter(level: level)])
            _ = script.take()
        }
        var combined = SessionScript.listening(.combined)
        combined.ring()
        #expect(combined.actions.isEmpty)
    }

    @Test("takes discovery where there are no monitors")
    func discoveryElse() {
        var script = SessionScript.examined([Announced.adapterPath: Announced.adapter(offersMonitors: false)])
        #expect(script.kinds.suffix(2) == [.setDiscoveryFilter(), .startDiscovery])
        script.start(.discovery)
        #expect(script.started == [.discovery])
    }

    @Test("takes only the method that is wanted")
    func onlyTheMethodThatIsWanted() {
        var combined = SessionScript.examined(goal: .listen(.combined))
        combined.fail(.registerMonitor, "org.bluez.Error.Failed", "no")
        #expect(combined.error?.code == .refused)
        let script = SessionScript.examined(goal: .listen(.discovery))
        #expect(!script.kinds.contains(.registerMonitor))
        #expect(script.kinds.contains(.startDiscovery))
        var monitor = SessionScript.examined(goal: .listen(.monitor))
        monitor.fail(.registerMonitor, "org.bluez.Error.Failed", "no")
        #expect(monitor.error?.code == .refused)
    }

    @Test(
        "takes discovery where the monitor is refused",
        arguments: ["org.bluez.Error.Failed", "org.freedesktop.DBus.Error.UnknownMethod"])
    func discoveryWhereTheMonitorIsRefused(_ name: String) {
        var script = SessionScript.examined()
        script.fail(.registerMonitor, name)
        #expect(script.kinds.suffix(2) == [.setDiscoveryFilter(), .startDiscovery])
        script.start(.discovery)
        #expect(script.started == [.discovery])
    }

    @Test("takes discovery where the monitor is released")
    func discoveryWhereTheMonitorIsReleased() {
        var script = SessionScript.examined()
        script.answer(.registerMonitor)
        script.feed(Announced.monitorCall("Release"))
        #expect(script.kinds.suffix(3) == [.unregisterMonitor, .setDiscoveryFilter(), .startDiscovery])
    }

    @Test("takes discovery where the monitor is not activated")
    func discoveryWhereTheMonitorIsNotActivated() {
        var script = SessionScript.examined()
        script.answer(.registerMonitor)
        script.ring()
        #expect(script.kinds.suffix(2) == [.setDiscoveryFilter(), .startDiscovery])
    }

    /// Else bluetoothd would keep it beside the discovery, which nobody knows.
    @Test("a monitor that is registered after discovery has taken its place is unregistered")
    func monitorRegisteredLate() {
        for isListening in [false, true] {
            var script = SessionScript.examined()
            script.ring()
            if isListening { script.start(.discovery) }
            _ = script.take()
            script.answer(.registerMonitor)
            #expect(script.kinds == [.unregisterMonitor])
            script.feed(Announced.monitorCall("Activate"))
            if !isListening { script.start(.discovery) }
            // The end has nothing more to undo for it.
            _ = script.take()
            script.feed(.stop)
            #expect(script.kinds == [.stopDiscovery])
        }
    }

    @Test("a monitor that is refused after discovery has taken its place changes nothing")
    func monitorRefusedLate() {
        var script = SessionScript.examined()
        script.ring()
        _ = script.take()
        script.fail(.registerMonitor, "org.bluez.Error.Failed")
        #expect(script.actions.isEmpty)
    }

    @Test("discovers also where the filter is refused")
    func withoutTheFilterAsWell() {
        var script = SessionScript.examined([Announced.adapterPath: Announced.adapter(offersMonitors: false)])
        script.fail(.setDiscoveryFilter(), "org.bluez.Error.NotSupported")
        script.answer(.startDiscovery)
        #expect(script.started == [.discovery])
    }

    @Test("tries a busy discovery again")
    func busyDiscoveryIsTriedAgain() {
        var script = SessionScript.examined([Announced.adapterPath: Announced.adapter(offersMonitors: false)])
        for _ in 1..<BluezSession.Limits().attempts {
            script.fail(.startDiscovery, "org.bluez.Error.InProgress")
            #expect(!script.hasEnded)
            script.ring()
        }
        script.fail(.startDiscovery, "org.bluez.Error.InProgress", "Operation already in progress")
        #expect(script.error?.problem.contains("already in progress") == true)
    }

    // MARK: - What is missing

    @Test("ends where there is no such adapter")
    func noSuchAdapter() {
        let script = SessionScript.examined([
            "/org/bluez": .dictionary([:], of: "sa{sv}"), "/org/bluez/hci2": Announced.adapter(),
            "/org/bluez/hci1": Announced.adapter(),
        ])
        #expect(script.error?.code == .cannotOpen)
        #expect(
            script.error?.description
                == "bluez:hci0: bluetoothd has no adapter hci0; there is hci1 and hci2; "
                + "name one of these, as bluez:hci1")
    }

    @Test("ends where there is no adapter at all")
    func noAdapterAtAll() {
        let script = SessionScript.examined([:])
        #expect(script.error?.problem.contains("no adapter at all") == true)
    }

    @Test("ends where the adapter is powered off")
    func poweredOff() {
        let script = SessionScript.examined([Announced.adapterPath: Announced.adapter(isPowered: false)])
        #expect(script.error?.problem == "the adapter is powered off")
        #expect(script.error?.remedy.contains("bluetoothctl power on") == true)
    }

    @Test("ends where the adapter is powered off meanwhile")
    func poweredOffMeanwhile() {
        var script = SessionScript.examined([Announced.adapterPath: Announced.adapter(offersMonitors: false)])
        script.fail(.startDiscovery, "org.bluez.Error.NotReady")
        #expect(script.error?.remedy.contains("bluetoothctl power on") == true)
    }

    @Test(
        "ends where bluetoothd cannot be used",
        arguments: [
            ("org.freedesktop.DBus.Error.ServiceUnknown", RadioError.Code.cannotOpen, "systemctl start bluetooth"),
            ("org.freedesktop.DBus.Error.NameHasNoOwner", .cannotOpen, "systemctl start bluetooth"),
            ("org.freedesktop.DBus.Error.Spawn.ChildExited", .cannotOpen, "systemctl start bluetooth"),
            ("org.freedesktop.systemd1.NoSuchUnit", .cannotOpen, "systemctl start bluetooth"),
            ("org.freedesktop.DBus.Error.AccessDenied", .notPermitted, "group"),
            ("org.freedesktop.DBus.Error.NoReply", .timedOut, "systemctl restart bluetooth"),
            ("org.freedesktop.DBus.Error.UnknownMethod", .refused, "journalctl"),
        ])
    func daemonNotUsable(_ name: String, _ code: RadioError.Code, _ remedy: String) {
        var script = SessionScript()
        script.connect()
        script.fail(.objects, name)
        #expect(script.error?.code == code)
        #expect(script.error?.remedy.contains(remedy) == true)
    }

    // MARK: - Sightings

    /// What is known already: with a level it is heard, without it is only remembered.
    @Test("reads the devices that are known already")
    func knownDevices() {
        let other = Announced.adapterPath + "/dev_C0_00_00_00_00_02"
        var script = SessionScript.examined([
            Announced.adapterPath: Announced.adapter(), Announced.path: Announced.deviceInterfaces(rssi: nil),
            other: Announced.deviceInterfaces(rssi: -66, minor: 2),
        ])
        #expect(script.sightings.map(\.beacon.id.minor) == [2])
        script.start(.combined)
        script.feed(Announced.changed(Announced.path, ["RSSI": .int16(-70)]))
        #expect(script.sightings.map(\.beacon.id.minor) == [2, 1])
        #expect(script.session.sightings == 2)
    }

    /// bluetoothd takes the levels away only when the discovery has ended, which it answers later. Every level in its
    /// list was announced before.
    @Test("devices that are listed again are not heard, but may be found again")
    func devicesListedAgain() {
        var script = SessionScript.listening()
        script.feed(Announced.added(Announced.path, Announced.deviceInterfaces(rssi: -60)))
        script.feed(Announced.monitorCall("Release"))
        script.ring()
        #expect(script.kinds.suffix(3) == [.unregisterMonitor, .stopDiscovery, .objects])
        _ = script.take()
        script.answerObjects([
            Announced.adapterPath: Announced.adapter(), Announced.path: Announced.deviceInterfaces(rssi: -60),
        ])
        script.start(.combined)
        #expect(script.sightings.isEmpty)
        script.feed(Announced.monitorCall("DeviceFound", [.path(Announced.path)]))
        #expect(script.sightings.map(\.rssi) == [-60])
        script.feed(Announced.changed(Announced.path, [:], invalidated: ["RSSI"]))
        #expect(script.sightings.count == 1)
        script.feed(Announced.changed(Announced.path, ["RSSI": .int16(-61)]))
        #expect(script.sightings.map(\.rssi) == [-60, -61])
    }

    /// They are told by the list, whose other levels may be old.
    @Test("devices that are announced while bluetoothd is asked for its objects are heard")
    func devicesAnnouncedMeanwhile() {
        let paths = (1...4).map { Announced.adapterPath + "/dev_C0_00_00_00_00_0\($0)" }
        var objects = [Announced.adapterPath: Announced.adapter()]
        for (path, minor) in zip(paths, UInt16(1)...) {
            objects[path] = Announced.deviceInterfaces(rssi: -60, minor: minor)
        }
        var script = SessionScript.listening()
        script.feed(Announced.monitorCall("Release"))
        script.ring()
        script.feed(Announced.added(paths[0], Announced.deviceInterfaces(rssi: -60)))
        script.feed(Announced.changed(paths[1], ["RSSI": .int16(-60)]))
        script.feed(Announced.changed(paths[2], ["Connected": .boolean(true)]))
        script.feed(Announced.from(":1.66", Announced.changed(paths[3], ["RSSI": .int16(-60)])))
        #expect(script.sightings.isEmpty)
        script.answerObjects(objects)
        #expect(script.sightings.map(\.beacon.id.minor) == [1, 2])
        script.start(.combined)
        // The next list is another matter.
        script.feed(Announced.monitorCall("Release"))
        script.ring()
        script.answerObjects(objects)
        #expect(script.sightings.count == 2)
    }

    @Test("the number of devices that are announced meanwhile is bounded")
    func manyDevicesAnnouncedMeanwhile() {
        var script = SessionScript.listening()
        script.feed(Announced.monitorCall("Release"))
        script.ring()
        let paths = (0...16_384).map { Announced.adapterPath + "/dev_\($0)" }
        for path in ["/org/bluez/hci1/dev_0"] + paths {
            script.feed(Announced.changed(path, ["RSSI": .int16(-60)]))
        }
        script.answerObjects([
            Announced.adapterPath: Announced.adapter(),
            paths[16_383]: Announced.deviceInterfaces(rssi: -60, minor: 1),
            paths[16_384]: Announced.deviceInterfaces(rssi: -60, minor: 2),
        ])
        #expect(script.sightings.map(\.beacon.id.minor) == [1])
    }

    /// It has no levels of an earlier one, and what it lists was not announced to this session.
    @Test("devices that another bluetoothd lists are heard")
    func devicesOfAnotherDaemon() {
        var script = SessionScript.listening()
        script.feed(Announced.owner(Announced.daemon, ""))
        script.feed(Announced.owner("", ":1.9"))
        script.answerObjects(
            [Announced.adapterPath: Announced.adapter(), Announced.path: Announced.deviceInterfaces(rssi: -60)],
            from: ":1.9")
        #expect(script.sightings.map(\.rssi) == [-60])
    }

    /// Another program's discovery may keep levels for long, and bluetoothd may not have taken them away yet.
    @Test(
        "devices that the same bluetoothd lists to the next session are not heard",
        arguments: [(Announced.daemon, []), (":1.9", [-60])] as [(String, [Int8?])])
    func devicesListedToTheNextSession(_ daemon: String, _ listed: [Int8?]) {
        var former = SessionScript.listening()
        former.pass(1...7)
        #expect(former.error?.code == .silent)
        var presence = SessionScript(.presence, listedBy: former.session.listedBy)
        presence.connect()
        presence.answerObjects([Announced.adapterPath: Announced.adapter()])
        #expect(presence.hasEnded)
        var next = SessionScript(listedBy: presence.session.listedBy)
        next.connect()
        next.answerObjects(
            [Announced.adapterPath: Announced.adapter(), Announced.path: Announced.deviceInterfaces(rssi: -60)],
            from: daemon)
        #expect(next.sightings.map(\.rssi) == listed)
        next.feed(Announced.from(daemon, Announced.changed(Announced.path, ["RSSI": .int16(-61)])))
        #expect(next.sightings.map(\.rssi) == listed + [-61])
        #expect(next.session.listedBy == daemon)
    }

    @Test("announcements become sightings", arguments: BluezSession.Method.allCases)
    func announcements(_ method: BluezSession.Method) {
        var script = SessionScript.listening(method)
        script.feed(Announced.added(Announced.path, Announced.deviceInterfaces(rssi: -60)))
        script.feed(Announced.changed(Announced.path, ["RSSI": .int16(-61)]))
        script.feed(Announced.changed(Announced.path, ["ManufacturerData": Announced.data()]))
        script.feed(Announced.removed(Announced.path, "org.bluez.Device1"))
        script.feed(Announced.changed(Announced.path, ["RSSI": .int16(-62)]))
        #expect(script.sightings.map(\.rssi) == [-60, -61, -61])
        #expect(script.sightings.allSatisfy { $0.source == 3 && $0.eventType == nil })
        #expect(script.session.signals == 5)
    }

    @Test("a device that the monitor finds again is heard again")
    func foundByMonitorAgain() {
        var script = SessionScript.listening()
        script.feed(Announced.added(Announced.path, Announced.deviceInterfaces(rssi: -60)))
        script.feed(Announced.monitorCall("DeviceFound", [.path(Announced.path)]))
        #expect(script.sightings.count == 1)
        script.feed(Announced.monitorCall("DeviceLost", [.path(Announced.path)]))
        script.feed(Announced.monitorCall("DeviceFound", [.path(Announced.path)]))
        #expect(script.sightings.count == 2)
    }

    /// Anybody on the bus can send a signal to this program.
    @Test("passes over the signals of others")
    func signalsOfOthers() {
        var script = SessionScript.listening()
        for message in [
            Announced.added(Announced.path, Announced.deviceInterfaces(rssi: -60)),
            Announced.changed(Announced.path, ["RSSI": .int16(-60), "ManufacturerData": Announced.data()]),
            Announced.removed(Announced.adapterPath, "org.bluez.Adapter1"), Announced.owner(Announced.daemon, ""),
            Announced.monitorCall("Release"),
        ] {
            script.feed(Announced.from(":1.66", message))
        }
        guard case .send(let answer) = script.actions.first else { return #expect(Bool(false), "\(script.actions)") }
        #expect(answer.failure?.name == .accessDenied)
        #expect(script.actions.count == 1)
    }

    // MARK: - bluetoothd and its adapters come and go

    @Test("follows a restart of bluetoothd")
    func restartOfTheDaemon() {
        var script = SessionScript.listening()
        script.feed(Announced.added(Announced.path, Announced.deviceInterfaces(rssi: -60)))
        script.feed(Announced.owner(Announced.daemon, ""))
        #expect(script.interruptions.map(\.problem) == ["bluetoothd has ended"])
        script.feed(Announced.owner("", ":1.9"))
        #expect(script.kinds == [.objects])
        // Its adapters come after its name, and their power after that.
        script.answerObjects([:], from: ":1.9")
        script.feed(
            Announced.from(
                ":1.9", Announced.added(Announced.adapterPath, Announced.adapter(isPowered: false))))
        script.answerObjects([Announced.adapterPath: Announced.adapter(isPowered: false)], from: ":1.9")
        script.feed(
            Announced.from(
                ":1.9",
                Announced.changed(Announced.adapterPath, of: "org.bluez.Adapter1", ["Powered": .boolean(true)])))
        script.answerObjects([Announced.adapterPath: Announced.adapter()], from: ":1.9")
        _ = script.take()
        script.start(.combined, from: ":1.9")
        #expect(script.started == [.combined])
        // The devices of the earlier one are forgotten.
        script.feed(Announced.from(":1.9", Announced.changed(Announced.path, ["RSSI": .int16(-50)])))
        #expect(script.sightings.isEmpty)
        #expect(!script.hasEnded)
    }

    /// An orderly end takes the monitor and the adapters away first.
    @Test("follows an orderly restart")
    func orderlyRestart() {
        var script = SessionScript.listening()
        script.feed(Announced.monitorCall("Release"))
        script.feed(Announced.removed(Announced.adapterPath, "org.bluez.Adapter1"))
        script.feed(Announced.owner(Announced.daemon, ""))
        script.feed(Announced.owner("", ":1.9"))
        script.answerObjects([Announced.adapterPath: Announced.adapter()], from: ":1.9")
        #expect(script.kinds.last == .registerMonitor)
        #expect(!script.hasEnded)
    }

    @Test("ends when bluetoothd stays away")
    func daemonStaysAway() {
        var script = SessionScript.listening()
        script.feed(Announced.owner(Announced.daemon, ""))
        script.ring()
        #expect(script.error?.code == .disconnected)
        #expect(script.error?.problem == "bluetoothd has ended")
    }

    /// The daemon is there again, but without this adapter.
    @Test("ends where bluetoothd is back without the adapter")
    func adapterStaysAway() {
        var script = SessionScript.listening()
        script.feed(Announced.owner(Announced.daemon, ""))
        script.feed(Announced.owner("", ":1.9"))
        script.answerObjects(["/org/bluez/hci1": Announced.adapter()], from: ":1.9")
        #expect(!script.hasEnded)
        script.ring()
        #expect(script.error?.problem.contains("there is hci1") == true)
    }

    @Test("follows a restart while it starts")
    func restartWhileStarting() {
        var script = SessionScript.examined()
        script.feed(Announced.owner(Announced.daemon, ""))
        script.fail(.registerMonitor, "org.freedesktop.DBus.Error.NoReply")
        script.feed(Announced.owner("", ":1.9"))
        script.answerObjects([Announced.adapterPath: Announced.adapter()], from: ":1.9")
        script.start(.combined, from: ":1.9")
        #expect(script.started == [.combined])
        #expect(!script.hasEnded)
    }

    /// The first call may have started it.
    @Test("bluetoothd may be started by the first call")
    func startedByTheFirstCall() {
        var script = SessionScript()
        script.connect()
        script.feed(Announced.owner("", ":1.1"))
        script.answerObjects([Announced.adapterPath: Announced.adapter()])
        #expect(script.kinds.last == .registerMonitor)
    }

    @Test("ends when the adapter is removed")
    func adapterRemoved() {
        var script = SessionScript.listening()
        script.feed(Announced.removed(Announced.adapterPath, "org.bluez.Adapter1"))
        #expect(!script.hasEnded)
        script.ring()
        #expect(script.error?.code == .disconnected)
        #expect(script.error?.problem == "the adapter is gone from bluetoothd")
    }

    @Test("goes on with an adapter that is back at once")
    func adapterBackAtOnce() {
        var script = SessionScript.listening()
        script.feed(Announced.removed(Announced.adapterPath, "org.bluez.Adapter1"))
        script.feed(Announced.added(Announced.adapterPath, Announced.adapter()))
        script.answerObjects([Announced.adapterPath: Announced.adapter()])
        script.start(.combined)
        #expect(script.started == [.combined])
        script.ring()
        #expect(!script.hasEnded)
    }

    @Test("goes on with an adapter that is back at once, also if bluetoothd takes longer to tell of it")
    func adapterBackAndAnswerLate() {
        var script = SessionScript.listening()
        script.feed(Announced.removed(Announced.adapterPath, "org.bluez.Adapter1"))
        script.feed(Announced.added(Announced.adapterPath, Announced.adapter()))
        script.ring()
        #expect(!script.hasEnded)
        script.answerObjects([Announced.adapterPath: Announced.adapter()])
        script.start(.combined)
        #expect(script.started == [.combined])
    }

    @Test("ends when the adapter is switched off")
    func switchedOff() {
        var script = SessionScript.listening(.discovery)
        script.feed(
            Announced.changed(Announced.adapterPath, of: "org.bluez.Adapter1", ["Powered": .boolean(false)]))
        script.ring()
        #expect(script.error?.code == .disconnected)
        #expect(script.error?.problem == "the adapter is powered off")
    }

    /// It is asked for again, and from the third time on done without.
    @Test("asks again for a monitor that was taken away, and does without from the third time on")
    func monitorTakenAway() {
        var script = SessionScript.listening()
        for _ in 0..<2 {
            script.feed(Announced.monitorCall("Release"))
            script.ring()
            #expect(script.kinds.suffix(3) == [.unregisterMonitor, .stopDiscovery, .objects])
            script.answerObjects([Announced.adapterPath: Announced.adapter()])
            script.start(.combined)
        }
        #expect(script.started == [.combined, .combined])
        script.feed(Announced.monitorCall("Release"))
        script.ring()
        script.answerObjects([Announced.adapterPath: Announced.adapter()])
        #expect(script.kinds.suffix(2) == [.setDiscoveryFilter(), .startDiscovery])
    }

    /// The answer must not take the place of the new beginning.
    @Test(
        "asks again for a monitor that was taken away, whatever the answer to the discovery beside it",
        arguments: [nil, "org.bluez.Error.InProgress", "org.bluez.Error.Failed"] as [String?])
    func monitorTakenAwayBeforeTheAnswer(_ failure: String?) {
        let wanted: [BluezRequest.Kind] =
            failure == nil ? [.unregisterMonitor, .stopDiscovery, .objects] : [.unregisterMonitor, .objects]
        var script = SessionScript.examined()
        script.answer(.registerMonitor)
        script.feed(Announced.monitorCall("Activate"))
        script.feed(Announced.monitorCall("Release"))
        if let failure { script.fail(.startDiscovery, failure) } else { script.answer(.startDiscovery) }
        _ = script.take()
        script.ring()
        #expect(script.kinds == wanted)

        // Also where the monitor listened alone, and discovery is tried later.
        script = .examined()
        script.answer(.registerMonitor)
        script.feed(Announced.monitorCall("Activate"))
        script.fail(.startDiscovery, "org.bluez.Error.Failed")
        script.ring()
        script.feed(Announced.monitorCall("Release"))
        if let failure { script.fail(.startDiscovery, failure) } else { script.answer(.startDiscovery) }
        _ = script.take()
        script.ring()
        #expect(script.kinds == wanted)
    }

    /// bluetoothd cannot stop what it has not answered yet.
    @Test("stops a discovery that starts only after everything was requested again")
    func discoveryStartedLate() {
        var script = SessionScript.examined()
        script.answer(.registerMonitor)
        script.feed(Announced.monitorCall("Activate"))
        script.feed(Announced.monitorCall("Release"))
        script.ring()
        _ = script.take()
        script.answer(.startDiscovery)
        #expect(script.kinds == [.stopDiscovery])
        _ = script.take()
        // The new beginning is as ever.
        script.answer(.stopDiscovery)
        script.answerObjects([Announced.adapterPath: Announced.adapter()])
        script.start(.combined)
        #expect(script.started == [.combined])
        #expect(!script.kinds.contains(.stopDiscovery))
    }

    @Test(
        "stops no discovery that did not start, or whose bluetoothd has ended",
        arguments: ["org.bluez.Error.Failed", nil] as [String?])
    func discoveryNotStartedLate(_ failure: String?) {
        var script = SessionScript.examined()
        script.answer(.registerMonitor)
        script.feed(Announced.monitorCall("Activate"))
        if let failure {
            script.feed(Announced.monitorCall("Release"))
            script.ring()
            _ = script.take()
            script.fail(.startDiscovery, failure)
            #expect(script.actions.isEmpty)
        } else {
            script.feed(Announced.owner(Announced.daemon, ""))
            _ = script.take()
            script.answer(.startDiscovery)
            #expect(script.actions.isEmpty)
            script.feed(Announced.owner("", ":1.9"))
            _ = script.take()
            script.answer(.startDiscovery)
            #expect(script.actions.isEmpty)
        }
    }

    @Test("unregisters a monitor that is registered only after the adapter was away", arguments: [false, true])
    func monitorRegisteredAfterTheAdapterWasAway(_ isActivated: Bool) {
        var script = SessionScript.examined()
        if isActivated { script.feed(Announced.monitorCall("Activate")) }
        script.feed(
            Announced.changed(Announced.adapterPath, of: "org.bluez.Adapter1", ["Powered": .boolean(false)]))
        _ = script.take()
        script.answer(.registerMonitor)
        #expect(script.kinds == [.unregisterMonitor])
    }

    /// bluetoothd may activate a monitor before it answers its registration, and refuses the second registration.
    @Test("a late answer does not undo what is in use")
    func lateAnswerAboutWhatIsInUse() {
        var script = SessionScript.examined()
        for isPowered in [false, true] {
            script.feed(
                Announced.changed(Announced.adapterPath, of: "org.bluez.Adapter1", ["Powered": .boolean(isPowered)]))
        }
        script.answerObjects([Announced.adapterPath: Announced.adapter()])
        script.feed(Announced.monitorCall("Activate"))
        _ = script.take()
        script.answerFirst(.registerMonitor)
        script.fail(.registerMonitor, "org.bluez.Error.AlreadyExists")
        #expect(script.actions.isEmpty)
        // Everything is requested again before this discovery is answered.
        script.feed(Announced.monitorCall("Release"))
        script.ring()
        script.answerObjects([Announced.adapterPath: Announced.adapter()])
        script.start(.combined)
        #expect(script.started == [.combined])
        _ = script.take()
        script.answerFirst(.startDiscovery)
        #expect(script.actions.isEmpty)
        script.feed(.stop)
        #expect(script.kinds == [.unregisterMonitor, .stopDiscovery])
    }

    // MARK: - Silence

    /// Some seconds pass without a signal: is anybody there?
    @Test("asks about silence")
    func silenceIsAskedAbout() {
        var script = SessionScript.listening()
        script.pass(1...3)
        #expect(script.kinds == [.power])
        script.answer(.power)
        script.pass(4...5)
        #expect(script.kinds == [.power])
        script.pass(6...6)
        #expect(script.kinds == [.power, .power])
        #expect(script.error == nil)
    }

    /// Between the question and the answer nobody knows what silence means.
    @Test("silence is in doubt until the answer")
    func silenceIsInDoubtUntilTheAnswer() {
        var script = SessionScript.listening()
        script.pass(1...2)
        #expect(!script.take().contains(.doubt(true)))
        script.pass(3...3)
        #expect(script.take().contains(.doubt(true)))
        script.answer(.power)
        script.pass(4...4)
        #expect(script.take().contains(.doubt(false)))
        script.pass(5...5)
        #expect(!script.take().contains(.doubt(false)))
    }

    /// The end of the doubt would say that it receives.
    @Test("a doubt that ends in blindness is not reported as ended")
    func doubtThatEndsInBlindness() {
        var silence = SilenceWatch.Settings()
        silence.references = [Announced.beacon().id]
        var script = SessionScript.listening(silence: silence)
        var doubts: [Int] = []
        for second in 1...9 {
            script.pass(second...second)
            guard script.take().contains(.doubt(true)) else { continue }
            doubts.append(second)
            script.answer(.power)
        }
        #expect(doubts == [3, 6, 9])
        script.pass(10...10)
        #expect(script.interruptions.map(\.code) == [.silent])
        #expect(!script.actions.contains(.doubt(false)))
        // The next doubt is reported again.
        script.answerObjects([Announced.adapterPath: Announced.adapter()])
        script.start(.combined)
        script.feed(Announced.changed(Announced.path, ["RSSI": .int16(-60)]))
        script.pass(11...13)
        #expect(script.started == [.combined])
        #expect(!script.actions.contains(.doubt(false)))
        script.pass(14...14)
        #expect(script.actions.contains(.doubt(true)))
    }

    @Test("ends where bluetoothd does not answer in silence")
    func noAnswerInSilence() {
        var script = SessionScript.listening()
        script.pass(1...7)
        #expect(script.error?.code == .silent)
        #expect(script.error?.problem == "bluetoothd does not answer")
    }

    /// After 90 seconds everything is asked for anew, and it is in doubt until something is heard.
    @Test("asks for everything again after a long silence")
    func longSilence() {
        var script = SessionScript.listening()
        for second in 1...89 {
            script.pass(second...second)
            script.answer(.power)
        }
        _ = script.take()
        script.pass(90...90)
        #expect(script.interruptions.map(\.code) == [.silent])
        #expect(script.kinds == [.unregisterMonitor, .stopDiscovery, .objects])
        script.answerObjects([Announced.adapterPath: Announced.adapter()])
        script.start(.combined)
        #expect(script.started.isEmpty)
        script.pass(91...92)
        script.feed(Announced.changed(Announced.path, ["RSSI": .int16(-60)]))
        script.pass(93...93)
        #expect(script.started == [.combined])
        #expect(script.error == nil)
    }

    @Test("ends where nothing ends the silence")
    func silenceThatNothingEnds() {
        var script = SessionScript.listening()
        for second in 1...95 {
            script.pass(second...second)
            script.answer(.power)
            if second == 90 {
                script.answerObjects([Announced.adapterPath: Announced.adapter()])
                script.start(.combined)
            }
        }
        #expect(script.error?.code == .silent)
        #expect(script.error?.problem == "bluetoothd has reported nothing for long")
    }

    /// A paired phone is listed also while nothing is received, and a level in the list may be old.
    @Test("devices that are only listed do not end the silence", arguments: [nil, -60] as [Int16?])
    func listedDevicesInSilence(_ rssi: Int16?) {
        var script = SessionScript.listening()
        for second in 1...95 {
            script.pass(second...second)
            script.answer(.power)
            if second == 90 {
                script.answerObjects([
                    Announced.adapterPath: Announced.adapter(),
                    Announced.path: Announced.deviceInterfaces(rssi: rssi),
                ])
                script.start(.combined)
                // The end of a discovery takes the levels away.
                script.feed(Announced.changed(Announced.path, [:], invalidated: ["RSSI"]))
            }
        }
        #expect(script.started.isEmpty)
        #expect(script.error?.code == .silent)
    }

    @Test("a device that is announced while bluetoothd is asked for its objects ends the silence")
    func announcedDeviceInSilence() {
        var script = SessionScript.listening()
        for second in 1...90 {
            script.pass(second...second)
            script.answer(.power)
        }
        #expect(script.interruptions.map(\.code) == [.silent])
        script.feed(Announced.changed(Announced.path, ["RSSI": .int16(-60)]))
        script.answerObjects([
            Announced.adapterPath: Announced.adapter(), Announced.path: Announced.deviceInterfaces(rssi: -60),
        ])
        script.start(.combined)
        #expect(script.started.isEmpty)
        script.pass(91...91)
        #expect(script.started == [.combined])
        #expect(script.sightings.count == 1)
    }

    @Test("a listed device ends the doubt of a new start only when it is received")
    func listedDevicesInDoubt() {
        var silence = SilenceWatch.Settings()
        silence.startsInDoubt = true
        for message in [
            Announced.changed(Announced.path, ["RSSI": .int16(-60)]),
            Announced.changed(Announced.path, ["ManufacturerData": Announced.data()]),
            Announced.monitorCall("DeviceFound", [.path(Announced.path)]),
        ] {
            var script = SessionScript.examined(
                [
                    Announced.adapterPath: Announced.adapter(),
                    Announced.path: Announced.deviceInterfaces(rssi: -60),
                ], silence: silence)
            script.start(.combined)
            script.pass(1...2)
            #expect(script.started.isEmpty)
            script.feed(message)
            script.pass(3...3)
            #expect(script.started == [.combined], "\(message.member ?? "")")
        }
    }

    @Test("waits until bluetoothd and the adapter are there")
    func waitingForPresence() {
        var script = SessionScript(.presence)
        script.connect()
        script.fail(.objects, "org.freedesktop.DBus.Error.ServiceUnknown")
        script.feed(Announced.owner("", ":1.9"))
        script.answerObjects([:], from: ":1.9")
        script.feed(Announced.from(":1.9", Announced.added(Announced.adapterPath, Announced.adapter())))
        #expect(!script.hasEnded)
        script.answerObjects([Announced.adapterPath: Announced.adapter()], from: ":1.9")
        #expect(script.hasEnded)
        #expect(script.error == nil)
    }

    // MARK: - The end

    @Test(
        "leaves nothing behind",
        arguments: [
            (BluezSession.Method.combined, [BluezRequest.Kind.unregisterMonitor, .stopDiscovery]),
            (.monitor, [.unregisterMonitor]), (.discovery, [.stopDiscovery]),
        ])
    func leaving(_ method: BluezSession.Method, _ last: [BluezRequest.Kind]) {
        var script = SessionScript.listening(method)
        script.feed(.stop)
        #expect(script.kinds == last)
        for kind in last {
            #expect(!script.hasEnded)
            script.answer(kind)
        }
        #expect(script.hasEnded)
        #expect(script.error == nil)
    }

    @Test("does not wait long for bluetoothd when it leaves")
    func leavingADeadDaemon() {
        var script = SessionScript.listening()
        script.feed(.stop)
        script.ring()
        #expect(script.hasEnded)
        #expect(script.error == nil)
    }

    @Test("does nothing after the end")
    func nothingAfterTheEnd() {
        var script = SessionScript()
        script.feed(.stop)
        #expect(script.take() == [.end(nil)])
        script.connect()
        script.feed(Announced.owner("", ":1.9"))
        #expect(script.take().isEmpty)
    }
}
