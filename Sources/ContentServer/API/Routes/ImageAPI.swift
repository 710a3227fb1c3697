import Curation
import CurationStore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Media
import NIOCore
import Serving
import Text

/// The order of images, and the files of the media library.
enum ImageAPI {
    private static let id = APIParameter.path("id", .id, "The beacon's name.")
    private static let order = Schema.object(["images": .list(DocumentSchemas.id, most: 1000)], required: ["images"])

    private struct Order: Decodable {
        var images: [DocumentID]
    }

    static let routes = [
        APIRoute(
            .get, "/beacons/{id}/images", .read, "/images", "The images of a beacon in their order", parameters: [id],
            answer: .ref("ImageDocumentPage")
        ) { request in
            let beacon = try await DocumentAPI.found(request, .beacon).id
            return try await images(of: beacon, request)
        },
        APIRoute(
            .put, "/beacons/{id}/images", .edit, "/images", "Put the images of a beacon into an order",
            parameters: [id], body: .json(order), answer: .ref("ImageDocumentPage")
        ) { request in
            let beacon = try await DocumentAPI.found(request, .beacon).id
            return try await reorder(beacon, request)
        },
        APIRoute(
            .get, "/uncategorized/images", .read, "/images", "The images without a beacon in their order",
            answer: .ref("ImageDocumentPage")
        ) { request in
            try await images(of: nil, request)
        },
        APIRoute(
            .put, "/uncategorized/images", .edit, "/images", "Put the images without a beacon into an order",
            body: .json(order), answer: .ref("ImageDocumentPage")
        ) { request in
            try await reorder(nil, request)
        },
        APIRoute(
            .post, "/uploads", .edit, "/media", "Upload a file into the media library",
            parameters: [.query("name", .text(most: 200), "The file's name, for people.")], body: .bytes, status: 201,
            answer: .ref("StoredMediaDocument")
        ) { request in
            let upload = try await request.services.media.beginUpload(
                name: request["name"] ?? "upload", declaring: request.request.declaredLength)
            for try await buffer in request.request.body { try await upload.write(Array(buffer: buffer)) }
            try await request.checkAuthor()
            let media = try await request.services.media.finish(upload)
            let stored = try await DraftSaving.add(media, request.services, request.author)
            var fields = AnswerText.tag(stored)
            fields[.location] = "\(ManagingRoutes.base)/media/\(stored.id)"
            return APIAnswer(AnswerText.object { AnswerText.stored(stored, &$0) }, fields: fields)
        },
    ]

    private static func images(of beacon: DocumentID?, _ request: APIRequest) async throws -> APIAnswer {
        let images = try await request.store.images(of: beacon)
        return APIAnswer(await AnswerText.page(images, of: images.count))
    }

    private static func reorder(_ beacon: DocumentID?, _ request: APIRequest) async throws -> APIAnswer {
        let order = try await request.decoded(Order.self).images
        try await request.store.reorder(order, of: beacon, by: request.author, at: request.now)
        return try await images(of: beacon, request)
    }
}
