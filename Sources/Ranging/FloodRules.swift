/// Defence against identities that mean nothing: apps that play with beacons, and rotating ones. All off by default:
/// right for a home, wrong for a museum, whose beacons share a UUID. The usual numbers are those of Home Assistant.
package struct FloodRules: Sendable, Hashable {
    /// From so many identities on, an address is ignored (usually 10); nil for never.
    package var identitiesPerAddress: Int?
    /// From so many addresses on, an identity counts as rotating (usually 10): its addresses are not held against
    /// whoever else uses them. Nil for never.
    package var addressesPerIdentity: Int?
    /// With more major and minor pairs than this, a UUID is ignored (usually 50); nil for never.
    package var pairsPerUUID: Int?

    /// No rule.
    package init() {}

    /// The numbers of Home Assistant.
    package static var home: FloodRules {
        var rules = FloodRules()
        rules.identitiesPerAddress = 10
        rules.addressesPerIdentity = 10
        rules.pairsPerUUID = 50
        return rules
    }

    var isOff: Bool { identitiesPerAddress == nil && addressesPerIdentity == nil && pairsPerUUID == nil }

    var validated: FloodRules {
        var valid = self
        valid.identitiesPerAddress = identitiesPerAddress.map { min(max($0, 2), 1000) }
        valid.addressesPerIdentity = addressesPerIdentity.map { min(max($0, 2), 1000) }
        valid.pairsPerUUID = pairsPerUUID.map { min(max($0, 1), 10_000) }
        return valid
    }
}
