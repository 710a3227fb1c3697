import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
import Serving

/// Where devices report what they hold and receive.
package struct ReportRoutes: RouteGroup {
    /// Bytes of a report.
    static let largest = 1 << 20

    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.post("/v1/reports") { request, context in
            try await TokenAccess.require(.report, request, context, services)
            var request = request
            let body = try await JSONBody.octets(&request, upTo: Self.largest)
            try await services.store.noteReport(try DeviceReport(json: body), at: services.now())
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
    }
}
