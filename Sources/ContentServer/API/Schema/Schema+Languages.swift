import Serving
import SiteFormat

extension Schema {
    /// An object whose keys are language tags.
    static func byLanguage(_ value: Schema) -> Schema {
        Schema(json: [
            "type": .string("object"), "additionalProperties": .object(value.json),
            "propertyNames": .object(["pattern": .string("^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$")]),
        ])
    }
}
