import Hummingbird
import HummingbirdCore

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
            queries: request.uri.queryParameters.map { (String($0.key), String($0.value)) }, fields: fields)
    }
}
