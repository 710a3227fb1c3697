import NIOPosix
import Platform

/// The threads for clients: one for their connections, one for their requests. However many clients there are, they use
/// no thread of the cooperative pool, of ranging or of the radios.
enum ControlThreads {
    static let connections = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// Nil if no thread can be started: requests then use the cooperative pool.
    static let requests = try? ThreadExecutor()
}
