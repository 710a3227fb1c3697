import Curation
import Serving
import SiteFormat

/// The schemas of the documents that curators edit.
enum DocumentSchemas {
    static let id = Schema.text("Names a document.", pattern: "^[a-z0-9-]{1,40}$")
    private static let hash = Schema.text(pattern: "^[0-9a-f]{64}$")
    private static let text = Schema.byLanguage(.text())

    static let all: [String: Schema] = [
        "LocalizedText": text,
        "Coordinates": .object(
            ["latitude": .number(-90...90), "longitude": .number(-180...180)], required: ["latitude", "longitude"]),
        "PlanPoint": .object(["x": .number(0...1), "y": .number(0...1)], required: ["x", "y"]),
        "PictureUse": .object(
            ["media": id, "alt": .ref("LocalizedText"), "decorative": .bool], required: ["media"]),
        "BeaconDocument": .object([
            "name": .ref("LocalizedText"),
            "uuid": .uuid,
            "major": .sixteenBits, "minor": .sixteenBits, "note": .text(), "floor": .text(),
            "plan": id, "place": .ref("PlanPoint"), "coordinates": .ref("Coordinates"),
        ]),
        "ActionItem": .object(
            [
                "name": .ref("LocalizedText"), "kind": .choice(ActionItem.Kind.allCases.map(\.rawValue)),
                "value": .text(),
                "parameters": Schema(json: [
                    "type": .string("object"), "additionalProperties": .object(Schema.text().json),
                ]),
                "description": .ref("LocalizedText"), "overlay_text": .ref("LocalizedText"),
            ], required: ["kind"]),
        "ContentItem": .object(
            [
                "id": id, "label": .ref("LocalizedText"),
                "side": .choice(ContentItem.Side.allCases.map(\.rawValue)),
                "kind": .choice(ContentItem.Kind.allCases.map(\.rawValue)),
                "pictures": .list(.ref("PictureUse")), "video_url": .text(), "video": id,
                "captions": .byLanguage(id), "sign_language": .byLanguage(id), "coordinates": .ref("Coordinates"),
                "action": .ref("ActionItem"),
            ], required: ["side", "kind"]),
        "FullPage": .object([
            "title": .ref("LocalizedText"),
            "body": .byLanguage(.object(["type": .choice(["doc"]), "content": .list(.any)])),
        ]),
        "ImageDocument": .object([
            "beacon": id, "rank": .integer(FieldLimits.rank), "title": .ref("LocalizedText"),
            "picture": .ref("PictureUse"), "width_cm": .number(),
            "display": .choice(ImageDocument.Display.allCases.map(\.rawValue)),
            "contents": .list(.ref("ContentItem")), "page": .ref("FullPage"), "audio": .byLanguage(id),
            "transcript": .ref("LocalizedText"), "sign_language": .byLanguage(id), "category": .text(),
            "tags": .list(.text()), "valid_from": .moment, "valid_until": .moment,
        ]),
        "MediaDocument": .object(
            [
                "sha256": hash, "bytes": .integer(0...Int64(1) << 40), "media_type": .text(),
                "width": .integer(1...1_000_000), "height": .integer(1...1_000_000), "name": .text(),
                "focal_point": .ref("PlanPoint"), "likeness": .text(pattern: "^[0-9a-f]{1,16}$"),
                "tags": .list(.text()),
            ], required: ["sha256", "bytes", "media_type"]),
        "PlanDocument": .object([
            "name": .ref("LocalizedText"), "floor": .text(), "picture": id, "width_m": .number(),
        ]),
        "SiteDocument": .object([
            "title": .text(), "languages": .list(.text(pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$")),
            "gate": Schema(json: [
                "type": .string("object"),
                "additionalProperties": .object(Schema.choice(GateLevel.allCases.map(\.rawValue)).json),
                "propertyNames": .object(["enum": .array(GateRule.allCases.map { .string($0.rawValue) })]),
            ]),
            "maximum_images": .integer(), "device_quota": .integer(), "takes_reports": .bool,
        ]),
    ]

    /// The name of the schema of a kind.
    static func name(_ kind: Document.Kind) -> String {
        let word = kind.rawValue
        return word.prefix(1).uppercased() + word.dropFirst() + "Document"
    }
}
