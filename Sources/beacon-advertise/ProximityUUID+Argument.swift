public import ArgumentParser
public import Beacon

extension ProximityUUID: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }

    public var defaultValueDescription: String { uppercased }

    /// What the Raspberry Pi guides advertise.
    static let recipe = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)
}
