import Curation

/// The pictures of a content as rows of its form.
package enum PictureRows {
    package static func values(_ view: FormView, _ media: MediaChoices) -> [PageValue] {
        view.values.rows("pictures", limit: ContentForm.mostPictures).enumerated().compactMap { index, row in
            guard view.values["pictures.\(row).media"]?.isEmpty == false else { return nil }
            return self.row("\(row)", view, media, number: index + 1)
        }
    }

    /// - Parameter row: its number in the fields' names; `N` for the model of rows to come.
    package static func row(_ row: String, _ view: FormView, _ media: MediaChoices, number: Int = 0) -> PageValue {
        let id = view.values["pictures.\(row).media"].flatMap { DocumentID($0) }
        return [
            "row": .text(row), "number": .text("\(number)"), "media": PageValue(id?.text),
            "name": PageValue(id.flatMap { media.known[$0]?.name }), "picture": PageValue(media.picture(id)),
            "alt": view.field("pictures.\(row).alt", named: "picture_alt"),
            "decorative": view.field("pictures.\(row).decorative", named: "picture_decorative"),
            "error": PageValue(view.mistakes["pictures.\(row).media"] ?? view.mistakes["pictures.\(row)"]),
        ]
    }

    /// What a button of a row does: `up 2`, `down 0`, `remove 1`.
    package struct Change {
        var what: String
        var row: Int

        package init?(_ text: String?) {
            let parts = (text ?? "").split(separator: " ")
            guard parts.count == 2, let row = Int(parts[1]), ["up", "down", "remove"].contains(parts[0]) else {
                return nil
            }
            what = String(parts[0])
            self.row = row
        }

        package func applied(to values: FormValues) -> FormValues {
            var order = values.rows("pictures", limit: ContentForm.mostPictures)
            guard let at = order.firstIndex(of: row) else { return values }
            switch what {
            case "remove": order.remove(at: at)
            case "up" where at > 0: order.swapAt(at, at - 1)
            case "down" where at + 1 < order.count: order.swapAt(at, at + 1)
            default: return values
            }
            var changed = FormValues(values.texts.filter { !$0.key.hasPrefix("pictures.") })
            for (new, old) in order.enumerated() {
                for part in ["media", "alt", "decorative"] {
                    if let text = values["pictures.\(old).\(part)"] { changed["pictures.\(new).\(part)"] = text }
                }
            }
            return changed
        }
    }
}
