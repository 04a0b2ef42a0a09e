import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Platform
import Readings
import XCTest

@testable import Serial

/// Tests RFCOMM streams on sockets of other kinds.
final class RFCOMMSocketTests: XCTestCase {
    private let everyByte = [UInt8](0...255)
    private let lost = SerialError.rfcomm(.lost(address: "00:07:80:12:34:56"))
    private let noResponse = SerialError.rfcomm(.noResponse(address: "00:07:80:12:34:56"))

    func testOpen_answersWithTheAddress() async throws {
        let pair = try SocketPair()
        let link = makeLink(pair.opener)
        let name = try await link.open()
        XCTAssertEqual(name, "00:07:80:12:34:56")
        await link.close()
    }

    func testReadAndWrite_passEveryByteUnchanged() async throws {
        let pair = try SocketPair()
        let link = makeLink(pair.opener)
        _ = try await link.open()
        pair.write(everyByte)
        let bytes = try await link.read(count: 256)
        XCTAssertEqual(bytes, everyByte)
        try await link.write(everyByte, until: BootInstant(nanoseconds: .max))
        XCTAssertEqual(pair.read(), everyByte)
        await link.close()
    }

    func testRead_whenTheDeviceHangsUpWhileWaiting_isLost() async throws {
        let pair = try SocketPair()
        let link = makeLink(pair.opener)
        _ = try await link.open()
        let reading = Task { try await link.read() }
        pair.hangUp()
        await assertThrows(lost) { try await reading.value }
        await link.close()
    }

    func testWrite_whenTheDeviceIsGone_isLostAndNoSignal() async throws {
        let pair = try SocketPair()
        let link = makeLink(pair.opener)
        _ = try await link.open()
        pair.hangUp()
        await assertThrows(lost) {
            try await link.write([1], until: BootInstant(nanoseconds: .max))
        }
        await link.close()
    }

    func testClose_endsTheConnectionAtOnce() async throws {
        let pair = try SocketPair()
        let link = makeLink(pair.opener)
        _ = try await link.open()
        await link.close()
        XCTAssertNil(pair.read())
    }

    /// Starts to open a link to a device that does not respond.
    private func beginToOpen(
        _ pair: SocketPair, _ clock: ManualClock
    ) async -> Task<String, any Error> {
        pair.fill()
        let link = makeLink(pair.opener, clock: clock)
        let opening = Task { try await link.open() }
        await clock.waitForSleepers(1)
        return opening
    }

    func testOpen_whenTheDeviceDoesNotRespond_failsAtTheDeadline() async throws {
        let clock = ManualClock()
        let pair = try SocketPair()
        let opening = await beginToOpen(pair, clock)
        clock.advance(seconds: RFCOMMSocket.defaultConnectTimeoutSeconds)
        await assertThrows(noResponse) { try await opening.value }
        XCTAssertTrue(pair.hasEnded)
    }

    func testOpen_whenCancelled_endsTheConnectionAtOnce() async throws {
        let clock = ManualClock()
        let pair = try SocketPair()
        let opening = await beginToOpen(pair, clock)
        opening.cancel()
        await assertCancelled { try await opening.value }
        XCTAssertTrue(pair.hasEnded)
    }

    func testOpen_whenTheDeviceRejects_reportsIt() async throws {
        let endpoint = try XCTUnwrap(RFCOMMEndpoint(address: "00:07:80:12:34:56", channel: 5))
        // A closed local port refuses the connection asynchronously, like a device.
        let link = makeLink(
            ReadyOpener(name: endpoint.address.description) { () throws(SerialError) in
                RFCOMMSocket(Self.refusedConnection(), to: endpoint)
            })
        await assertThrows(
            SerialError.rfcomm(.refused(address: endpoint.address.description, channel: 5))
        ) { try await link.open() }
    }

    func testOpen_whereTheKernelHasNoBluetooth_reportsHowToHaveIt() async throws {
        let probe = socket(AF_BLUETOOTH, Int32(SOCK_STREAM.rawValue), 3)
        guard probe < 0 else {
            close(probe)
            throw XCTSkip("this kernel has Bluetooth; the test is about one without")
        }
        let endpoint = try XCTUnwrap(RFCOMMEndpoint(address: "00:07:80:12:34:56"))
        let link = makeLink(RFCOMMPort(endpoint: endpoint))
        await assertThrows(SerialError.rfcomm(.notSupported(address: endpoint.address.description)))
        {
            try await link.open()
        }
    }

    func testIsGone_afterAHangUpWithNothingToRead() throws {
        // A pipe hangs up as an RFCOMM socket does: without a byte or an error to be read.
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(pipe(&ends), 0)
        let endpoint = try XCTUnwrap(RFCOMMEndpoint(address: "00:07:80:12:34:56"))
        let reader = RFCOMMSocket(ends[0], to: endpoint)
        XCTAssertFalse(reader.isDisconnected)
        XCTAssertEqual(write(ends[1], [7], 1), 1)
        close(ends[1])
        XCTAssertFalse(reader.isDisconnected)
        XCTAssertEqual(reader.read(limit: 10), .bytes([7]))
        XCTAssertTrue(reader.isDisconnected)
    }

    func testDescriptors_areHiddenFromChildren() throws {
        let pair = try SocketPair()
        XCTAssertNotEqual(fcntl(try pair.rfcomm.duplicate().number, F_GETFD) & FD_CLOEXEC, 0)
    }

    func testRun_speaksTheProtocolAndNamesTheDeviceByItsAddress() async throws {
        let clock = ManualClock()
        let pair = try SocketPair()
        let inlet = RecordingInlet()
        let context = ComponentContext(
            name: "strap", clock: clock, log: LogRecorder().logger, dataDirectory: "/nowhere")
        let spoken = ScriptedProtocol(respond: { event in
            guard case .received(let bytes, .stream) = event.kind else { return [] }
            return bytes.map { .reading(.state(.battery(Double($0) / 100))) }
        })
        let opener = pair.opener
        let source = SerialSource(
            identifier: opener.name, serialProtocol: spoken, context: context
        ) { makeLink(opener, clock: clock) }
        let running = Task { try await source.run(into: inlet) }
        var reports = inlet.reports.makeAsyncIterator()
        guard case .opened(let device, _) = await reports.next()?.content else {
            return XCTFail("not opened")
        }
        XCTAssertEqual(device.localIdentifier, "00:07:80:12:34:56")
        pair.write([50])
        guard case .readings(let readings) = await reports.next()?.content else {
            return XCTFail("no readings")
        }
        XCTAssertEqual(readings.map(\.reading), [.state(.battery(0.5))])
        pair.hangUp()
        guard case .closed(_, "connection lost") = await reports.next()?.content else {
            return XCTFail("not closed")
        }
        await assertThrows(lost.linkError) { try await running.value }
    }

    /// A TCP socket on its way to a port of this machine that is closed.
    private static func refusedConnection() -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let placeholder = socket(AF_INET, kind, 0)
        let number = socket(AF_INET, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                // Bound but not listening: the number is taken, and connecting is refused.
                _ = bind(placeholder, address, length)
                _ = getsockname(placeholder, address, &length)
                _ = connect(number, address, length)
            }
        }
        close(placeholder)
        return number
    }
}
