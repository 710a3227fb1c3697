package import Curation
package import CurationStore
import Logging
package import Media
package import Publishing

/// What the routes work with.
package struct CuratorServices: Sendable {
    package var settings: ServerSettings
    package var templates: Templates
    package var languages: Catalogues
    package var store: CurationStore
    package var media: MediaLibrary
    /// What the drafts look like to visitors.
    package var previews: Previews
    let frameFacts = KeptUntilChanged<FrameFacts>()
    let keptBeaconChoices = KeptUntilChanged<BeaconChoices>()
    /// Of all drafts: it looks at thousands of documents.
    let publishCheck = KeptUntilChanged<PublishCheck>()
    /// What publishes, and what is published.
    package var publisher: Publisher
    /// One for all: it keeps the order of imports.
    package let exchange: SiteExchange
    package var now: @Sendable () -> Moment

    /// - Parameters:
    ///   - key: signs what is published.
    ///   - folder: follows every publication.
    package init(
        settings: ServerSettings, store: CurationStore, media: MediaLibrary, key: SigningKey? = nil,
        folder: SiteFolder? = nil, now: @escaping @Sendable () -> Moment
    ) throws {
        self.settings = settings
        self.store = store
        self.media = media
        self.now = now
        publisher = Publisher(
            store: store, media: { media.path(of: $0) }, key: key, folder: folder,
            pictures: PagePictures(media), logger: Logger(label: "beacon-content-server"), now: now)
        exchange = SiteExchange(store: store, media: media, publisher: publisher)
        previews = Previews(folder: "\(settings.state)/preview")
        let resources = Resources(folder: settings.resources)
        templates = try Templates(resources)
        languages = try Catalogues(resources)
    }
}
