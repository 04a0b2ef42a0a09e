import GatewayCore
import Platform
import Readings
import Serial

/// Noise on a line: after it, a protocol must find its messages again.
struct SerialNoise {
    /// How much of the stream may be lost after noise, in bytes.
    private static let lossLimit = 2_048
    private static let longestNoise = 200

    let stream: [UInt8]
    let serialProtocol: any SerialProtocol
    let run: ConformanceRun

    /// Puts noise before the stream, between two messages and into one.
    func check() {
        guard !stream.isEmpty else { return }
        let expected = lastKinds(after: [])
        for seed in UInt64(1)...UInt64(20 * FuzzFactor.current) {
            run.seed = seed
            var random = SeededGenerator(seed: seed)
            let noise = random.bytes(upTo: Self.longestNoise)
            let half = Array(stream[..<(stream.count / 2)])
            for (place, pieces) in [
                ("before the first message", [noise]), ("between two messages", [stream, noise]),
                ("within a message", [half, noise]),
            ] {
                run.expect(
                    lastKinds(after: pieces) == expected,
                    "noise \(place): the readings of the next \(Self.lossLimit) bytes are lost")
            }
        }
        run.seed = nil
    }

    /// What the last one of many repetitions of the stream gives, after other bytes.
    private func lastKinds(after pieces: [[UInt8]]) -> [String] {
        var feed = AdapterFeed(serialProtocol.makeAdapter(), in: run)
        feed.handle(.opened)
        feed.receive(pieces, on: .stream)
        for _ in 0..<(Self.lossLimit / stream.count + 1) { feed.receive([stream], on: .stream) }
        let count = feed.readings.count
        feed.receive([stream], on: .stream)
        return feed.readings[count...].map(\.kind)
    }
}

/// Damaged messages: they must give no reading and be counted.
struct SerialDamage {
    let stream: [UInt8]
    let serialProtocol: any SerialProtocol
    let run: ConformanceRun

    /// Feeds a damaged stream.
    func check(_ bytes: [UInt8]) {
        let feed = feed(after: bytes)
        run.expect(feed.readings.isEmpty, "a damaged message gives readings")
        run.expect(isCounted(feed), "a damaged message is not counted as dropped")
    }

    /// Changes a bit of every byte of the stream, one at a time.
    func checkEveryByte() {
        let undamaged = Set(feed(after: stream).readings)
        for position in stream.indices {
            var bytes = stream
            bytes[position] ^= 1 << UInt8(position % 8)
            var feed = feed(after: bytes)
            run.expect(
                undamaged.isSuperset(of: feed.readings),
                "a changed bit of byte \(position) is not noticed")
            // The end of the message may be noticed only with the next ones.
            feed.receive([stream, stream], on: .stream)
            run.expect(
                isCounted(feed), "a changed bit of byte \(position) is not counted as dropped")
        }
    }

    private func feed(after bytes: [UInt8]) -> AdapterFeed {
        var feed = AdapterFeed(serialProtocol.makeAdapter(), in: run)
        feed.handle(.opened)
        feed.receive([bytes], on: .stream)
        return feed
    }

    private func isCounted(_ feed: AdapterFeed) -> Bool {
        feed.actions.contains { if case .dropped = $0 { true } else { false } }
    }
}
