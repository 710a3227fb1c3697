package import Curation
package import CurationStore
package import Media

/// What the routes work with.
package struct CuratorServices: Sendable {
    package var settings: ServerSettings
    package var templates: Templates
    package var languages: Catalogues
    package var store: CurationStore
    package var media: MediaLibrary
    let frameFacts = FrameFacts()
    package var now: @Sendable () -> Moment

    package init(
        settings: ServerSettings, store: CurationStore, media: MediaLibrary, now: @escaping @Sendable () -> Moment
    ) throws {
        self.settings = settings
        self.store = store
        self.media = media
        self.now = now
        let resources = Resources(folder: settings.resources)
        templates = try Templates(resources)
        languages = try Catalogues(resources)
    }
}
