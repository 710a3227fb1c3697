import Curation
import CurationStore

/// Files of the library to choose from in a select: the last changed ones, and those that are chosen already.
package struct MediaChoices: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case picture, video, audio, captions

        func isMet(by media: MediaDocument) -> Bool {
            switch self {
            case .picture: media.isPicture
            case .video: media.isVideo
            case .audio: media.isAudio
            case .captions: media.isCaptions
            }
        }

        static func of(_ media: MediaDocument) -> Kind? { allCases.first { $0.isMet(by: media) } }

        /// For the field of a file.
        var accepted: String {
            switch self {
            case .picture: "image/jpeg,image/png,image/webp,image/gif"
            case .video: "video/mp4,video/webm"
            case .audio: "audio/mpeg,audio/mp4,audio/ogg"
            case .captions: ".vtt,text/vtt"
            }
        }
    }

    private(set) var known: [DocumentID: MediaDocument] = [:]
    private var recent: [DocumentID] = []

    /// More are found by the library's search.
    static let mostRecent = 60

    /// - Parameter chosen: files that must be among the options.
    init(_ store: CurationStore, chosen: [DocumentID] = [], withRecent: Bool = true) async throws {
        if withRecent {
            let page = try await store.documents(.media, DocumentQuery(limit: Self.mostRecent, order: .changed))
            for stored in page.documents { note(stored) }
            recent = page.documents.map(\.id)
        }
        for stored in try await store.documents(Set(chosen).subtracting(known.keys)).values { note(stored) }
    }

    private mutating func note(_ stored: StoredDocument) {
        if let media = stored.document.media { known[stored.id] = media }
    }

    /// The address of a small picture; nil if the file is no picture, or not there.
    func picture(_ id: DocumentID?, _ width: Int = 320) -> String? {
        id.flatMap { known[$0] }.flatMap { Self.picture($0, width) }
    }

    static func picture(_ media: MediaDocument, _ width: Int = 320) -> String? {
        media.isPicture ? "/pictures/\(media.hash)/\(width)" : nil
    }

    /// A large picture as `src`, `width` and `height`, so that the page keeps its place before it is loaded; none if
    /// the file is no picture.
    static func shown(_ media: MediaDocument, _ width: Int) -> PageValue {
        guard let address = picture(media, width) else { return .none }
        guard let whole = media.width, let height = media.height, whole > 0 else { return ["src": .text(address)] }
        let least = min(whole, width)
        return [
            "src": .text(address), "width": .text("\(least)"),
            "height": .text("\(max(1, (height * least + whole / 2) / whole))"),
        ]
    }

    /// The options of a select, the first of which is none.
    func options(_ kind: Kind, chosen text: String, none: String) -> [PageValue] {
        let chosen = DocumentID(text)
        let first: PageValue = ["value": "", "text": .text(none), "chosen": .flag(text.isEmpty), "picture": .none]
        let others = ([chosen].compactMap { $0 } + recent.filter { $0 != chosen }).compactMap { id -> PageValue? in
            guard let media = known[id], kind.isMet(by: media) else { return nil }
            return [
                "value": .text(id.text), "text": .text(media.name), "chosen": .flag(id == chosen),
                "picture": PageValue(Self.picture(media)),
            ]
        }
        return [first] + others
    }
}

extension FormView {
    /// Makes a field one for a file of the library.
    mutating func choose(_ field: String, _ kind: MediaChoices.Kind, from media: MediaChoices) {
        self.media[field] = kind
        options[field] = media.options(kind, chosen: values[field] ?? "", none: texts.text("edit.media.none"))
    }
}
