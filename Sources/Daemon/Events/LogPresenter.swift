public import Logging
public import Ranging

/// One line an event, in the log.
public struct LogPresenter: Presenter {
    private let logger: Logger
    private let names: Names

    public init(logger: Logger, names: Names) {
        self.logger = logger
        self.names = names
    }

    public func show(_ event: DaemonEvent) {
        guard let (level, text) = event.line(names: names) else { return }
        switch level {
        case .info: logger.info("\(text)")
        case .warning: logger.warning("\(text)")
        }
    }

    public func show(_ ranking: Ranking) {}
}
