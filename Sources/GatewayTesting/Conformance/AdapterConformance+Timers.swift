import GatewayCore
import Platform
public import Readings

extension AdapterConformance {
    /// The number of requested timer events that are sent.
    private static let timerEventCount = 1_000
    /// The maximum number of timer events per second.
    private static let timersPerSecond = 20.0

    /// Sends the timer events that the adapter requests: each must be in the future, and there may be
    /// up to 20 per second.
    public static func findingsForTimers(
        _ stream: [UInt8], on channel: Channel = .stream, makeAdapter: () -> any DeviceAdapter
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        for isReceiving in [false, true] {
            var feed = AdapterFeed(makeAdapter(), in: run, keepsActions: false)
            feed.handle(.opened)
            if isReceiving { feed.receive([stream], on: channel) }
            let start = feed.now
            var count = 0
            while count < timerEventCount, feed.handleTimer() { count += 1 }
            let seconds = feed.now.seconds(since: start)
            run.expect(
                count < timerEventCount || Double(count) <= seconds * timersPerSecond,
                "requests more than \(Int(timersPerSecond)) timers per second")
        }
        return run.findings
    }
}
