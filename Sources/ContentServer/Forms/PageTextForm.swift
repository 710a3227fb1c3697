import Curation
import SiteFormat

/// The full page of an image. The editor sends the text as JSON in `body_json`; without scripts `body` holds it as
/// plain text.
struct PageTextForm: DocumentForm {
    let language: Language

    func values(of body: FullPage) -> FormValues {
        var writer = FieldWriter(in: language)
        writer.text("title", body.title)
        let text = body.body[language] ?? PageText()
        writer.text("body", PlainPageText.write(text))
        writer.text("body_json", json(of: text))
        return writer.values
    }

    /// The text as the editor takes it; empty if there is none.
    func json(of text: PageText) -> String {
        let json = text.isEmpty ? nil : try? encodeDocument(EditorPage(text, in: language))
        return json.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    func read(_ values: FormValues, into body: inout FullPage) -> [FieldMistake] {
        var reader = FieldReader(values, in: language)
        reader.place = "page."
        reader.text("title", into: &body.title)
        if let json = values.trimmed("body_json"), !json.isEmpty {
            do {
                let text = try decodeDocument(PageText.self, json: Array(json.utf8), source: "page")
                body.body[language] = text.isEmpty ? nil : text
            } catch {
                reader.refuse("body", Problem(.unreadable, error.problem))
            }
        } else if let plain = values["body"] {
            let text = PlainPageText.read(plain, over: body.body[language])
            body.body[language] = text.isEmpty ? nil : text
        } else if values["body_json"] != nil {
            body.body[language] = nil
        }
        return reader.mistakes
    }
}
