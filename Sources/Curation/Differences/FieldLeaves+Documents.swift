internal import SiteFormat

extension FieldLeaves {
    init(_ document: Document) {
        switch document {
        case .beacon(let body): add(body)
        case .image(let body): add(body)
        case .media(let body): add(body)
        case .plan(let body): add(body)
        case .site(let body): add(body)
        }
    }

    private mutating func add(_ beacon: BeaconDocument) {
        texts("name", .name, beacon.name)
        text("uuid", .uuid, beacon.uuid.map { "\($0)" })
        number("major", .major, beacon.major)
        number("minor", .minor, beacon.minor)
        text("note", .note, beacon.note)
        text("floor", .floor, beacon.floor)
        add("plan", .plan, beacon.plan.map { .document($0) })
        add("place", .place, beacon.place.map { .text($0.words) })
        add("coordinates", .coordinates, beacon.coordinates.map { .text(CoordinateText.text($0)) })
    }

    private mutating func add(_ plan: PlanDocument) {
        texts("name", .name, plan.name)
        text("floor", .floor, plan.floor)
        add("picture", .picture, plan.picture.map { .document($0) })
        decimal("width_m", .planWidth, plan.widthM)
    }

    private mutating func add(_ media: MediaDocument) {
        text("name", .name, media.name)
        text("sha256", .file, media.hash.description)
        add("focal_point", .focalPoint, media.focalPoint.map { .text($0.words) })
        text("tags", .tags, media.tags.joined(separator: ", "))
    }

    private mutating func add(_ site: SiteDocument) {
        text("title", .siteTitle, site.title)
        text("languages", .languages, site.languages.map(\.description).joined(separator: ", "))
        for rule in GateRule.allCases {
            add("gate.\(rule.rawValue)", .gate, site.gate[rule].map { .choice("\(rule.rawValue).\($0.rawValue)") })
        }
        number("maximum_images", .maximumImages, site.maximumImages)
        add("device_quota", .deviceQuota, .bytes(site.deviceQuota))
        flag("takes_reports", .takesReports, site.takesReports)
    }

    private mutating func add(_ image: ImageDocument) {
        add("beacon", .beacon, image.beacon.map { .document($0) })
        number("rank", .order, Optional(image.rank))
        texts("title", .title, image.title)
        if let use = image.picture { picture("picture", field: "picture", .picture, use, isOwner: false) }
        decimal("width_cm", .width, image.widthCm)
        add("display", .display, .choice(image.display.rawValue))
        for content in image.contents { add(content) }
        if let page = image.page {
            texts("page.title", .pageTitle, page.title)
            for (language, body) in page.body.values.sorted(by: { $0.key < $1.key }) where !body.isEmpty {
                add("page.body.\(language)", .pageText, .text(body.plainText), language: language, page: body)
            }
        }
        files("audio", .audio, image.audio)
        texts("transcript", .transcript, image.transcript)
        files("sign_language", .signLanguage, image.signLanguage)
        text("category", .category, image.category)
        text("tags", .tags, image.tags.joined(separator: ", "))
        add("valid_from", .validFrom, image.validFrom.map { .moment($0) })
        add("valid_until", .validUntil, image.validUntil.map { .moment($0) })
    }

    private mutating func add(_ content: ContentItem) {
        part(
            "contents.\(content.id)", field: content.field, side: content.side, .content, .choice(content.kind.rawValue)
        ) { leaves in
            leaves.add("side", .side, .choice(content.side.rawValue))
            leaves.texts("label", .label, content.label)
            leaves.pictures(of: content)
            leaves.text("video_url", .videoURL, content.videoURL)
            leaves.add("video", .video, content.video.map { .document($0) })
            leaves.files("captions", .captions, content.captions)
            leaves.files("sign_language", .signLanguage, content.signLanguage)
            leaves.add("coordinates", .coordinates, content.coordinates.map { .text(CoordinateText.text($0)) })
            if let action = content.action { leaves.add(action) }
        }
    }

    private mutating func pictures(of content: ContentItem) {
        guard content.kind == .gallery else {
            // Another picture in the same place counts as a change.
            for (index, use) in content.pictures.enumerated() {
                picture("pictures.\(index)", field: "pictures.\(index)", .picture, use, isOwner: false)
            }
            return
        }
        var counts: [DocumentID: Int] = [:]
        for (index, use) in content.pictures.enumerated() {
            let count = counts[use.media, default: 0]
            counts[use.media] = count + 1
            picture("pictures.\(use.media).\(count)", field: "pictures.\(index)", .pictures, use, isOwner: true)
        }
    }

    private mutating func picture(
        _ key: String, field: String, _ label: FieldLabel, _ use: PictureUse, isOwner: Bool
    ) {
        part(key, field: field, label, .document(use.media), isOwner: isOwner) { leaves in
            leaves.texts("alt", .alt, use.alt)
            leaves.flag("decorative", .decorative, use.isDecorative)
        }
    }

    private mutating func add(_ action: ActionItem) {
        add("action.kind", .actionKind, .choice(action.kind.rawValue))
        text("action.value", .actionValue, action.value)
        texts("action.name", .actionName, action.name)
        text("action.parameters.subject", .actionSubject, action.parameters["subject"])
        text("action.parameters.body", .actionBody, action.parameters["body"])
        texts("action.description", .actionDescription, action.description)
        texts("action.overlay_text", .overlayText, action.overlayText)
    }
}

extension PlanPoint {
    /// The point in percent of the picture's width and height.
    fileprivate var words: String { "\(Int((x * 100).rounded())) %, \(Int((y * 100).rounded())) %" }
}
