import GatewayCore
public import Readings

extension AdapterConformance {
    /// The number of timer events that were not requested.
    private static let timerCount = 10

    /// Checks the life cycle: the same events give the same actions, copies are independent, and
    /// timer events that were not requested or repeated events break nothing.
    public static func findingsForLifeCycle(
        _ stream: [UInt8], on channel: Channel = .stream, makeAdapter: () -> any DeviceAdapter
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        checkDeterminism(stream, channel, makeAdapter, run)
        checkCopies(stream, channel, makeAdapter, run)
        checkTimers(stream, channel, makeAdapter, run)
        checkRepetition(stream, channel, makeAdapter, run)
        return run.findings
    }

    private static func checkDeterminism(
        _ stream: [UInt8], _ channel: Channel, _ makeAdapter: () -> any DeviceAdapter,
        _ run: ConformanceRun
    ) {
        let actions = (0..<2).map { _ in
            var feed = AdapterFeed(makeAdapter(), in: run)
            feed.handle(.opened)
            feed.receive([stream, stream], on: channel)
            feed.handle(.closed)
            return feed.actions
        }
        run.expect(actions[0] == actions[1], "the same events give different actions")
    }

    /// Lets a copy handle events that the original must not notice.
    private static func checkCopies(
        _ stream: [UInt8], _ channel: Channel, _ makeAdapter: () -> any DeviceAdapter,
        _ run: ConformanceRun
    ) {
        let half = stream.count / 2
        func actions(disturbed: Bool) -> [AdapterAction] {
            var feed = AdapterFeed(makeAdapter(), in: run)
            feed.handle(.opened)
            feed.receive([Array(stream[..<half])], on: channel)
            if disturbed {
                var copy = feed
                copy.receive([stream, stream], on: channel)
                copy.handle(.closed)
            }
            feed.receive([Array(stream[half...])], on: channel)
            return feed.actions
        }
        run.expect(
            actions(disturbed: true) == actions(disturbed: false),
            "a copy of the adapter shares its state; keep the state in values")
    }

    private static func checkTimers(
        _ stream: [UInt8], _ channel: Channel, _ makeAdapter: () -> any DeviceAdapter,
        _ run: ConformanceRun
    ) {
        let once = readings(from: [stream], on: channel, makeAdapter(), in: run)
        var feed = AdapterFeed(makeAdapter(), in: run)
        feed.handle(.opened)
        for _ in 0..<timerCount { feed.handle(.timer) }
        feed.receive([stream], on: channel)
        run.expect(
            ReadingSummary(feed.readings) == ReadingSummary(once),
            "timer events that were not requested change the readings")
    }

    /// Sends every event twice at the same time, then opens the link again.
    private static func checkRepetition(
        _ stream: [UInt8], _ channel: Channel, _ makeAdapter: () -> any DeviceAdapter,
        _ run: ConformanceRun
    ) {
        let once = readings(from: [stream], on: channel, makeAdapter(), in: run)
        var feed = AdapterFeed(makeAdapter(), in: run)
        for kind in [.opened, .received(stream, on: channel), AdapterEvent.Kind.closed] {
            let receipt = feed.now
            feed.handle(kind, at: receipt)
            feed.handle(kind)
        }
        let again = readings(from: [stream], on: channel, feed.adapter, in: run)
        run.expect(
            ReadingSummary(again) == ReadingSummary(once),
            "after every event came twice and the link was opened again, the readings differ")
    }
}
