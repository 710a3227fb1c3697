/// The widths in which thumbnails are made. A few only, so that requests cannot fill the disk.
package enum ThumbnailSize: Int, Hashable, Sendable, CaseIterable {
    case small = 160
    case medium = 320
    case large = 640
    case full = 1280

    /// The smallest one that has at least `width` pixels; the largest where none has.
    package init(atLeast width: Int) {
        self = Self.allCases.first { $0.rawValue >= width } ?? .full
    }
}
