package import Beacon
package import Curation

/// A beacon's name, identity and place.
package struct BeaconForm: DocumentForm {
    package let language: Language

    package init(language: Language) {
        self.language = language
    }

    package func values(of body: BeaconDocument) -> FormValues {
        var writer = FieldWriter(in: language)
        writer.text("name", body.name)
        writer.text("uuid", body.uuid.map { "\($0)".uppercased() })
        writer.whole("major", body.major)
        writer.whole("minor", body.minor)
        writer.text("note", body.note)
        writer.text("floor", body.floor)
        writer.document("plan", body.plan)
        writer.place("place", body.place)
        writer.coordinates("coordinates", body.coordinates)
        return writer.values
    }

    package func read(_ values: FormValues, into body: inout BeaconDocument) -> [FieldMistake] {
        var values = values
        // The whole identity may be pasted into the first of its three fields.
        if let pasted = values["uuid"].flatMap(Self.identity) {
            values["uuid"] = "\(pasted.uuid)"
            values["major"] = "\(pasted.major)"
            values["minor"] = "\(pasted.minor)"
        }
        var reader = FieldReader(values, in: language)
        reader.text("name", into: &body.name)
        reader.read("uuid", into: &body.uuid) { text throws(Problem) in try FieldText.uuid(text) }
        reader.whole("major", into: &body.major)
        reader.whole("minor", into: &body.minor)
        reader.text("note", into: &body.note)
        reader.text("floor", into: &body.floor)
        reader.document("plan", into: &body.plan)
        reader.place("place", into: &body.place)
        reader.coordinates("coordinates", into: &body.coordinates)
        return reader.mistakes
    }

    /// `UUID/major/minor`, also with spaces or commas between them.
    package static func identity(_ text: String) -> BeaconID? {
        let parts = text.split { "/,; \t".contains($0) }
        guard parts.count == 3, let uuid = ProximityUUID(String(parts[0])), let major = UInt16(parts[1]),
            let minor = UInt16(parts[2])
        else { return nil }
        return BeaconID(uuid: uuid, major: major, minor: minor)
    }
}
