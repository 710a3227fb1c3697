internal import CLinux

/// What the C library's allocator holds back for later.
enum Memory {
    /// Gives what is free back to the system. malloc_trim(3).
    static func giveBack() {
        malloc_trim(0)
    }
}
