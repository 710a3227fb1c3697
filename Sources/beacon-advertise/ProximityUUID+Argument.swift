public import ArgumentParser
public import Beacon

extension ProximityUUID: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(argument)
    }
}
