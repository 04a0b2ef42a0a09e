public import GatewayCore
import Platform

/// Conformance checks for the contract of ``DeviceAdapter``.
///
/// The checks return findings instead of failing a test, so that any test framework can use them.
public enum AdapterConformance {
    /// A violation of the contract.
    public struct Finding: Sendable, CustomStringConvertible {
        /// The violation, with what is needed to reproduce it.
        public let description: String
    }

    /// Feeds a stream cut in two at every position; the readings must equal those of the whole
    /// stream.
    public static func findingsWhenCut(
        _ stream: [UInt8], makeAdapter: () -> any DeviceAdapter
    ) -> [Finding] {
        let whole = readings(from: [stream], makeAdapter())
        return (0...stream.count).compactMap { position in
            let pieces = [Array(stream[..<position]), Array(stream[position...])]
            guard readings(from: pieces, makeAdapter()) != whole else { return nil }
            return Finding(description: "readings differ when the stream is cut at \(position)")
        }
    }

    /// Feeds random bytes on a channel; the adapter must return and remain usable.
    ///
    /// - Parameters:
    ///   - seed: The seed, which the finding contains.
    ///   - count: The number of bytes.
    ///   - check: A stream that the adapter must still decode after it is opened again.
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
            Finding(
                description: "seed \(seed): after reopening, the adapter does not decode its device"
            )
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
