import Advertising
import Beacon
import Testing
import YAMLText

@Suite("A file of /etc/beacond/advertise")
struct FileTests {
    @Test("says what is not as in the recipe")
    func values() throws {
        let yaml = """
            adapter: hci1
            mode: bluez
            uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096
            major: 1
            minor: 0x10
            measured_power: -61
            interval_ms: 200
            verify_with: hci0
            """
        guard case .beacon(let values) = try AdvertiseFile(yaml: yaml, file: "lobby.yaml") else {
            Issue.record("taken as a scene")
            return
        }
        #expect(values.source == "hci1")
        #expect(values.mode == .bluez)
        #expect(values.uuid == ProximityUUID("7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096"))
        #expect(values.major == 1)
        #expect(values.minor == 16)
        #expect(values.measuredPower == -61)
        #expect(values.interval == 200)
        #expect(values.verifyWith == "hci0")
    }

    @Test("with beacons in it is a scene; empty it is the recipe")
    func kinds() throws {
        let scene = "beacons:\n  - uuid: 7A0E5F3C-2D81-4B6A-9C47-51E8B3D2F096\n"
        guard case .scene = try AdvertiseFile(yaml: scene, file: "x") else {
            Issue.record("taken as a beacon")
            return
        }
        for yaml in ["", "# nothing\n"] {
            guard case .beacon(AdvertiseFile.Values()) = try AdvertiseFile(yaml: yaml, file: "x") else {
                Issue.record("not the recipe: \(yaml)")
                return
            }
        }
    }

    @Test(
        "tells mistakes with their lines",
        arguments: [
            ("adapter: hci0\nsource: sim\n", "x:2:"), ("mode: loud\n", "hci, bluez"), ("major: -1\n", "x:1:"),
            ("interval: 5\n", "x:1:"), ("interval_ms: 10.24\n", "20 to 10240"), ("[1, 2]\n", "key: value"),
        ])
    func mistakes(yaml: String, says: String) throws {
        let error = try #require(throws: DocumentError.self) { try AdvertiseFile(yaml: yaml, file: "x") }
        #expect(error.description.contains(says), "\(error)")
    }
}

@Suite("A calibration's result")
struct CalibrationReadingTests {
    static func json(low: String = "-63.2", samples: Int = 287) -> String {
        """
        {"uuid":"7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096","major":1,"minor":2,"measured_power_advertised":-56,\
        "samples":\(samples),"distance_m":1,"measured_power":-60.6,"low":\(low),"high":-58.9,"scanner":"hci1","new":{}}
        """
    }

    @Test("is read, rounded, and believed")
    func read() throws {
        let result = try CalibrationReading(json: Self.json(), file: "x")
        #expect(result.id.minor == 2)
        #expect(result.measuredPower == -61)
        #expect(result.advertised == -56)
        #expect(result.low == -63)
        #expect(result.scanner == "hci1")
        #expect(result.doubt == nil)
    }

    @Test("may have no announced power, where the beacon has announced several")
    func unknown() throws {
        let json = Self.json().replacing(
            "\"measured_power_advertised\":-56", with: "\"measured_power_advertised\":null")
        #expect(try CalibrationReading(json: json, file: "x").advertised == nil)
    }

    @Test("is doubted where it rests on little")
    func doubt() throws {
        #expect(try CalibrationReading(json: Self.json(samples: 12), file: "x").doubt?.contains("12") == true)
        #expect(try CalibrationReading(json: Self.json(low: "-75"), file: "x").doubt?.contains("-75") == true)
    }

    @Test("anything else says what is needed", arguments: ["", "null", "[]", "{}", "{\"uuid\":\"x\"}", "measured"])
    func mistakes(json: String) throws {
        let error = try #require(throws: DocumentError.self) { try CalibrationReading(json: json, file: "x") }
        #expect(error.description.contains("beaconctl calibrate") || error.description.contains("uuid"))
    }
}
