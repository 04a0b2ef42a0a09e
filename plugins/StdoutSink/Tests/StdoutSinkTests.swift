import Dispatch
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Platform
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

    func testTerminal_getsNoControlCharacters() async throws {
        let terminal = try Descriptor.makeTerminal()
        let now = Instant(nanosecondsSince1970: 0)
        let sample = try QuantitySample(
            id: RecordID.make(start: now, device: "d", stream: "s", key: 1), type: .heartRate,
            start: now, end: now, quantity: Quantity(72, .countPerMinute),
            device: Device(name: "A\u{9B}2J\u{202E}B"))

        try await StdoutSink(output: LineOutput(descriptor: terminal.write.number))
            .write([.sample(sample)])

        let text = String(decoding: terminal.read.read() ?? [], as: UTF8.self)
        XCTAssertTrue(text.contains(#""A\u009b2J\u202eB""#), text)
    }

    private func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        XCTAssertEqual(pipe(&ends), 0)
        return (ends[0], ends[1])
    }

    func testWrite_aLineForEachRecord_alsoWhenThePipeIsFull() async throws {
        let ends = try makePipe()
        defer { close(ends.read) }
        // A pipe holds 64 KiB: with a non-blocking descriptor the sink must wait for its reader.
        XCTAssertEqual(fcntl(ends.write, F_SETFL, O_NONBLOCK), 0)
        let records = try records(2_000)
        async let written = readToEnd(ends.read)
        try await StdoutSink(output: LineOutput(descriptor: ends.write)).write(records)
        close(ends.write)
        var decoder = RecordDecoder()
        let lines = await written.split(separator: UInt8(ascii: "\n"))
        XCTAssertEqual(try lines.map { try decoder.decode($0) }, records)
    }

    /// A descriptor that fails in the middle of a line and recovers, like a full disk.
    func testWrite_thatBrokeOff_comesAgainOnALineOfItsOwn() async throws {
        signal(SIGPIPE, SIG_IGN)
        let (first, second) = (try makePipe(), try makePipe())
        defer { for end in [first.write, second.read] { close(end) } }
        let output = LineOutput(descriptor: first.write)
        let records = try records(2_000)
        async let beginning = readSome(first.read)
        do {
            try await StdoutSink(output: output).write(records)
            XCTFail("the write worked")
        } catch SinkError.closed {
        }
        _ = await beginning
        XCTAssertEqual(dup2(second.write, first.write), first.write)
        close(second.write)
        async let written = readToEnd(second.read)
        // A reload makes another sink.
        try await StdoutSink(output: output).write(records)
        // Nothing more is written to this pipe.
        XCTAssertEqual(dup2(second.read, first.write), first.write)
        let bytes = await written
        XCTAssertEqual(bytes.first, UInt8(ascii: "\n"))
        XCTAssertEqual(bytes.dropFirst(), RecordBatch(records).lines.bytes[...])
    }

    func testWrite_byTwoSinksOfOneOutput_neverMixesTheirLines() async throws {
        let ends = try makePipe()
        defer { close(ends.read) }
        let output = LineOutput(descriptor: ends.write)
        let records = try records(2_000)
        async let written = readToEnd(ends.read)
        async let one: Void = StdoutSink(output: output).write(records)
        async let other: Void = StdoutSink(output: output).write(records)
        _ = try await (one, other)
        close(ends.write)
        let lines = RecordBatch(records).lines.bytes
        let bytes = await written
        XCTAssertEqual(bytes, lines + lines)
    }

    func testWrite_whenTheReaderHasGone_isClosed() async throws {
        signal(SIGPIPE, SIG_IGN)
        let ends = try makePipe()
        defer { close(ends.write) }
        close(ends.read)
        do {
            try await StdoutSink(output: LineOutput(descriptor: ends.write)).write(records(1))
            XCTFail("the write worked")
        } catch SinkError.closed {
        }
    }

    func testWrite_toAFileOnAFullDisk_saysThatThereIsNoSpace() async throws {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        do {
            try await StdoutSink(output: LineOutput(descriptor: full)).write(records(1))
            XCTFail("the write worked")
        } catch SinkError.storageFull(let reason) {
            XCTAssertTrue(reason.contains("No space left"), reason)
        }
    }

    func testWrite_whenTheDescriptorIsClosed_mayWorkLater() async throws {
        do {
            try await StdoutSink(output: LineOutput(descriptor: -1)).write(records(1))
            XCTFail("the write worked")
        } catch SinkError.retry {
        }
    }
}

/// Reads on its own thread until the other end is closed.
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

/// Reads a little on its own thread, then closes the pipe.
private func readSome(_ descriptor: Int32) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        DispatchQueue(label: "reader").async {
            var block = [UInt8](repeating: 0, count: 1_000)
            _ = read(descriptor, &block, block.count)
            close(descriptor)
            continuation.resume()
        }
    }
}
