import Ranging
import Settings
import Testing

@Suite struct SchemaTests {
    /// Those with a single value or a list, by their names.
    static let names = Setting.all.filter { $0.path != nil }.map(\.name)

    private func setting(_ name: String) throws -> Setting {
        try #require(Setting.all.first { $0.name == name })
    }

    /// A file that has one setting.
    private func file(_ name: String, _ value: String) -> String {
        let keys = name.split(separator: ".")
        return keys.enumerated().map { depth, key in String(repeating: "  ", count: depth) + "\(key):" }
            .joined(separator: "\n") + " \(value)\n"
    }

    private func read(_ text: String, _ environment: [String: String] = [:]) -> SettingsReader {
        SettingsReader(text, file: "f.yaml", environment: environment)
    }

    @Test("no two settings have the same name, variable or place")
    func noTwoSettings() {
        #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
        #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
        #expect(Set(Setting.all.compactMap(\.path)).count == Self.names.count)
        #expect(Setting.all.count - Self.names.count == 4, "beacons, corrections, receivers and regions are tables")
    }

    @Test("without anything written the values are the defaults")
    func withoutAnything() {
        let reader = read("")
        #expect(reader.values == SettingValues() && reader.problems.isEmpty && reader.warnings.isEmpty)
    }

    @Test(
        "the default that is documented is accepted and changes nothing",
        arguments: Setting.all.filter { $0.path != nil && !$0.standard.isEmpty }.map(\.name))
    func defaultThatIsDocumented(name: String) throws {
        let setting = try setting(name)
        let reader = read(file(name, setting.standard))
        #expect(reader.problems.isEmpty && reader.values == SettingValues(), "\(reader.problems)")
    }

    @Test("file, variable and place agree", arguments: names)
    func fileVariable(name: String) throws {
        let setting = try setting(name)
        let path = try #require(setting.path)
        let samples = [
            "arma", "mqtt", "true", "false", "likely", "balanced", "0.5", "1.5", "7", "2", "90", "700", "20000000",
        ]
        let value = try #require(
            samples.first { value in
                let reader = read("", [setting.variable: value])
                return reader.problems.isEmpty && reader.values != SettingValues()
            })
        let fromVariable = read("", [setting.variable: value])
        #expect(fromVariable.isSet(path))
        let fromFile = [value, "[\(value)]"].map { read(file(name, $0)) }.first { $0.problems.isEmpty }
        #expect(fromFile?.values == fromVariable.values)
        #expect(fromFile?.isSet(path) == true)
    }

    @Test("a value of another kind is refused with its line", arguments: names)
    func valueOfAnother(name: String) throws {
        let reader = read("\n" + file(name, "{a: b}"))
        let line = name.split(separator: ".").count + 1
        #expect(reader.problems.count == 1)
        #expect(reader.problems.first?.description.hasPrefix("f.yaml:\(line):") == true, "\(reader.problems)")
        #expect(reader.values == SettingValues())
    }

    @Test("every value has a setting")
    func everyValue() {
        let values = SettingValues()
        let groups: [(String, Any)] = [
            ("scan.", values.scan), ("content.", values.content), ("directories.", values.directories),
            ("fleet.", values.fleet), ("reports.", values.reports),
        ]
        for (prefix, group) in groups {
            let count = Setting.all.count { $0.name.hasPrefix(prefix) }
            #expect(Mirror(reflecting: group).children.count == count, "\(prefix)")
        }
    }

    @Test("an option overrides a variable, and that the file")
    func optionOverrides() {
        let reader = SettingsReader(
            "content: {base_url: http://file}", file: "f.yaml", environment: ["BEACOND_CONTENT_BASE_URL": "http://env"],
            options: [.baseURL: ["http://option"], .source: ["sim", "hci0"]])
        #expect(reader.values.content.baseURL == "http://option")
        #expect(reader.values.sources == ["sim", "hci0"])
    }

    @Test("each option belongs to one setting")
    func eachOption() {
        let options: [Setting.Option] = [.source, .baseURL, .stateDirectory, .socket]
        #expect(Setting.all.compactMap(\.option).sorted { $0.name < $1.name } == options.sorted { $0.name < $1.name })
    }

    @Test("who ranges reads only what is about ranging, and leaves the rest to the daemon")
    func whoRanges() {
        let text = "scan: {profile: loud}\nmoon: 7\nranging: {near_m: 4}\n"
        let reader = SettingsReader(
            text, file: "f.yaml", environment: ["BEACOND_MQTT_QOS": "9"], scope: .ranging)
        #expect(reader.problems.isEmpty && reader.warnings.isEmpty, "\(reader.problems)")
        #expect(reader.values.ranging.settings.nearDistance == 4)
    }

    @Test(
        "a variable of what only the file can hold is refused",
        arguments: ["BEACOND_REGIONS", "BEACOND_BEACONS", "BEACOND_RANGING_RECEIVERS", "BEACOND_RANGING_CORRECTIONS"])
    func tables(variable: String) {
        let reader = SettingsReader("", file: "f.yaml", environment: [variable: "x"])
        let problem = reader.problems.first?.description
        #expect(reader.problems.count == 1)
        #expect(problem?.hasPrefix("\(variable): only the file can hold this; write ") == true, "\(problem ?? "none")")
        #expect(problem?.contains(" in f.yaml") == true)
    }

    @Test("a mistake says where, of which setting, why, and what to do")
    func mistakeSays() {
        var reader = read("control: {socket: here}\nscan: {active: perhaps}", ["BEACOND_MQTT_QOS": "9"])
        _ = reader.controlSettings()
        #expect(
            reader.problems == [
                SettingMistake(
                    .file("f.yaml", line: 1, column: 19), of: "control.socket", "\"here\" is no absolute path",
                    remedy: "write one that begins with /, or none"),
                SettingMistake(
                    .file("f.yaml", line: 2, column: 16), of: "scan.active",
                    "is \"perhaps\", but must be true or false", isAboutValue: true),
                SettingMistake(
                    .name("BEACOND_MQTT_QOS"), of: "mqtt.qos", "is \"9\", but must be a whole number from 0 to 2",
                    isAboutValue: true),
            ])
        #expect(
            reader.problems.map(\.description) == [
                "f.yaml:1:19: control.socket: \"here\" is no absolute path; write one that begins with /, or none",
                "f.yaml:2:16: scan.active is \"perhaps\", but must be true or false",
                "BEACOND_MQTT_QOS is \"9\", but must be a whole number from 0 to 2",
            ])
    }
}
