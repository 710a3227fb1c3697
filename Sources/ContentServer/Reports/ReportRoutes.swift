import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
import Serving

/// Where devices report what they hold and receive.
package struct ReportRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.post("/v1/reports") { request, context in
            try await TokenAccess.require(.report, request, context, services)
            var request = request
            let body = try await JSONBody.octets(&request, upTo: ReportIntake.largest)
            try await TokenAccess.require(.report, request, context, services)
            try await ReportIntake(services).take(body)
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
    }
}
