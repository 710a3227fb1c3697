import Curation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Media
import NIOCore
import Serving

/// Reads a form with files while it arrives: its texts into memory, its files to disk.
struct MultipartForm {
    /// Files in one form.
    static let mostFiles = 50

    private let services: CuratorServices
    /// Called before the first file is taken: proves that the form comes from a page of this server, and that whoever
    /// sends it may upload.
    private let mayTakeFiles: (FormFields) throws(Refusal) -> Void
    private var form = FormFields()
    private var text: (name: String, octets: [UInt8])?
    private var textBytes = 0
    private var file: (head: MultipartParser.Head, sink: Sink)?

    private enum Sink {
        case media(MediaUpload)
        case archive(ArchiveWriter)
        /// A field without a chosen file.
        case none
        case refused(MediaError)
    }

    init(_ services: CuratorServices, mayTakeFiles: @escaping (FormFields) throws(Refusal) -> Void) {
        self.services = services
        self.mayTakeFiles = mayTakeFiles
    }

    /// - Throws: `Refusal` if the form cannot be read. A file that is refused is none: the form keeps its other fields.
    mutating func read(_ request: Request, boundary: String) async throws -> FormFields {
        var parser = try MultipartParser(boundary: boundary)
        let largest = services.settings.largestUpload + Int64(FormMiddleware.largestForm)
        let tooLarge = Refusal(
            413, "the form is larger than \(services.settings.largestUpload >> 20) MiB",
            whatToDo: "send fewer or smaller files, or ask whoever runs the server for a higher limit")
        try await request.readBody(upTo: largest, orThrow: tooLarge) { buffer in
            for event in try parser.read(buffer.readableBytesView) { try await handle(event) }
        }
        guard parser.isFinished else { throw MultipartParser.refused("its end is missing") }
        return form
    }

    private mutating func handle(_ event: MultipartParser.Event) async throws {
        switch event {
        case .begin(let head):
            if let name = head.file {
                file = (head, try await sink(head, name))
            } else {
                text = (head.name, [])
            }
        case .data(let octets):
            if text != nil {
                textBytes += octets.count
                guard textBytes <= FormMiddleware.largestForm else { throw FormMiddleware.tooLarge }
                text?.octets += octets
            } else if let (head, sink) = file {
                file = (head, try await write(octets, to: sink))
            }
        case .end: try await end()
        }
    }

    private func sink(_ head: MultipartParser.Head, _ name: String) async throws -> Sink {
        guard !name.isEmpty else { return .none }
        try mayTakeFiles(form)
        guard form.files.count < Self.mostFiles else {
            throw Refusal(400, "the form has more than \(Self.mostFiles) files", whatToDo: "send fewer at a time")
        }
        if head.name.hasPrefix("archive") {
            return .archive(try await ArchiveWriter.begin(in: services.media))
        }
        do throws(MediaError) {
            return .media(try await services.media.beginUpload(name: name))
        } catch {
            return .refused(error)
        }
    }

    private func write(_ octets: [UInt8], to sink: Sink) async throws -> Sink {
        switch sink {
        case .media(let upload):
            do throws(MediaError) {
                try await upload.write(octets)
                return sink
            } catch {
                return .refused(error)
            }
        case .archive(let writer):
            try await writer.write(octets)
            return sink
        case .none, .refused: return sink
        }
    }

    private mutating func end() async throws {
        if let (name, octets) = text {
            guard form.fields.count < URLEncodedForm.mostFields else {
                throw MultipartParser.refused("too many fields")
            }
            guard let value = String(validating: octets, as: UTF8.self) else {
                throw MultipartParser.refused("a field is not UTF-8")
            }
            form.fields.append((name, value.replacingLineEnds))
            text = nil
        } else if let (head, sink) = file {
            // A form may have more files than may arrive at the same time: they come one after another.
            if case .media(let upload) = sink { await upload.arrived() }
            let content: FormFile.Content? =
                switch sink {
                case .media(let upload): .media(upload)
                case .archive(let writer): .archive(writer.finish())
                case .refused(let error): .refused(error)
                case .none: nil
                }
            if let content { form.files.append(FormFile(field: head.name, name: head.file ?? "", content: content)) }
            file = nil
        }
    }
}
