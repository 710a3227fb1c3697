/// A message of ESPHome's native API: its type number and its fields, as in the project's api.proto.
package struct ProxyFrame: Hashable, Sendable {
    package var type: UInt64
    package var payload: [UInt8]

    package init(type: UInt64, payload: [UInt8] = []) {
        self.type = type
        self.payload = payload
    }
}
