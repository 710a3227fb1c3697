import ArgumentParser
import Beacon
import Console
import Content
import Events
import SiteFormat
import Text

struct ContentShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows what a visitor sees at a beacon, and the files that it is in.",
        discussion: "Exit status 1 if nothing is stored for it.")

    @Argument(help: "UUID/MAJOR/MINOR, as much of it as is enough (MAJOR.MINOR), a name, or uncategorized.")
    var beacon: BeaconArgument

    @OptionGroup var content: ContentOptions

    @OptionGroup var output: ContentFormatOptions

    func run() async throws {
        let access = try await content.opened()
        let beacon = try await beacon.beacon(in: access)
        guard let found = try await access.content(for: beacon) else {
            throw CommandFailure(
                "nothing is stored for \(beacon?.description ?? "uncategorized") in \(access.place); beaconctl content "
                    + "sync fetches what the site has")
        }
        let text = StoredContentText(content: found, path: access.assetPath)
        Program.output((output.isJSON ? text.json : text.text) + "\n")
    }
}

/// One beacon's content as text and as JSON.
struct StoredContentText {
    let content: StoredContent
    let path: (String) -> String?

    var text: String {
        var lines = ["\(printable(content.name ?? "")) (\(content.scope))".trimmingPrefix(" ").description]
        lines.append("manifest  \(content.manifestPath)")
        if let time = content.validatedAt { lines.append("confirmed \(time.rfc3339.prefix(19))Z") }
        let missing = content.missing == 0 ? "" : ", \(content.missing) missing"
        lines.append("files     \(content.assets), \(ByteCount.text(content.bytes))\(missing)")
        let languages = content.manifest.languages
        if !languages.isEmpty { lines.append("languages \(printable(languages.joined(separator: ", ")))") }
        // Other languages differ in texts, and perhaps in files, which are counted above.
        for image in content.manifest.images {
            lines.append("")
            lines.append("image \(printable(image.id))  \(printable(image.title ?? ""))")
            lines += Self.facts(image)
            lines.append(line(image.asset))
            if let audio = image.audio { lines += ["  audio", line(audio.asset)] }
            if let signed = image.signLanguage { lines += ["  sign language", line(signed)] }
            for part in image.contents {
                lines.append("  \(part.kind.rawValue) \(printable(part.id))  \(printable(part.label ?? ""))")
                if let action = part.action {
                    lines.append("    \(action.kind.rawValue): \(printable(action.value))")
                }
                if let video = part.videoURL { lines.append("    video_url \(printable(video))") }
                if let point = part.coordinates {
                    lines.append("    coordinates \(point.latitude), \(point.longitude)")
                }
                for asset in part.assets {
                    lines.append(line(asset))
                    if let alt = asset.alt { lines.append("      alt \(alt.isEmpty ? "decorative" : printable(alt))") }
                }
                if let captions = part.captions { lines += ["    captions", line(captions)] }
                if let signed = part.signLanguage { lines += ["    sign language", line(signed)] }
            }
            // The content of a page is not shown, only that there is one.
            if let page = image.fullscreen {
                lines.append("  page \(printable(page.title ?? "")), \(page.html.utf8.count) bytes of HTML")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// What is known about an image besides its files.
    private static func facts(_ image: ManifestImage) -> [String] {
        let from = image.validFrom.map { "from \($0.rfc3339.prefix(19))Z" }
        let until = image.validUntil.map { "until \($0.rfc3339.prefix(19))Z" }
        let valid = [from, until].compactMap(\.self).joined(separator: " ")
        let labels = ([image.category].compactMap(\.self) + image.tags).joined(separator: ", ")
        let alt = image.alt.map { $0.isEmpty ? "decorative" : printable($0) }
        return [("alt", alt ?? ""), ("shown", valid), ("labels", printable(labels))]
            .filter { !$0.1.isEmpty }.map { "  \($0.0) \($0.1)" }
    }

    private func line(_ asset: ManifestAsset) -> String {
        let size = pad(ByteCount.text(asset.bytes), 10)
        return "    \(size)  \(printable(asset.mediaType ?? "-"))  \(path(asset.sha256.description) ?? "missing")"
    }

    var json: String {
        var json = JSONText()
        json.object { json in
            json.scope(content.scope)
            json.value("name", content.name)
            json.value("manifest", content.manifestPath)
            json.value("validated_at", content.validatedAt?.rfc3339)
            json.value("missing", content.missing)
            json.array("assets") { json in
                for asset in content.manifest.assets {
                    json.object { json in
                        json.value("sha256", asset.sha256.description)
                        json.value("bytes", Int(asset.bytes))
                        json.value("media_type", asset.mediaType)
                        json.value("path", path(asset.sha256.description))
                    }
                }
            }
        }
        return json.text
    }
}
