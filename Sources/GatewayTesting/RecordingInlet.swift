public import GatewayCore

/// An inlet that records the reports of a source for a test.
public final class RecordingInlet: ReadingInlet {
    /// The reports in order.
    ///
    /// It ends when the inlet is released.
    public let reports: AsyncStream<DeviceReport>
    private let signal: AsyncStream<DeviceReport>.Continuation

    /// Makes an empty inlet.
    public init() {
        (reports, signal) = AsyncStream.makeStream()
    }

    deinit {
        signal.finish()
    }

    /// Records a report.
    public func report(_ report: DeviceReport) async {
        signal.yield(report)
    }
}
