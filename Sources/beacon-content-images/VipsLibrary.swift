import CVips

/// libvips with nothing but the loaders of JPEG, PNG, WebP and GIF.
struct VipsLibrary {
    /// The table of functions. It stays as long as the process.
    let pointer: UnsafeMutablePointer<cvips>
    var calls: cvips { pointer.pointee }

    /// Loads it, and gives the process's rights up on the way.
    init(_ protection: Protection) throws(Failure) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: cvips())
        if let problem = cvips_load(pointer) {
            throw Failure(.library, String(cString: problem))
        }
        // Its plugins are files, and are not found any more: they have the loaders that are not wanted.
        protection.closeFiles()
        guard calls.`init`("beacon-content-images") == 0 else { throw Failure(.library, lastError) }
        calls.block_untrusted_set(1)
        calls.operation_block_set("VipsForeignLoad", 1)
        for loader in ["Jpeg", "Png", "Webp", "Nsgif"] { calls.operation_block_set("VipsForeignLoad\(loader)", 0) }
        calls.concurrency_set(1)
        calls.cache_set_max(0)
        // Before 8.15, its vector code is made at run time, in memory that can be run; the filter forbids that.
        if calls.version(0) == 8, calls.version(1) < 15 { calls.vector_set_enabled(0) }
        protection.closeSystem()
    }

    var version: String { "\(calls.version(0)).\(calls.version(1)).\(calls.version(2))" }

    var lastError: String { calls.error_buffer().map { String(cString: $0) } ?? "" }

    /// What libvips has refused.
    func failure(_ kind: Failure.Kind) -> Failure {
        let text = lastError
        return Failure(text.contains("out of memory") ? .memory : kind, text)
    }
}
