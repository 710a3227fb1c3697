package import HCI

/// What is set, as it is written: numbers and words, of which none has been looked at beside another. What nobody set
/// has its default here, so this is where the defaults stand.
package struct SettingValues: Sendable, Equatable {
    package var sources = ["auto"]
    package var scan = Scan()
    package var content = Content()
    package var control = ControlSettings(socket: nil)
    package var http = HTTP()
    /// Nil where the daemon is on the bus if the bus allows that.
    package var isOnBus: Bool?
    package var hooks = HookSettings(commands: [:])
    package var mqtt = MQTT()
    package var fleet = Fleet()
    package var reports = Reports()
    package var isHistoryKept = true
    /// Its file follows from the folder of the state.
    package var history = HistorySettings(file: "")
    package var isHealthWatched = true
    /// Its file follows from the folder of the state.
    package var health = HealthSettings(file: "")
    package var directories = Directories()
    package var ranging = RangingConfiguration()

    package struct Scan: Sendable, Equatable {
        package var isActive = false
        package var profile = ScanProfile.dedicated
        package var silence = 90.0
        package var referenceBeacons: [String] = []
    }

    package struct Content: Sendable, Equatable {
        package var baseURL: String?
        package var tokenFile: String?
        package var publicKeys: [String] = []
        package var prefetch = "everything"
        package var syncInterval = 300.0
        /// Nil for no limit.
        package var quota: Int? = 16 << 30
        package var pinned: [String] = []
        package var maximumImages = 25
        package var parallelTransfers = 4
        package var parallelManifests = 32
        package var redirectHosts: [String] = []
        package var proxy: String?
        package var authorityFile: String?
        package var pinnedKeys: [String] = []
    }

    package struct HTTP: Sendable, Equatable {
        package var listen: String?
        package var tokenFile: String?
    }

    package struct MQTT: Sendable, Equatable {
        package var url: String?
        package var passwordFile: String?
        /// Nil for the machine's name.
        package var host: String?
        /// What needs no reading. Its broker, host and file are put in when the others have been read.
        package var settings: MQTTSettings = {
            var settings = MQTTSettings(broker: .local, host: "", outboxFile: "")
            settings.discoveryPrefix = "homeassistant"
            return settings
        }()
    }

    package struct Fleet: Sendable, Equatable {
        package var room: String?
        package var floor = 0
        /// Two numbers as they are written; empty where there is none.
        package var position: [String] = []
        package var isBeacon = false
        /// Nil for the one that follows from the scanner's name.
        package var beaconID: String?
    }

    package struct Reports: Sendable, Equatable {
        package var isOn = false
        package var way = DeviceReportSettings.Way.http
        package var interval = 60.0
        package var tokenFile: String?
        /// Nil for the machine's name.
        package var host: String?
    }

    package struct Directories: Sendable, Equatable {
        package var state: String?
        package var cache: String?
    }

    package init() {}
}

extension RawRepresentable where RawValue == String {
    /// As one writes it. A word that is none of its values changes nothing.
    var word: String {
        get { rawValue }
        set { if let value = Self(rawValue: newValue) { self = value } }
    }
}

extension Int64 {
    var count: Int {
        get { Int(clamping: self) }
        set { self = Int64(newValue) }
    }
}

extension HookSettings {
    /// The command for events of a kind; empty for none.
    subscript(kind: String) -> [String] {
        get { commands[kind] ?? [] }
        set { commands[kind] = newValue.isEmpty ? nil : newValue }
    }
}
