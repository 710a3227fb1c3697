import Console
package import Text

extension BeaconFilter {
    /// For use after other parameters of a query: `&beacon=…` for each beacon; empty for all beacons.
    package var query: String {
        texts.map { "&beacon=\(ControlClient.escaped($0))" }.joined()
    }
}
