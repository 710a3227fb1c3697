import Console
package import Text

extension BeaconFilter {
    /// As part of a query that goes on: `&beacon=…` for each; empty for all beacons.
    package var query: String {
        texts.map { "&beacon=\(ControlClient.escaped($0))" }.joined()
    }
}
