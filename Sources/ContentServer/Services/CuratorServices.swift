package import Curation

/// What the routes work with.
package struct CuratorServices: Sendable {
    package var settings: ServerSettings
    package var templates: Templates
    package var languages: Catalogues
    package var accounts: any AccountsAccess
    package var now: @Sendable () -> Moment

    package init(
        settings: ServerSettings, accounts: any AccountsAccess, now: @escaping @Sendable () -> Moment
    ) throws {
        self.settings = settings
        self.accounts = accounts
        self.now = now
        let resources = Resources(folder: settings.resources)
        templates = try Templates(resources)
        languages = try Catalogues(resources)
    }
}
