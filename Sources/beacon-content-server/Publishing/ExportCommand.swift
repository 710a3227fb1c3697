import ArgumentParser
import Console
import ContentServer
import Curation
import Foundation
import Glibc
import Media
import Platform
import Publishing

/// What export writes.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case zip, beacons, texts, tourml

    var table: SiteExchange.Table? {
        switch self {
        case .beacons: .beacons
        case .texts: .texts
        case .zip, .tourml: nil
        }
    }
}

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write everything into a file.",
        discussion: """
            zip: the published site, all drafts and the media library, to serve from a folder or to import elsewhere. \
            beacons, texts: tables as CSV, to edit and import again. tourml: a tour for other programs.
            """)

    @Argument(help: "The file; - is standard output.") var file: String
    @Option(help: "zip, beacons, texts or tourml.") var format = ExportFormat.zip
    @Option(name: ServerOption.address.name, help: "tourml: where the site is published, for its addresses.")
    var address = "http://127.0.0.1:8090"
    @OptionGroup var state: StateOptions

    mutating func run() async throws {
        let base = try PagesAddress(address, mayHavePath: true).link
        try FilesApart.require([state.database], writes: [OutputFile(result: file)])
        let exchange = try await state.exchange()
        switch format {
        case .zip:
            let entries = try await exchange.archive()
            let file = file
            try await OwnThread.run {
                let output = try Output(file)
                var writer = try ZIPWriter(entries)
                while let bytes = try writer.next() { try output.write(bytes) }
                try output.finish()
            }
        case .beacons, .texts:
            guard let table = format.table else { return }
            try await write(exchange.table(table).csv)
        case .tourml: try await write(exchange.tourML(base: base))
        }
    }

    private func write(_ text: String) async throws {
        let file = file
        try await OwnThread.run {
            let output = try Output(file)
            try output.write(Array(text.utf8))
            try output.finish()
        }
    }
}

/// A file that is there as a whole or not at all, or standard output.
private struct Output {
    private let path: String
    /// Nil for standard output.
    private let file: UnfinishedFile?

    init(_ path: String) throws(CommandFailure) {
        file = try path == "-" ? nil : UnfinishedFile.forCommand(replacing: path, permissions: 0o600)
        self.path = path
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do {
            if let file { try file.write(bytes) } else { try AtomicFile.write(bytes, to: STDOUT_FILENO) }
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }

    func finish() throws(CommandFailure) {
        do {
            try file?.finish()
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }
}

extension StateOptions {
    func exchange(isNew: Bool = false) async throws -> SiteExchange {
        let publisher = try await publisher(isNew: isNew)
        return SiteExchange(store: publisher.store, media: try media(), publisher: publisher)
    }
}
