import Dispatch
import GatewayCore
import Glibc
import HealthModel
import XCTest

@testable import StdoutSink

final class StdoutSinkTests: XCTestCase {
    private func records(_ count: Int) throws -> [Record] {
        try (0..<count).map { index in
            let now = Instant(nanosecondsSince1970: Int64(index))
            return .sample(
                try QuantitySample(
                    id: RecordID.make(start: now, device: "d", stream: "s", key: UInt64(index)),
                    type: .heartRate, start: now, end: now, quantity: Quantity(72, .countPerMinute))
            )
        }
    }

    private func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        XCTAssertEqual(pipe(&ends), 0)
        return (ends[0], ends[1])
    }

    func testWrite_aLineForEachRecord_alsoWhenThePipeIsFull() async throws {
        let ends = try makePipe()
        defer { close(ends.read) }
        // A pipe takes 64 KiB: with the descriptor non-blocking the sink has to wait for its reader.
        XCTAssertEqual(fcntl(ends.write, F_SETFL, O_NONBLOCK), 0)
        let records = try records(2_000)
        async let written = readToEnd(ends.read)
        try await StdoutSink(descriptor: ends.write).write(records)
        close(ends.write)
        var decoder = RecordDecoder()
        let lines = await written.split(separator: UInt8(ascii: "\n"))
        XCTAssertEqual(try lines.map { try decoder.decode($0) }, records)
    }

    func testWrite_whenTheReaderHasGone_holds() async throws {
        signal(SIGPIPE, SIG_IGN)
        let ends = try makePipe()
        defer { close(ends.write) }
        close(ends.read)
        do {
            try await StdoutSink(descriptor: ends.write).write(records(1))
            XCTFail("the write worked")
        } catch SinkError.hold {
        }
    }

    func testWrite_whenTheDescriptorIsClosed_mayWorkLater() async throws {
        do {
            try await StdoutSink(descriptor: -1).write(records(1))
            XCTFail("the write worked")
        } catch SinkError.retry {
        }
    }
}

/// Reads on a thread of its own until the other end is closed.
private func readToEnd(_ descriptor: Int32) async -> [UInt8] {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "reader").async {
            var bytes: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 4096)
            while case let count = read(descriptor, &block, block.count), count > 0 {
                bytes += block.prefix(count)
            }
            continuation.resume(returning: bytes)
        }
    }
}
