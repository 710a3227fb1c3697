package import Broker
package import Content
package import Events
import Platform
import ServiceLifecycle
package import Settings

/// Sends a report at a fixed interval while the site's list asks for reports. It sends them to the site, or to the
/// daemon's broker.
package struct DeviceReportService: Service {
    private let settings: DeviceReportSettings
    private let content: ContentSettings
    private let hub: EventHub
    private let observer: ReportObserver
    private let relay: PublicationRelay
    private let version: String

    /// - Parameters:
    ///   - content: the site's address, and the settings for connecting to it.
    ///   - relay: leads to the daemon's connection to its broker.
    ///   - version: the version of this program.
    package init(
        _ settings: DeviceReportSettings, content: ContentSettings, hub: EventHub, observer: ReportObserver,
        relay: PublicationRelay, version: String
    ) {
        self.settings = settings
        self.content = content
        self.hub = hub
        self.observer = observer
        self.relay = relay
        self.version = version
    }

    package func run() async throws {
        let post = settings.topic == nil ? try SitePost(content, token: settings.token) : nil
        observer.begin(at: hub.time)
        hub.publish(ReportStatus())
        await cancelWhenGracefulShutdown { [self] in
            var run = ReportRun(settings: settings, content: content, hub: hub, observer: observer, version: version)
            if let post {
                await run.keepReporting(to: .site(post))
            } else if let topic = settings.topic {
                await run.keepReporting(to: .broker(relay, topic: topic))
            }
        }
        observer.end()
        relay.clear()
        hub.publish(ReportStatus?.none)
        await post?.shutdown()
    }
}
