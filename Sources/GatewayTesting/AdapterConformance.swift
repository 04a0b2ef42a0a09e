public import GatewayCore
import Platform

/// Checks that an adapter keeps the contract of ``DeviceAdapter``, whatever its device sends.
///
/// The suites return what they found instead of failing a test, so that any test framework can use them.
public enum AdapterConformance {
    /// What an adapter did wrong.
    public struct Finding: Sendable, CustomStringConvertible {
        /// What was wrong, with what to repeat it.
        public let description: String
    }

    /// Feeds a stream cut into pieces at every place; the readings must be those of the whole stream.
    public static func findingsWhenCut(
        _ stream: [UInt8], makeAdapter: () -> any DeviceAdapter
    ) -> [Finding] {
        let whole = readings(from: [stream], makeAdapter())
        return (0...stream.count).compactMap { place in
            let pieces = [Array(stream[..<place]), Array(stream[place...])]
            guard readings(from: pieces, makeAdapter()) != whole else { return nil }
            return Finding(description: "cut at \(place), the readings differ")
        }
    }

    /// Feeds random bytes on a channel; the adapter must come to an end and stay usable.
    ///
    /// - Parameters:
    ///   - seed: Goes into the finding, so that it can be repeated.
    ///   - count: How many bytes.
    ///   - check: A stream that the adapter must still understand afterwards, after a new opening.
    public static func findingsForRandomBytes(
        seed: UInt64, count: Int, on channel: Channel = .stream, check: [UInt8],
        makeAdapter: () -> any DeviceAdapter
    ) -> [Finding] {
        var random = SeededGenerator(seed: seed)
        var adapter = makeAdapter()
        var rest = count
        while rest > 0 {
            let length = min(rest, Int(random.next() % 64) + 1)
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            _ = adapter.handle(event(.received(bytes, on: channel)))
            rest -= length
        }
        _ = adapter.handle(event(.closed))
        let expected = readings(from: [check], on: channel, makeAdapter())
        guard readings(from: [check], on: channel, adapter) != expected else { return [] }
        return [
            Finding(description: "seed \(seed): opened anew, it does not understand its device")
        ]
    }

    private static func readings(
        from pieces: [[UInt8]], on channel: Channel = .stream, _ adapter: any DeviceAdapter
    ) -> [Reading] {
        var adapter = adapter
        var actions = adapter.handle(event(.opened))
        for piece in pieces where !piece.isEmpty {
            actions += adapter.handle(event(.received(piece, on: channel)))
        }
        return actions.compactMap { action in
            guard case .reading(let reading) = action else { return nil }
            return reading
        }
    }

    private static func event(_ kind: AdapterEvent.Kind) -> AdapterEvent {
        AdapterEvent(kind, at: BootInstant(nanoseconds: 1_000_000_000))
    }
}
