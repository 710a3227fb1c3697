package import Curation

/// An image to recognise, without its contents and its page, which have forms of their own.
package struct ImageForm: DocumentForm {
    package let language: Language

    package init(language: Language) {
        self.language = language
    }

    package func values(of body: ImageDocument) -> FormValues {
        var writer = FieldWriter(in: language)
        writer.text("title", body.title)
        writer.picture("picture", body.picture)
        writer.number("width_cm", body.widthCm)
        writer.text("display", body.display.rawValue)
        writer.document("audio", body.audio)
        writer.text("transcript", body.transcript)
        writer.document("sign_language", body.signLanguage)
        writer.text("category", body.category)
        writer.words("tags", body.tags)
        writer.moment("valid_from", body.validFrom)
        writer.moment("valid_until", body.validUntil)
        writer.document("beacon", body.beacon)
        return writer.values
    }

    package func read(_ values: FormValues, into body: inout ImageDocument) -> [FieldMistake] {
        var reader = FieldReader(values, in: language)
        reader.text("title", into: &body.title)
        reader.picture("picture", into: &body.picture)
        reader.number("width_cm", into: &body.widthCm)
        reader.choice("display", into: &body.display)
        reader.document("audio", into: &body.audio)
        reader.text("transcript", into: &body.transcript)
        reader.document("sign_language", into: &body.signLanguage)
        reader.text("category", into: &body.category)
        reader.words("tags", into: &body.tags)
        reader.moment("valid_from", into: &body.validFrom)
        reader.moment("valid_until", into: &body.validUntil)
        reader.document("beacon", into: &body.beacon)
        return reader.mistakes
    }
}
