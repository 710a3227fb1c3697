import Text
import YAMLText

// What is wrong with settings beyond what each of them may hold.
extension SettingsReader {
    /// Everything that is wrong: first what is in the file, in its order, then the others.
    package var problems: [SettingMistake] {
        (DocumentError(file: file, issues: yaml.issues).mistakes + mistakes).inOrder
    }

    /// Notes what is wrong with a setting, or with one of its entries.
    package mutating func complain(
        _ path: PartialKeyPath<SettingValues>, at place: SettingPlace? = nil, _ cause: String, remedy: String? = nil
    ) {
        note(at: place ?? places[path]?.whole, Setting.name(of: path), cause, remedy: remedy)
    }

    /// Notes a mistake at a place; nil where nobody wrote the setting.
    mutating func note(
        at place: SettingPlace?, _ setting: String?, _ cause: String, remedy: String? = nil, isAboutValue: Bool = false
    ) {
        let place: SettingMistake.Place? =
            switch place {
            case .file(let mark): .file(file, line: mark.line, column: mark.column)
            case .variable(let name), .option(let name): .name(name)
            case nil: nil
            }
        mistakes.append(
            SettingMistake(place, of: setting, cause, remedy: remedy, isAboutValue: isAboutValue))
    }

    /// Notes what is not advisable.
    package mutating func warn(_ path: PartialKeyPath<SettingValues>, _ message: String) {
        let name = Setting.name(of: path)
        switch places[path]?.whole {
        case .file(let mark): warnings.append("\(file):\(mark.line):\(mark.column): \(name): \(message)")
        case .variable(let name), .option(let name): warn(of: name, message)
        case nil: warn(of: name, message)
        }
    }

    mutating func warn(of place: String, _ message: String) {
        warnings.append("\(place): \(message)")
    }

    /// Whether somebody has set it, to whatever value.
    package func isSet(_ path: PartialKeyPath<SettingValues>) -> Bool { places[path] != nil }

    /// What `read` makes of a setting; nil, with the problem noted, where it throws.
    package mutating func reading<Value>(
        _ path: PartialKeyPath<SettingValues>, at place: SettingPlace? = nil, _ read: () throws -> Value
    ) -> Value? {
        do {
            return try read()
        } catch let error as DocumentError {
            for line in error.lines { complain(path, at: place, line) }
        } catch {
            complain(path, at: place, "\(error)")
        }
        return nil
    }

    /// The same for every entry of a list that somebody has set; empty where nobody has.
    package mutating func each<Value>(
        _ path: KeyPath<SettingValues, [String]>, _ read: (_ text: String, _ place: SettingPlace) throws -> Value
    ) -> [Value] {
        guard let places = places[path]?.entries else { return [] }
        return zip(values[keyPath: path], places).compactMap { text, place in
            reading(path, at: place) { try read(text, place) }
        }
    }

    /// Notes which entries of a list cannot be hosts: they would be compared with hosts, and never fit.
    package mutating func requireHosts(_ path: KeyPath<SettingValues, [String]>) {
        guard let places = places[path]?.entries else { return }
        for (text, place) in zip(values[keyPath: path], places) {
            guard let problem = HostPort.problem(ofHost: text) else { continue }
            complain(
                path, at: place, "\"\(excerpt(withoutUser(text)))\" \(problem.cause)",
                remedy: problem == .form ? "\(problem.remedy), as in cdn.example.org" : problem.remedy)
        }
    }
}
