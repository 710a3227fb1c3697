/// The widths of thumbnails in pixels. There are only a few, so that requests cannot fill the disk.
package enum ThumbnailSize: Int, Hashable, Sendable, CaseIterable {
    case small = 160
    case medium = 320
    case large = 640
    case full = 1280

    /// The smallest size with at least `width` pixels; the largest size if none is wide enough.
    package init(atLeast width: Int) {
        self = Self.allCases.first { $0.rawValue >= width } ?? .full
    }
}
