import Curation
import CurationStore
import Text

/// The fields of the site's settings, as they were typed.
struct SiteForm {
    var title: String
    var languages: String
    var gate: [GateRule: GateLevel]
    var maximumImages: String
    /// In MiB.
    var deviceQuota: String
    var takesReports: Bool
    /// The version that the editor saw.
    var version: Int64
    /// What another editor has saved meanwhile in the same field.
    var others: [String: String] = [:]

    static let images = 1...200
    static let quota: ClosedRange<Int64> = 1...1_000_000
    static let longestTitle = 200
    static let mostLanguages = 20

    init(_ site: SiteDocument, version: Int64) {
        title = site.title
        languages = site.languages.map(\.tag).joined(separator: "\n")
        gate = site.gate
        maximumImages = String(site.maximumImages)
        deviceQuota = String(max(1, site.deviceQuota >> 20))
        takesReports = site.takesReports
        self.version = version
    }

    init(_ form: FormFields) {
        var values = FormValues(form)
        // A box that is not checked is not sent.
        values.check("takes_reports", form.isSet("takes_reports"))
        self.init(values, version: form["version"].flatMap { Int64($0) } ?? 0)
    }

    init(_ values: FormValues, version: Int64) {
        title = values["title"] ?? ""
        languages = values["languages"] ?? ""
        gate = [:]
        for rule in GateRule.allCases {
            gate[rule] = values[Self.field(rule)].flatMap { GateLevel(rawValue: $0) }
        }
        maximumImages = values["maximum_images"] ?? ""
        deviceQuota = values["device_quota"] ?? ""
        takesReports = values.isChecked("takes_reports") ?? false
        self.version = version
    }

    /// By the names of the fields.
    var fields: FormValues {
        var fields = FormValues([
            "title": title, "languages": languages, "maximum_images": maximumImages, "device_quota": deviceQuota,
        ])
        for (rule, level) in gate { fields[Self.field(rule)] = level.rawValue }
        fields.check("takes_reports", takesReports)
        return fields
    }

    /// What is typed here and what others have saved since, field by field.
    ///
    /// - Parameters:
    ///   - base: the settings that the form showed; nil if they are not known any more.
    func merged(over base: SiteDocument?, with current: StoredDocument) -> SiteForm {
        guard let now = current.document.site, version != current.version else { return self }
        let base = base.map { SiteForm($0, version: version).fields } ?? FormValues()
        let merge = FormMerge(mine: fields, base: base, current: SiteForm(now, version: current.version).fields)
        var merged = SiteForm(merge.values, version: current.version)
        merged.others = merge.others
        return merged
    }

    /// The settings with what was typed; what is wrong stays as it was and is told.
    func read(into site: SiteDocument, _ texts: Catalogue, _ mistakes: inout PageMistakes) -> SiteDocument {
        var site = site
        if title.count <= Self.longestTitle {
            site.title = title
        } else {
            mistakes.add("title", texts.text("problem.too_long", "\(Self.longestTitle)"))
        }
        if let read = readLanguages(texts, &mistakes) { site.languages = read }
        site.gate.merge(gate) { $1 }
        if let count = Int(maximumImages), Self.images.contains(count) {
            site.maximumImages = count
        } else {
            mistakes.add("maximum_images", texts.text("site.maximum_images.wrong"))
        }
        if let mebibytes = Int64(deviceQuota), Self.quota.contains(mebibytes) {
            site.deviceQuota = mebibytes << 20
        } else {
            mistakes.add("device_quota", texts.text("site.quota.wrong"))
        }
        site.takesReports = takesReports
        return site
    }

    private func readLanguages(_ texts: Catalogue, _ mistakes: inout PageMistakes) -> [Language]? {
        var read: [Language] = []
        let tags = languages.split { $0.isWhitespace || $0 == "," || $0 == ";" }
        for tag in tags.prefix(Self.mostLanguages + 1) {
            guard let language = Language(String(tag)) else {
                mistakes.add("languages", texts.text("site.languages.wrong", String(tag.prefix(40))))
                return nil
            }
            if !read.contains(language) { read.append(language) }
        }
        if read.isEmpty { mistakes.add("languages", texts.text("site.languages.none")) }
        if read.count > Self.mostLanguages {
            mistakes.add("languages", texts.text("problem.too_many", "\(Self.mostLanguages)"))
        }
        return (1...Self.mostLanguages).contains(read.count) ? read : nil
    }

    func values(_ texts: Catalogue) -> [String: PageValue] {
        [
            "others": .map(
                ["title", "languages", "maximum_images", "device_quota"].reduce(into: [:]) {
                    $0[$1] = PageValue(others[$1])
                }),
            "title": .text(title), "languages": .text(languages), "maximum_images": .text(maximumImages),
            "device_quota": .text(deviceQuota), "takes_reports": .flag(takesReports), "version": .text("\(version)"),
            "rules": .list(
                GateRule.allCases.map { rule in
                    [
                        "title": .text(texts.text("gate.\(rule.rawValue)")),
                        "other": PageValue(others[Self.field(rule)].map { texts.text("gate.\($0)") }),
                        "levels": .list(
                            GateLevel.allCases.map { level in
                                [
                                    "field": .text(Self.field(rule)), "value": .text(level.rawValue),
                                    "title": .text(texts.text("gate.\(level.rawValue)")),
                                    "isCurrent": .flag(level == gate[rule] ?? GateRule.defaults[rule]),
                                ]
                            }),
                    ]
                }),
        ]
    }

    private static func field(_ rule: GateRule) -> String { "gate.\(rule.rawValue)" }
}
