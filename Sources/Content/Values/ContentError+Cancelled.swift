import SiteFormat

extension ContentError {
    static func cancelled(_ place: String) -> ContentError {
        ContentError(
            code: .cancelled, place: place, cause: "syncing was stopped", remedy: "it continues at the next start")
    }
}
