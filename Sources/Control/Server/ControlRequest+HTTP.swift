import Hummingbird
import HummingbirdCore
import Serving

extension ControlRequest {
    init(_ request: Request, _ route: ControlRoute, _ parameters: Parameters, isLocal: Bool) {
        var parts: [String: String] = [:]
        for part in route.path.split(separator: "/") where part.hasPrefix("{") {
            let name = String(part.dropFirst().dropLast())
            parts[name] = parameters.get(name)
        }
        var fields: [String: String] = [:]
        for field in request.headers { fields[field.name.canonicalName] = field.value }
        self.init(
            path: request.uri.path, isLocal: isLocal, parameters: parts,
            queries: QueryFields.of(request.uri.query), fields: fields)
    }
}
