extension DocumentCheck {
    func check(_ image: ImageDocument, _ mistakes: inout MistakeList) {
        if otherImages >= site.maximumImages {
            mistakes.add("beacon", Problem(.tooManyImages, "\(site.maximumImages)"))
        }
        mistakes.size("width_cm", image.widthCm, most: FieldLimits.widestImage)
        mistakes.range("rank", image.rank, in: FieldLimits.rank)
        var sides: Set<ContentItem.Side> = []
        for content in image.contents {
            if !sides.insert(content.side).inserted { mistakes.add("\(content.field).side", Problem(.sideTaken)) }
            check(content, &mistakes)
        }
        for (language, body) in image.page?.body.values.sorted(by: { $0.key < $1.key }) ?? [] {
            if let problem = body.excess { mistakes.add("page.body.\(language)", problem) }
        }
        mistakes.text("category", image.category, limit: FieldLimits.category)
        mistakes.tags("tags", image.tags)
        if let from = image.validFrom, let until = image.validUntil, from >= until {
            mistakes.add("valid_until", Problem(.untilBeforeFrom))
        }
    }

    private func check(_ content: ContentItem, _ mistakes: inout MistakeList) {
        let path = content.field
        switch content.kind {
        case .image, .map:
            if content.pictures.count > 1 { mistakes.add("\(path).pictures", Problem(.onePictureOnly)) }
        case .gallery:
            if content.pictures.count > FieldLimits.galleryPictures {
                mistakes.add("\(path).pictures", Problem(.tooMany, "\(FieldLimits.galleryPictures)"))
            }
        case .video:
            if !content.pictures.isEmpty { mistakes.add("\(path).pictures", Problem(.noPicturesHere)) }
        }
        checkVideo(of: content, &mistakes)
        if content.kind != .map, content.coordinates != nil {
            mistakes.add("\(path).coordinates", Problem(.mapOnly))
        }
        mistakes.coordinates("\(path).coordinates", content.coordinates)
        if let action = content.action {
            if !content.kind.takesAction { mistakes.add("\(path).action", Problem(.noActionHere)) }
            check(action, "\(path).action", &mistakes)
        }
    }

    private func checkVideo(of content: ContentItem, _ mistakes: inout MistakeList) {
        let path = content.field
        if content.kind != .video {
            if content.videoURL != nil { mistakes.add("\(path).video_url", Problem(.videoOnly)) }
            if content.video != nil { mistakes.add("\(path).video", Problem(.videoOnly)) }
            if !content.captions.isEmpty { mistakes.add("\(path).captions", Problem(.videoOnly)) }
            if !content.signLanguage.isEmpty { mistakes.add("\(path).sign_language", Problem(.videoOnly)) }
        } else if content.videoURL != nil, content.video != nil {
            mistakes.add("\(path).video_url", Problem(.oneVideoOnly))
        }
        if let address = content.videoURL {
            mistakes.value("\(path).video_url") { () throws(Problem) in _ = try LinkAddress.read(address) }
        }
    }

    private func check(_ action: ActionItem, _ path: String, _ mistakes: inout MistakeList) {
        mistakes.value("\(path).value") { () throws(Problem) in
            _ = try ActionValue.read(action.value, kind: action.kind)
        }
        for (name, value) in action.parameters.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "subject" where action.kind == .email:
                mistakes.text("\(path).parameters.subject", value, limit: FieldLimits.name)
            case "body" where action.kind == .email:
                mistakes.text("\(path).parameters.body", value, limit: FieldLimits.mailBody)
            default:
                mistakes.add("\(path).parameters", Problem(.unknownParameter, String(name.prefix(FieldLimits.tag))))
            }
        }
    }
}
