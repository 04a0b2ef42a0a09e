public import GatewayCore

/// Keeps what sources report, and hands it to a test one by one.
public final class RecordingInlet: ReadingInlet {
    /// The reports in order.
    ///
    /// It ends when the inlet is released.
    public let reports: AsyncStream<DeviceReport>
    private let signal: AsyncStream<DeviceReport>.Continuation

    /// Makes an inlet that has seen nothing.
    public init() {
        (reports, signal) = AsyncStream.makeStream()
    }

    deinit {
        signal.finish()
    }

    /// Keeps a report.
    public func report(_ report: DeviceReport) async {
        signal.yield(report)
    }
}
