/// The settings of the whole site. There is only one such document, `DocumentID.site`.
package struct SiteDocument: Hashable, Sendable {
    package var title = ""
    /// The languages in which content is written. The first is the default. A text that is missing in one language
    /// falls back to the others, in this order.
    package var languages = [Language.english]
    /// What happens when published content breaks a rule.
    package var gate: [GateRule: GateLevel] = GateRule.defaults
    /// The most images to recognise of one beacon.
    package var maximumImages = 25
    /// The content quota of the devices in bytes. The size of the site is compared with it.
    package var deviceQuota: Int64 = 4 << 30
    /// Whether the published list asks devices to send reports.
    package var takesReports = false

    package init() {}

    package var defaultLanguage: Language { languages.first ?? .english }
}

/// The rules that are checked when publishing.
package enum GateRule: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case missingAlt = "missing_alt"
    case missingTranscript = "missing_transcript"
    case missingLanguage = "missing_language"
    case tooHeavy = "too_heavy"
    case insecureLink = "insecure_link"
    case alikeImages = "alike_images"

    package static let defaults: [GateRule: GateLevel] = [
        .missingAlt: .warn, .missingTranscript: .warn, .missingLanguage: .warn, .tooHeavy: .refuse,
        .insecureLink: .warn, .alikeImages: .warn,
    ]
}

package enum GateLevel: String, Hashable, Sendable, Codable, CaseIterable {
    case ignore, warn, refuse
}

extension SiteDocument: Codable {
    enum CodingKeys: String, CodingKey {
        case title, languages, gate
        case maximumImages = "maximum_images"
        case deviceQuota = "device_quota"
        case takesReports = "takes_reports"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.value(forKey: .title, or: "")
        languages = try container.value(forKey: .languages, or: [.english])
        gate = GateRule.defaults.merging(try container.value(forKey: .gate, or: [:])) { $1 }
        maximumImages = try container.value(forKey: .maximumImages, or: 25)
        deviceQuota = try container.value(forKey: .deviceQuota, or: 4 << 30)
        takesReports = try container.value(forKey: .takesReports, or: false)
    }
}
