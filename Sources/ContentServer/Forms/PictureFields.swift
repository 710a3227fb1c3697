import Curation

/// The fields of a picture where it is used: `NAME.media`, `NAME.alt`, `NAME.decorative`.
extension FieldWriter {
    mutating func picture(_ field: String, _ use: PictureUse?) {
        document(field + ".media", use?.media)
        text(field + ".alt", use?.alt ?? LocalizedText())
        check(field + ".decorative", use?.isDecorative ?? false)
    }
}

extension FieldReader {
    mutating func picture(_ field: String, into use: inout PictureUse?) {
        var media = use?.media
        document(field + ".media", into: &media)
        guard let media else {
            use = nil
            return
        }
        // Another picture shows something else: its text begins anew, unless the form has one.
        var read = use ?? PictureUse(media)
        read.media = media
        text(field + ".alt", into: &read.alt)
        check(field + ".decorative", into: &read.isDecorative)
        use = read
    }
}
