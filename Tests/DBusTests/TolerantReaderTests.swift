import BluetoothTesting
import GatewayTesting
import Platform
import Synchronization
import XCTest

@testable import DBus

final class TolerantReaderTests: XCTestCase {
    /// The messages that a client of a relay has received.
    private final class Recorded: Sendable {
        let messages = Mutex<[[UInt8]]>([])
    }

    /// The bytes of messages with random arguments.
    private func messages(
        _ count: Int
    ) async throws -> [(bytes: [UInt8], body: [BusValue], signature: String)] {
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let recorded = Recorded()
        let relay = try BusRelay(to: bus.address) { message in
            // 4 is a signal.
            if message[1] == 4 { recorded.messages.withLock { $0.append(message) } }
        }
        let receiver = try BusClient()
        try await receiver.connect(to: relay.address)
        try await receiver.match("type='signal',interface='org.example.Test'")
        recorded.messages.withLock { $0 = [] }
        let bodies = (0..<count).map { seed in
            var values = RandomValues(seed: UInt64(seed))
            return values.body()
        }
        for body in bodies {
            try await sender.emit(BusSignal("/a", "org.example.Test", "Changed", body))
        }
        await receiver.wait { $0.signals.count == count }
        let bytes = recorded.messages.withLock { $0 }
        return zip(bytes, bodies).map { ($0, $1, $1.map(\.signature).joined()) }
    }

    func testValidMessages_areReadAsByTheOtherReader() async throws {
        let messages = try await messages(200)
        XCTAssertEqual(messages.count, 200)
        for (seed, message) in messages.enumerated() {
            let read = try TolerantReader.body(of: message.bytes, signature: message.signature)
            XCTAssertEqual(read.values, message.body, "seed \(seed)")
            XCTAssertEqual(read.skippedCount, 0, "seed \(seed)")
        }
    }

    func testBigEndianMessages_areRead() throws {
        let fields: [UInt8] = [0, 0, 0, 0]
        let body: [UInt8] = [0, 0, 1, 2, 0, 0, 0, 1, 65, 0]
        let header: [UInt8] = [66, 4, 0, 1, 0, 0, 0, UInt8(body.count), 0, 0, 0, 1]
        let read = try TolerantReader.body(of: header + fields + body, signature: "us")
        XCTAssertEqual(read.values, [.uint32(258), .string("A")])
    }

    func testEveryTruncation_failsOrReadsAPart() async throws {
        for message in try await messages(20) {
            for count in 0..<message.bytes.count {
                let cut = Array(message.bytes.prefix(count))
                XCTAssertThrowsError(
                    try TolerantReader.body(of: cut, signature: message.signature))
            }
        }
    }

    func testRandomBytes_neverTrap() async throws {
        let messages = try await messages(100)
        var run = FuzzRun("D-Bus message", inputs: 20_000)
        while var random = run.next() {
            var message = random.pick(messages)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 16..<message.bytes.count, using: &random)
                message.bytes[index] = random.pick([
                    0, 1, 0xFF, 0xEF, 0x80, UInt8(random.next() & 0xFF),
                ])
            }
            let read = try? TolerantReader.body(of: message.bytes, signature: message.signature)
            run.expect(
                (read?.places.count ?? 0) <= TolerantBody.placeLimit, "too many places")
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testDeepNesting_isRejected() throws {
        // A variant in a variant, 1,000 times.
        let body = [UInt8](repeatingPattern: [1, UInt8(ascii: "v"), 0], count: 1_000)
        var header: [UInt8] = [108, 4, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        header[4] = UInt8(body.count & 0xFF)
        header[5] = UInt8(body.count >> 8)
        XCTAssertThrowsError(try TolerantReader.body(of: header + body, signature: "v")) {
            XCTAssertEqual(
                $0 as? BusError, .failed(operation: "reading a D-Bus message", code: EMSGSIZE))
        }
    }
}

extension [UInt8] {
    fileprivate init(repeatingPattern pattern: [UInt8], count: Int) {
        self = Array(repeatElement(pattern, count: count).joined())
    }
}
