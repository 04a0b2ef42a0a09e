import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Serial

final class SerialPortTests: XCTestCase {
    private let everyByte = [UInt8](0...255)

    func testRead_passesEveryByteUnchanged() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        try terminal.write(everyByte)
        let bytes = try await port.read(count: 256)
        XCTAssertEqual(bytes, everyByte)
        await port.close()
    }

    func testWrite_passesEveryByteUnchanged() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        try await port.write(everyByte, until: SystemClock().now().adding(nanoseconds: .max))
        let bytes = try await terminal.receive(count: 256)
        XCTAssertEqual(bytes, everyByte)
        await port.close()
    }

    func testRead_whenWrittenBeforeOpening_losesNothing() async throws {
        let terminal = try PseudoTerminal()
        try terminal.write(everyByte)
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        let bytes = try await port.read(count: 256)
        XCTAssertEqual(bytes, everyByte)
        await port.close()
    }

    func testRead_whenWaiting_wakesForEachWrite() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        // Each costs a pause of the reader, which reads single bytes ten times a second.
        for byte in everyByte where byte.isMultiple(of: 17) {
            async let bytes = port.read(count: 1)
            try terminal.write([byte])
            let read = try await bytes
            XCTAssertEqual(read, [byte])
        }
        await port.close()
    }

    func testRead_isLimitedAtOnce() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        async let sending: Void = terminal.send([UInt8](repeating: 7, count: 100_000))
        var count = 0
        while count < 100_000 {
            let piece = try await port.read()?.bytes.count ?? 0
            XCTAssertLessThanOrEqual(piece, StreamLink.readLimit)
            count += piece
        }
        try await sending
        await port.close()
    }

    func testRead_whenFloodedFasterThanRead_keepsOrderAndLosesNothing() async throws {
        let flood = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        async let sending: Void = terminal.send(flood)
        let bytes = try await port.read(count: flood.count)
        try await sending
        XCTAssertTrue(bytes == flood)
        await port.close()
    }

    func testWrite_whenReaderIsSlow_waitsAndLosesNothing() async throws {
        let flood = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 17 &+ $0 >> 8) }
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        let deadline = BootInstant(nanoseconds: .max)
        async let writing: Void = port.write(flood, until: deadline)
        let bytes = try await terminal.receive(count: flood.count)
        try await writing
        XCTAssertTrue(bytes == flood)
        await port.close()
    }

    func testWrite_whenNobodyTakesIt_failsAtTheDeadline() async throws {
        let clock = ManualClock()
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath, clock: clock)
        _ = try await port.open()
        let deadline = clock.now().adding(nanoseconds: 2_000_000_000)
        let writing = Task {
            try await port.write([UInt8](repeating: 0, count: 1_000_000), until: deadline)
        }
        await clock.waitForSleepers(1)
        clock.advance(seconds: 2)
        await assertThrows(SerialError.writeTimedOut(path: terminal.slavePath)) {
            try await writing.value
        }
        await port.close()
    }

    func testWake_endsTheReadThatWaits_orElseTheNext_andLosesNothing() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath, clock: ManualClock())
        _ = try await port.open()
        // Whether it comes before the wait or in it.
        for _ in 0..<100 {
            async let nothing = port.read()
            port.wake()
            let missed = try await nothing
            XCTAssertNil(missed)
        }
        try terminal.write([1, 2, 3])
        let received = try await port.read(count: 3)
        XCTAssertEqual(received, [1, 2, 3])
        await port.close()
    }

    func testRead_whenUnpluggedWhileWaiting_reportsIt() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        let reading = Task { try await port.read() }
        terminal.close()
        await assertThrows(SerialError.unplugged(path: terminal.slavePath)) {
            try await reading.value
        }
        await port.close()
    }

    func testRead_whenUnpluggedBefore_reportsIt() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        terminal.close()
        await assertThrows(SerialError.unplugged(path: terminal.slavePath)) {
            while true { _ = try await port.read() }
        }
        await port.close()
    }

    func testWrite_whenUnplugged_reportsIt() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        terminal.close()
        await assertThrows(SerialError.unplugged(path: terminal.slavePath)) {
            while true {
                try await port.write([1], until: BootInstant(nanoseconds: .max))
            }
        }
        await port.close()
    }

    func testRead_whenCancelledWhileWaiting_ends() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        let reading = Task { try await port.read() }
        reading.cancel()
        await assertCancelled { try await reading.value }
        try terminal.write([9])
        let bytes = try await port.read(count: 1)
        XCTAssertEqual(bytes, [9])
        await port.close()
    }

    func testRead_whenCancelledAtAnyMoment_ends() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        for yields in 0..<200 {
            let reading = Task { try await port.read() }
            for _ in 0..<(yields % 7) { await Task.yield() }
            reading.cancel()
            await assertCancelled { try await reading.value }
        }
        await port.close()
    }

    func testClose_endsAReadThatWaits() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        let reading = Task { try await port.read() }
        await port.close()
        await assertThrows(SerialError.notOpen(path: terminal.slavePath)) {
            try await reading.value
        }
    }

    func testClose_twice_isHarmlessAndFreesThePort() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        await port.close()
        _ = try await port.open()
        await port.close()
        await port.close()
        await assertThrows(SerialError.notOpen(path: terminal.slavePath)) {
            try await port.read()
        }
        let next = makePort(terminal.slavePath)
        _ = try await next.open()
        await next.close()
    }

    func testOpen_twice_isBusy() async throws {
        let terminal = try PseudoTerminal()
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        let other = makePort(terminal.slavePath)
        await assertThrows(SerialError.busy(path: terminal.slavePath)) { try await port.open() }
        await assertThrows(SerialError.busy(path: terminal.slavePath)) { try await other.open() }
        await port.close()
    }

    func testOpen_whenManyShareAQueue_allAreRead() async throws {
        let executor = QueueExecutor(label: "shared")
        let poller = DescriptorPoller()
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in UInt8(0)..<20 {
                let terminal = try PseudoTerminal()
                group.addTask {
                    let opener = SerialPort(
                        selector: .path(terminal.slavePath),
                        settings: LineSettings(baud: .baud115200))
                    let port = StreamLink(
                        opener, clock: SystemClock(), executor: executor, poller: poller)
                    _ = try await port.open()
                    async let sending: Void = terminal.send(
                        [UInt8](repeating: number, count: 10_000))
                    let bytes = try await port.read(count: 10_000)
                    try await sending
                    await port.close()
                    return bytes
                }
            }
            var seen: Set<UInt8> = []
            for try await bytes in group {
                XCTAssertEqual(Set(bytes).count, 1)
                XCTAssertEqual(bytes.count, 10_000)
                seen.formUnion(bytes)
            }
            XCTAssertEqual(seen.count, 20)
        }
    }
}
