/// The label of a field. The pages have its name in their languages under `field.CODE`.
package enum FieldLabel: String, Hashable, Sendable, Codable, CaseIterable {
    // Beacons and plans
    case name, uuid, major, minor, note, floor, plan, place, coordinates
    case planWidth = "plan_width"

    // Images
    case beacon
    case order = "rank"
    case title, picture, alt, decorative
    case width = "width_cm"
    case display, audio, transcript, category, tags
    case signLanguage = "sign_language"
    case validFrom = "valid_from"
    case validUntil = "valid_until"
    case pageTitle = "page_title"
    case pageText = "page_text"

    // Contents
    case content, side, kind, label, pictures, video, captions
    case pictureOrder = "picture_order"
    case videoURL = "video_url"
    case actionName = "action_name"
    case actionKind = "action_kind"
    case actionValue = "action_value"
    case actionSubject = "action_subject"
    case actionBody = "action_body"
    case actionDescription = "action_description"
    case overlayText = "overlay_text"

    // Files and the site
    case file
    case focalPoint = "focal_point"
    case siteTitle = "site_title"
    case languages, gate
    case maximumImages = "maximum_images"
    case deviceQuota = "device_quota"
    case takesReports = "takes_reports"

    /// In English, for programs and logs.
    package var english: String {
        switch self {
        case .planWidth: "width"
        case .order: "order"
        case .alt: "alternative text"
        case .width: "width in cm"
        case .signLanguage: "sign-language video"
        case .validFrom: "shown from"
        case .validUntil: "shown until"
        case .pictureOrder: "order of the pictures"
        case .videoURL: "address of the video"
        case .uuid: "UUID"
        case .pageTitle, .pageText, .actionName, .actionKind, .actionValue, .actionSubject, .actionBody,
            .actionDescription, .overlayText, .focalPoint, .siteTitle, .maximumImages, .deviceQuota, .takesReports:
            rawValue.split(separator: "_").joined(separator: " ")
        default: rawValue
        }
    }
}
