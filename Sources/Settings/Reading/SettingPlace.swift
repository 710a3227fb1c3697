package import YAMLText

/// Where a value was written.
package enum SettingPlace: Hashable, Sendable {
    case file(Mark)
    case variable(String)
    /// With its dashes.
    case option(String)

    /// The variable or the option; nil for the file.
    var name: String? {
        switch self {
        case .file: nil
        case .variable(let name), .option(let name): name
        }
    }
}
