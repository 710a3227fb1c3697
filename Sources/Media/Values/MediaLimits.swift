/// The limits of the library.
package struct MediaLimits: Hashable, Sendable {
    /// The most bytes of one picture.
    package var pictureBytes: Int64 = 40 << 20
    /// The most bytes of one video or sound.
    package var recordingBytes: Int64 = 500 << 20
    /// The most bytes of one file of captions.
    package var captionsBytes: Int64 = 1 << 20
    /// The most bytes of all files of the library together.
    package var totalBytes: Int64 = 50 << 30
    /// The most pixels of one picture, by its header. All frames of an animation together may have four times as many.
    package var pixels: Int64 = 50_000_000
    /// The most uploads that arrive at the same time.
    package var uploads = 16
    /// The most uploads that have arrived and are not finished: the other files of their forms may still arrive.
    package var arrivedUploads = 256
    /// The most pictures that are decoded at the same time. Each may use `helperMemory` bytes.
    package var parallelJobs = 2
    /// The most pictures that wait to be decoded.
    package var waitingJobs = 64
    /// The most seconds for one picture.
    package var jobSeconds = 30.0
    /// The most bytes of address space of one helper.
    package var helperMemory: Int64 = 1536 << 20

    package init() {}

    /// Whether a picture of this size has any pixels, and not too many.
    func allowPicture(width: Int, height: Int) -> Bool {
        guard width > 0, height > 0 else { return false }
        let (product, isTooLarge) = Int64(width).multipliedReportingOverflow(by: Int64(height))
        return !isTooLarge && product <= pixels
    }

    /// The largest size of any file, in bytes.
    package var largestUpload: Int64 { max(pictureBytes, recordingBytes, captionsBytes) }
}
