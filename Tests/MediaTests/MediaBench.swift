import Curation
import Glibc
import Media
import Platform
import TestSupport

/// A library in a folder of its own, with the real program that decodes pictures.
struct MediaBench {
    let folder: TemporaryFolder
    let library: MediaLibrary

    init(_ limits: MediaLimits = MediaLimits(), helper: String? = MediaBench.helper) throws {
        folder = try TemporaryFolder()
        library = try MediaLibrary(folder: folder.path, helper: ImageHelper(program: helper), limits: limits)
    }

    static let helper = Programs.path(of: "beacon-content-images")
    /// Why a test does not run.
    static let noLibrary = "libvips.so.42 is not installed (tools/test installs it)"

    static let hasLibrary: Bool = {
        guard let handle = dlopen("libvips.so.42", RTLD_LAZY) else { return false }
        dlclose(handle)
        return true
    }()

    /// Files of the library, uploads and thumbnails, without the folders' names.
    func files(_ kind: String) -> [String] {
        let top = "\(folder)/\(kind)"
        return names(top).flatMap { part in
            var status = stat()
            let isFolder = stat("\(top)/\(part)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            return isFolder ? names("\(top)/\(part)") : [part]
        }
    }

    private func names(_ path: String) -> [String] {
        FolderListing.names(in: path).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// What a file is refused with; nil if it is taken.
    func refusal(of octets: [UInt8], name: String = "file.png") async -> MediaError? {
        do throws(MediaError) {
            _ = try await library.add(octets, name: name)
            return nil
        } catch {
            return error
        }
    }
}
