package import Curation
import GRDB

extension CurationStore {
    /// Puts the images of a beacon into a new order. This is one change, which can be undone as a whole.
    ///
    /// - Parameters:
    ///   - beacon: nil for the images without a beacon.
    ///   - order: these images come first, in this order. The others follow in their old order. Ids of images that no
    ///     longer belong to the beacon are ignored, because somebody may have moved them meanwhile.
    package func reorder(
        _ order: [DocumentID], of beacon: DocumentID?, by author: Author, at now: Moment
    ) async throws(StoreError) {
        try await write { db in
            var work = try Work(self, db, author, now)
            let images = try self.images(of: beacon, db)
            var places: [DocumentID: Int] = [:]
            for id in order where places[id] == nil { places[id] = places.count }
            let sorted = images.enumerated().sorted {
                (places[$0.element.id] ?? .max, $0.offset) < (places[$1.element.id] ?? .max, $1.offset)
            }
            let moved = sorted.enumerated().compactMap { place, image -> (StoredDocument, Document)? in
                guard var body = image.element.document.image, body.rank != Int64(place + 1) else { return nil }
                body.rank = Int64(place + 1)
                return (image.element, .image(body))
            }
            guard !moved.isEmpty else { return }
            let parent = try beacon.flatMap { try self.find($0, db) }
            let name = parent.map { DocumentFacts($0.document, work.languages).name } ?? ""
            let change = try work.change(.reordered, beacon, parent == nil ? nil : .beacon, name)
            for (image, body) in moved { try self.edit(image, to: body, .reordered, in: change, &work) }
        }
    }
}
