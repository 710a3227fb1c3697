package import Beacon

/// Checks one document together with its surroundings.
///
/// There are two kinds of findings. `mistakes` are refused when a document is saved, and `missing` is reported when it
/// is published: drafts may be incomplete, but what they contain must be right.
package struct DocumentCheck: Sendable {
    /// The site's settings: its languages, and the most images of a beacon.
    package var site: SiteDocument
    /// The number of other images of the image's beacon. It is 0 if the image already belongs to the beacon, so that a
    /// lowered maximum does not prevent editing of existing images.
    package var otherImages = 0
    /// Returns the name of another beacon with this identity; nil if there is none.
    package var owner: @Sendable (BeaconID) -> String? = { _ in nil }
    /// Returns the document that a reference names; nil if there is none. Without this closure, references are not
    /// checked.
    package var document: (@Sendable (DocumentID) -> Document?)?

    package init(site: SiteDocument = SiteDocument()) {
        self.site = site
    }

    /// The mistakes that are refused when the document is saved, in the order of its fields. `document` is tidied.
    package func mistakes(in document: Document) -> [FieldMistake] {
        var mistakes = MistakeList()
        for field in document.texts { mistakes.text(field.field, field.text, limit: field.limit) }
        switch document {
        case .beacon(let body): check(body, &mistakes)
        case .image(let body): check(body, &mistakes)
        case .media(let body): check(body, &mistakes)
        case .plan(let body): check(body, &mistakes)
        case .site(let body): check(body, &mistakes)
        }
        for picture in document.pictures {
            mistakes.text("\(picture.field).alt", picture.use.alt, limit: FieldLimits.alt)
        }
        checkReferences(of: document, &mistakes)
        return mistakes.all
    }

    /// Documents that exist must be of the right kind. Deleted ones are reported when publishing: a deleted picture
    /// must not prevent the rest of a draft from being saved.
    private func checkReferences(of document: Document, _ mistakes: inout MistakeList) {
        guard let target = self.document else { return }
        for reference in document.references {
            guard let found = target(reference.id), let code = reference.need.mistake(found) else { continue }
            mistakes.add(reference.field, Problem(code, found.name(in: site.languages)))
        }
    }

    private func check(_ beacon: BeaconDocument, _ mistakes: inout MistakeList) {
        mistakes.text("note", beacon.note, limit: FieldLimits.note)
        mistakes.text("floor", beacon.floor, limit: FieldLimits.floor)
        if let id = beacon.id, let owner = owner(id) { mistakes.add("uuid", Problem(.identityTaken, owner)) }
        mistakes.point("place", beacon.place)
        if beacon.place != nil, beacon.plan == nil { mistakes.add("place", Problem(.placeWithoutPlan)) }
        mistakes.coordinates("coordinates", beacon.coordinates)
    }

    private func check(_ plan: PlanDocument, _ mistakes: inout MistakeList) {
        mistakes.text("floor", plan.floor, limit: FieldLimits.floor)
        mistakes.size("width_m", plan.widthM, most: FieldLimits.widestPlan)
    }

    private func check(_ media: MediaDocument, _ mistakes: inout MistakeList) {
        mistakes.text("name", media.name, limit: FieldLimits.name)
        for (field, pixels) in [("width", media.width), ("height", media.height)] {
            if let pixels { mistakes.range(field, Int64(pixels), in: 1...1_000_000) }
        }
        mistakes.point("focal_point", media.focalPoint)
        mistakes.tags("tags", media.tags)
    }

    private func check(_ site: SiteDocument, _ mistakes: inout MistakeList) {
        mistakes.text("title", site.title, limit: FieldLimits.name)
        if site.languages.isEmpty { mistakes.add("languages", Problem(.languageNeeded)) }
        mistakes.distinct("languages", site.languages.map(\.description), limit: FieldLimits.languages)
        mistakes.range("maximum_images", Int64(site.maximumImages), in: FieldLimits.imageNumbers)
        mistakes.range("device_quota", site.deviceQuota, in: FieldLimits.deviceQuota)
    }
}

extension DocumentReference.Need {
    /// Nil if the document is of the right kind.
    fileprivate func mistake(_ document: Document) -> Problem.Code? {
        switch self {
        case .picture: document.media?.isPicture == true ? nil : .notPicture
        case .video: document.media?.isVideo == true ? nil : .notVideo
        case .audio: document.media?.isAudio == true ? nil : .notAudio
        case .captions: document.media?.isCaptions == true ? nil : .notCaptions
        case .beacon: document.beacon == nil ? .notBeacon : nil
        case .plan: document.plan == nil ? .notPlan : nil
        }
    }
}
