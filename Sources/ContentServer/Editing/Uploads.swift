import Curation
import CurationStore
import Media

/// A file that was sent with a form, after it was looked at.
enum UploadOutcome: Sendable {
    /// - Parameter name: of the file that was sent; the library keeps the first one of the same bytes.
    case stored(DocumentID, MediaDocument, name: String)
    case refused(name: String, MediaError)
}

extension Editing {
    /// Takes the files of a field into the library, in order. The same bytes again are the same file of the library.
    func upload(_ field: String) async throws -> [UploadOutcome] {
        var outcomes: [UploadOutcome] = []
        for file in form.files.filter({ $0.field == field }).prefix(100) {
            do throws(MediaError) {
                outcomes.append(try await stored(try await finished(file)))
            } catch {
                outcomes.append(.refused(name: file.name, error))
            }
        }
        return outcomes
    }

    /// A file of the form, checked and cleaned.
    func finished(_ file: FormFile) async throws(MediaError) -> MediaDocument {
        switch file.content {
        case .media(let upload): try await services.media.finish(upload)
        case .refused(let error): throw error
        case .archive: throw MediaError(.unsupported, "an archive is no medium", remedy: "import it", place: file.name)
        }
    }

    private func stored(_ media: MediaDocument) async throws(MediaError) -> UploadOutcome {
        do {
            let stored = try await DraftSaving.add(media, services, author)
            return .stored(stored.id, stored.document.media ?? media, name: media.name)
        } catch {
            throw MediaError(.full, error.problem, remedy: error.remedy, place: media.name)
        }
    }

    /// Takes the files of fields `upload.NAME` into the library, and puts them into the fields `NAME`.
    ///
    /// - Returns: what was refused, by the field.
    func takeUploads(into values: inout FormValues) async throws -> [String: String] {
        var refused: [String: String] = [:]
        let prefix = "upload."
        for field in Set(form.files.map(\.field)).filter({ $0.hasPrefix(prefix) }) {
            let name = String(field.dropFirst(prefix.count))
            var row = (values.rows(name, limit: 1000).last ?? -1) + 1
            for outcome in try await upload(field) {
                switch outcome {
                case .stored(let id, _, _) where name == "pictures":
                    values["pictures.\(row).media"] = id.text
                    row += 1
                case .stored(let id, _, _): values[name] = id.text
                case .refused(let file, let error): refused[name] = "\(file): \(texts.text(error))"
                }
            }
        }
        return refused
    }
}

extension Catalogue {
    /// Why a file is refused, in the language of the pages.
    func text(_ error: MediaError) -> String {
        let key = "media.\(error.code.rawValue)"
        if has(key) { return text(key, arguments: error.arguments) }
        return error.remedy.isEmpty ? error.problem : "\(error.problem): \(error.remedy)"
    }
}
