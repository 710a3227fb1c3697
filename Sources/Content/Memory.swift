internal import CLinux

/// Memory that the C library's allocator keeps for later use.
enum Memory {
    /// Returns free memory to the system. malloc_trim(3).
    static func giveBack() {
        malloc_trim(0)
    }
}
