/// One setting: its name, what it may hold and where that goes, what it is for, and what a change of it does.
///
/// `all` is the schema of the configuration. The file, the variables, the options and the checks read it, and the table
/// in docs/configuration.md, the default file and the manual are written from it.
package struct Setting: Sendable {
    package typealias Path<Member> = WritableKeyPath<SettingValues, Member> & Sendable

    /// What a setting may hold, and where that goes. What it holds by default is what stands there.
    enum Value: Sendable {
        case number(ClosedRange<Double>, any Path<Double>)
        case count(ClosedRange<Int>, any Path<Int>)
        /// A count where 0 stands for none.
        case limit(ClosedRange<Int>, any Path<Int?>)
        case flag(any Path<Bool>)
        /// A flag that may also be left open.
        case openFlag(any Path<Bool?>)
        /// One of several words.
        case choice([String], any Path<String>)
        case text(any Path<String?>)
        /// A text that there always is.
        case word(any Path<String>)
        /// A file or folder. A relative one is meant from the folder of the configuration's file, or else from the
        /// current one.
        case file(any Path<String?>)
        case texts(any Path<[String]>)
        /// A list of groups, or a table, which only the file can hold. `SettingsReader` reads it.
        case table
    }

    /// What becomes of a change when the configuration is read again.
    package enum Change: Hashable, Sendable {
        /// It is used from then on, and nothing is restarted.
        case used
        /// These parts of the daemon are restarted.
        case restarts([String])
        /// Every source is restarted.
        case restartsSources
        /// Sources that are no longer there end, and new ones start.
        case startsAndEndsSources
        /// The daemon has to be restarted.
        case needsRestart
    }

    /// An option of a command line that overrides a setting.
    package struct Option: Hashable, Sendable {
        /// Without its dashes.
        package var name: String
        /// What the help calls its value.
        package var valueName: String
        package var help: String
    }

    /// With dots between the levels: `content.base_url`.
    package let name: String
    /// What it is for, in Markdown.
    package let help: String
    let value: Value
    package let change: Change
    package let option: Option?
    /// The default in words, where no value stands for it.
    let unset: String?

    init(
        _ name: String, _ value: Value, _ change: Change, unset: String? = nil, option: Option? = nil, _ help: String
    ) {
        self.name = name
        self.value = value
        self.change = change
        self.unset = unset
        self.option = option
        self.help = help
    }

    /// The variable that overrides it: `BEACOND_CONTENT_BASE_URL`.
    package var variable: String {
        "BEACOND_" + name.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
    }

    /// Where its value goes; nil for a table.
    package var path: PartialKeyPath<SettingValues>? {
        switch value {
        case .number(_, let path): path
        case .count(_, let path): path
        case .limit(_, let path): path
        case .flag(let path): path
        case .openFlag(let path): path
        case .choice(_, let path), .word(let path): path
        case .text(let path), .file(let path): path
        case .texts(let path): path
        case .table: nil
        }
    }

    /// Whether it is one of those about ranging, which other programs read too.
    package var isAboutRanging: Bool { Self.rangingGroups.contains { name == $0 || name.hasPrefix($0 + ".") } }

    /// The keys at the top of a configuration that are about ranging.
    package static let rangingGroups = ["ranging", "regions", "beacons"]

    /// Every setting, in the order of the documents.
    package static let all: [Setting] =
        listening + content + control + hooks + mqtt + fleet + reports + history + health + directories + ranging
        + tables
}
