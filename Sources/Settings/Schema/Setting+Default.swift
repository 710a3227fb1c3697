extension Setting {
    /// What it is by default, as one writes it; empty where no value stands for that.
    package var standard: String {
        let values = SettingValues()
        return switch value {
        case .number(_, let path): Self.short(values[keyPath: path])
        case .count(_, let path): "\(values[keyPath: path])"
        case .limit(_, let path): "\(values[keyPath: path] ?? 0)"
        case .flag(let path): "\(values[keyPath: path])"
        case .openFlag(let path): values[keyPath: path].map { "\($0)" } ?? ""
        case .choice(_, let path), .word(let path): values[keyPath: path]
        case .text(let path), .file(let path): values[keyPath: path] ?? ""
        case .texts(let path): "[\(values[keyPath: path].joined(separator: ", "))]"
        case .table: ""
        }
    }

    /// A row of the table in docs/configuration.md.
    package var row: String {
        let gibibyte = 1 << 30
        var standard = unset ?? (standard.isEmpty ? "none" : "`\(standard)`")
        if unset == nil, let number = Int(self.standard), number >= gibibyte, number % gibibyte == 0 {
            standard = "\(number / gibibyte) GiB"
        }
        return "| `\(name)` | \(help) | \(standard) |"
    }

    /// What a change does, for docs/configuration.md.
    package var changeWords: String {
        switch change {
        case .used: "is used from then on; nothing is restarted"
        case .restarts(let parts): "restarts \(parts.map { "`\($0)`" }.joined(separator: ", "))"
        case .restartsSources: "restarts every source"
        case .startsAndEndsSources: "starts new sources and ends those that are no longer there"
        case .needsRestart: "needs a restart of the daemon"
        }
    }

    /// The rows of the second table in docs/configuration.md: settings that follow each other and change the same.
    package static var changes: [String] {
        var groups: [(names: [String], words: String)] = []
        for setting in all {
            if groups.last?.words == setting.changeWords {
                groups[groups.count - 1].names.append(setting.name)
            } else {
                groups.append(([setting.name], setting.changeWords))
            }
        }
        return groups.map { group in
            var names: [String] = []
            for name in group.names {
                let isWhole = all.filter { $0.top == top(of: name) }.allSatisfy { group.names.contains($0.name) }
                let shown = isWhole && name.contains(".") ? "\(top(of: name)).*" : name
                if !names.contains(shown) { names.append(shown) }
            }
            return "| \(names.map { "`\($0)`" }.joined(separator: ", ")) | \(group.words) |"
        }
    }

    private var top: Substring { Self.top(of: name) }

    private static func top(of name: String) -> Substring { name.prefix { $0 != "." } }

    static func short(_ number: Double) -> String {
        number == number.rounded() ? "\(Int64(number))" : "\(number)"
    }
}
