import CMemory
import GatewayCore
import Platform
public import Readings

extension AdapterConformance {
    /// The input of the two adapters that are compared, in bytes.
    private static let inputBytes = (short: 8_192, long: 131_072)
    /// The maximum number of events of the longer input.
    private static let eventLimit = 4_000
    /// The maximum growth of the kept memory from the short to the long input, in bytes.
    private static let growthLimit = 8_192
    /// The number of times that growth must be seen: other threads may free memory meanwhile.
    private static let attempts = 3

    /// Feeds long input; what the adapter keeps in memory must not grow with it.
    ///
    /// The input is the stream again and again, its first part without an end, random bytes, and one
    /// byte again and again. The memory is what becomes free when the adapter is released.
    public static func findingsForMemory(
        _ stream: [UInt8], on channel: Channel = .stream, makeAdapter: () -> any DeviceAdapter
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        var random = SeededGenerator(seed: 1)
        let noise = (0..<512).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let inputs = [
            ("the stream again and again", stream),
            ("unfinished messages", Array(stream.dropLast())),
            ("random bytes", noise),
            ("one message without an end", [UInt8](repeating: 65, count: 512)),
        ]
        for (name, input) in inputs where !input.isEmpty {
            let isBounded = (0..<attempts).contains { _ in
                keptBytes(inputBytes.long, of: input, channel, makeAdapter, run)
                    - keptBytes(inputBytes.short, of: input, channel, makeAdapter, run)
                    <= growthLimit
            }
            run.expect(
                isBounded, "the memory that the adapter keeps grows with its input: \(name)")
        }
        return run.findings
    }

    /// What an adapter keeps after so many bytes of repeated input.
    private static func keptBytes(
        _ count: Int, of input: [UInt8], _ channel: Channel,
        _ makeAdapter: () -> any DeviceAdapter, _ run: ConformanceRun
    ) -> Int {
        let rounds = min(max(count / input.count, 1), eventLimit * count / inputBytes.long)
        var feed: AdapterFeed? = AdapterFeed(makeAdapter(), in: run, keepsActions: false)
        feed?.handle(.opened)
        for _ in 0..<max(rounds, 1) { feed?.handle(.received(input, on: channel)) }
        let before = cmemory_used_bytes()
        feed = nil
        return Int(before) - Int(cmemory_used_bytes())
    }
}
