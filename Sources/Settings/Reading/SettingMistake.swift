import Text
package import YAMLText

/// A mistake in a configuration: where it is, in which setting, what is wrong, and what to do.
package struct SettingMistake: Hashable, Sendable, CustomStringConvertible {
    package enum Place: Hashable, Sendable, CustomStringConvertible {
        /// Line and column are from 1; nil where the whole file is meant.
        case file(String, line: Int? = nil, column: Int? = nil)
        /// A variable or an option.
        case name(String)

        package var description: String {
            switch self {
            case .file(let path, let line, let column):
                path + [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
            case .name(let name): name
            }
        }
    }

    /// Nil where nobody wrote the setting.
    package var place: Place?
    /// Nil where it is about no setting, or about several.
    package var setting: String?
    package var cause: String
    package var remedy: String?
    /// The cause goes on from the setting's name: `is "x", but must be true or false`.
    package var isAboutValue: Bool

    package init(
        _ place: Place?, of setting: String? = nil, _ cause: String, remedy: String? = nil, isAboutValue: Bool = false
    ) {
        self.place = place
        self.setting = setting
        // What it quotes, such as a path, may be long.
        self.cause = excerpt(cause, 2000)
        self.remedy = remedy
        self.isAboutValue = isAboutValue
    }

    /// One line: place, setting, cause; remedy. A variable or an option stands for its setting.
    package var description: String {
        var names = [place.map { "\($0)" }]
        if case .name = place {} else { names.append(setting) }
        let name = names.compactMap { $0 }.joined(separator: ": ")
        let separator = name.isEmpty ? "" : isAboutValue ? " " : ": "
        return name + separator + cause + (remedy.map { "; \($0)" } ?? "")
    }
}

extension DocumentError {
    /// The same, in the order of the document.
    package var mistakes: [SettingMistake] {
        issues.map { SettingMistake(.file(file, line: $0.line, column: $0.column), $0.message) }.inOrder
    }
}

extension [SettingMistake] {
    /// Those of the file in its order, then the others.
    var inOrder: [SettingMistake] {
        func line(_ mistake: SettingMistake) -> (Int, Int) {
            if case .file(_, let line, let column) = mistake.place { (line ?? 0, column ?? 0) } else { (.max, 0) }
        }
        return sorted { line($0) < line($1) }
    }
}
