import NIOPosix
import Platform

/// The threads that clients have: one for their connections, one for their requests. However many clients there are,
/// they take none of the cooperative pool, of ranging, or of the radios.
enum ControlThreads {
    static let connections = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// Nil where no thread can be had: requests then share those of all tasks.
    static let requests = try? ThreadExecutor()
}
