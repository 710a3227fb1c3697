package import ArgumentParser
package import Settings

extension NameSpecification {
    /// The name of an option that overrides a setting.
    package static func setting(_ option: Setting.Option) -> NameSpecification { .customLong(option.name) }
}

extension ArgumentHelp {
    /// The help for an option that overrides a setting.
    package static func setting(_ option: Setting.Option) -> ArgumentHelp {
        ArgumentHelp(stringLiteral: option.help).named(option.valueName)
    }

    private func named(_ valueName: String) -> ArgumentHelp {
        var help = self
        help.valueName = valueName
        return help
    }
}
