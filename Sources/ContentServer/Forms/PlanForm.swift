import Curation

/// The plan of a floor. Where the beacons are on it is said by the beacons.
struct PlanForm: DocumentForm {
    let language: Language

    func values(of body: PlanDocument) -> FormValues {
        var writer = FieldWriter(in: language)
        writer.text("name", body.name)
        writer.text("floor", body.floor)
        writer.document("picture", body.picture)
        writer.number("width_m", body.widthM)
        return writer.values
    }

    func read(_ values: FormValues, into body: inout PlanDocument) -> [FieldMistake] {
        var reader = FieldReader(values, in: language)
        reader.text("name", into: &body.name)
        reader.text("floor", into: &body.floor)
        reader.document("picture", into: &body.picture)
        reader.number("width_m", into: &body.widthM)
        return reader.mistakes
    }
}
