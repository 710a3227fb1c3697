import ArgumentParser
package import Beacon

extension ProximityUUID: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument)
    }
}
