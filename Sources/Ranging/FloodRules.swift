/// Protection against meaningless identities: apps that simulate beacons, and rotating identities. All rules are off by
/// default: they suit a home, but not a museum, whose beacons share a UUID. The usual numbers are Home Assistant's.
package struct FloodRules: Sendable, Hashable {
    /// An address that sends this many identities is ignored (usually 10); nil for never.
    package var identitiesPerAddress: Int?
    /// An identity that is sent from this many addresses counts as rotating (usually 10): other identities from its
    /// addresses are not blamed for it. Nil for never.
    package var addressesPerIdentity: Int?
    /// A UUID with more major and minor pairs than this is ignored (usually 50); nil for never.
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
