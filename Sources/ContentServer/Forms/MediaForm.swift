import Curation

/// What is said about a file of the library.
struct MediaForm: DocumentForm {
    let language: Language

    func values(of body: MediaDocument) -> FormValues {
        var writer = FieldWriter(in: language)
        writer.text("name", body.name)
        writer.place("focal_point", body.focalPoint)
        writer.words("tags", body.tags)
        return writer.values
    }

    func read(_ values: FormValues, into body: inout MediaDocument) -> [FieldMistake] {
        var reader = FieldReader(values, in: language)
        reader.text("name", into: &body.name)
        reader.place("focal_point", into: &body.focalPoint)
        reader.words("tags", into: &body.tags)
        return reader.mistakes
    }
}
