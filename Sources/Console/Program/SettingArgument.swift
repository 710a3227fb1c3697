package import ArgumentParser
package import Settings

extension NameSpecification {
    /// What an option that overrides a setting is called.
    package static func setting(_ option: Setting.Option) -> NameSpecification { .customLong(option.name) }
}

extension ArgumentHelp {
    /// What is said about an option that overrides a setting.
    package static func setting(_ option: Setting.Option) -> ArgumentHelp {
        ArgumentHelp(stringLiteral: option.help).named(option.valueName)
    }

    private func named(_ valueName: String) -> ArgumentHelp {
        var help = self
        help.valueName = valueName
        return help
    }
}
