import BluetoothTesting
import GatewayTesting
import XCTest

@testable import DBus

final class BusLifeTests: XCTestCase {
    func testInit_withoutAListener_throws() async throws {
        let folder = try TemporaryFolder()
        let address = "unix:path=\(folder.path("nobody"))"
        let client = try BusClient()

        let error = await busError { try await client.connect(to: address) }

        XCTAssertEqual(error, .unavailable(address: address, code: ENOENT))
    }

    func testInit_whenTheAddressIsNone_throws() async throws {
        let client = try BusClient()

        for address in ["", "nonsense", "unix:", "unix:path=/a\0b"] {
            let error = await busError { try await client.connect(to: address) }
            guard case .unavailable = error else {
                return XCTFail("\(address): \(String(describing: error))")
            }
        }
    }

    func testConnection_thatIsNeverAnswered_endsAtTheLimit() async throws {
        let folder = try TemporaryFolder()
        let listener = try SilentListener(path: folder.path("silent"))
        let client = try BusClient()
        try await client.connect(to: listener.address, setUpSeconds: 0.05)

        let error = await busError { _ = try await client.call(.listNames) }
        await client.wait { !$0.closings.isEmpty }

        XCTAssertEqual(error, .disconnected)
        let closings = await client.closings
        XCTAssertEqual(closings, [.unavailable(address: listener.address, code: ETIMEDOUT)])
    }

    func testDaemonKilled_callsFailAndTheOwnerIsReportedOnce() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)
        async let first = busError { _ = try await client.call(.example("Hold")) }
        async let second = busError { _ = try await client.call(.example("Hold")) }
        await server.wait { $0.requests.count == 2 }

        bus.stop()
        let errors = await [first, second]
        await client.wait { !$0.closings.isEmpty }
        let later = await busError { _ = try await client.call(.listNames) }
        let match = await busError { try await client.match("type='signal'") }
        let emission = await busError { try await client.emit(BusSignal("/a", "a.b", "C")) }

        XCTAssertEqual(errors, [.disconnected, .disconnected])
        XCTAssertEqual([later, match, emission], [.disconnected, .disconnected, .disconnected])
        let closings = await client.closings
        XCTAssertEqual(closings, [.disconnected])
        await server.answerHeld(with: [])
    }

    func testDaemonBack_aNewConnectionWorks() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)
        _ = try await client.call(.listNames)
        bus.stop()
        await client.wait { !$0.closings.isEmpty }

        try bus.start()
        try await client.connect(to: bus.address)

        let names = try await client.call(.listNames)
        XCTAssertEqual(names.count, 1)
    }

    func testClose_callsWithoutAnswerAreToldAndNothingElse() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)
        async let call = busError { _ = try await client.call(.example("Hold")) }
        await server.wait { !$0.requests.isEmpty }

        await client.close()
        await client.close()
        let error = await call

        XCTAssertEqual(error, .disconnected)
        let closings = await client.closings
        XCTAssertEqual(closings, [])
    }

    func testClose_rulesWithoutAnswerAreTold() async throws {
        let bus = try privateBus()
        let client = try await client(on: bus)

        let error = await client.matchAndClose("type='signal'")

        XCTAssertEqual(error, .disconnected)
    }

    func testClose_insideAHandler_isFine() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)

        let waiting = await client.callAndClose(.listNames, waiting: .example("Hold"))

        XCTAssertEqual(waiting, .failure(.disconnected))
        await server.answerHeld(with: [])
    }

    func testClose_insideAHandlerOfSignals_letsNoMoreCome() async throws {
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let receiver = try await client(on: bus)
        await receiver.closeAtSignal("type='signal',interface='org.example.Test'")
        let signal = BusSignal("/a", "org.example.Test", "Changed")

        try await sender.emit(Array(repeating: signal, count: 100))
        await receiver.wait { !$0.signals.isEmpty }
        _ = try await sender.call(.listNames)

        let count = await receiver.signals.count
        XCTAssertEqual(count, 1)
    }

    func testRelease_endsTheConnection() async throws {
        let bus = try privateBus()
        let server = try await server(on: bus)
        let client = try await client(on: bus)
        async let call = busError { _ = try await client.call(.example("Hold")) }
        await server.wait { !$0.requests.isEmpty }

        await client.release()
        let error = await call

        XCTAssertEqual(error, .disconnected)
    }

    func testClose_writesWhatWaits() async throws {
        let bus = try privateBus()
        let sender = try await client(on: bus)
        let receiver = try await client(on: bus)
        try await receiver.match("type='signal',interface='org.example.Test'")
        let count = 2_000
        let block = BusValue.bytes(Array(repeating: 7, count: 4_000))

        try await sender.emit(
            Array(repeating: BusSignal("/a", "org.example.Test", "Block", [block]), count: count))
        await sender.close()
        await receiver.wait { $0.signals.count == count }
    }
}

final class BusLoopLifeTests: XCTestCase {
    func testLoopsAndConnections_leaveNothingBehind() async throws {
        let bus = try privateBus()
        // What the process opens once, at the first use, stays.
        try await useBusOnce(bus)
        let descriptors = try descriptorCount()

        for _ in 0..<20 { try await useBusOnce(bus) }

        // A thread ends by itself, soon after its loop is released; only the system shows that.
        let deadline = Date().addingTimeInterval(30)
        while try loopCount() > 0 || descriptorCount() > descriptors, Date() < deadline {
            await Task.yield()
        }
        XCTAssertEqual(try loopCount(), 0)
        // Fewer when threads of earlier tests ended meanwhile.
        XCTAssertLessThanOrEqual(try descriptorCount(), descriptors)
    }

    private func useBusOnce(_ bus: PrivateBus) async throws {
        let server = try await client(on: bus, label: "leak-test")
        try await server.serve("/")
        _ = try await server.call(.listNames)
        let maybeName = await server.uniqueName
        let name = try XCTUnwrap(maybeName)
        let client = try await client(on: bus, label: "leak-test")
        try await client.match("type='signal'")
        _ = try await client.call(BusCall(name, "/", "org.example.Test", "Echo"))
        async let held: [BusValue]? = try? client.call(
            BusCall(name, "/", "org.example.Test", "Hold"), timeoutSeconds: 0.01)
        await server.wait { $0.requests.count == 2 }
        _ = await held
    }

    func testThread_hasItsNameAndBlocksTheSignalsOfTheProgram() async throws {
        let client = try BusClient(label: "named-loop", isPooled: false)
        await client.close()

        let status = try XCTUnwrap(
            try threads().first { $0.contains("Name:\tnamed-loop\n") })

        let line = try XCTUnwrap(
            status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
        let mask = try XCTUnwrap(UInt64(line.dropFirst("SigBlk:\t".count), radix: 16))
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            XCTAssertNotEqual(mask & (1 << UInt64(signal - 1)), 0)
        }
        XCTAssertEqual(mask & (1 << UInt64(SIGSEGV - 1)), 0)
    }

    private func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private func loopCount() throws -> Int {
        try threads().count { $0.hasPrefix("Name:\tleak-test\n") }
    }

    private func threads() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap {
            // A thread may end while its folder is read.
            try? String(contentsOfFile: "/proc/self/task/\($0)/status", encoding: .utf8)
        }
    }
}

/// A socket that accepts connections and sends nothing.
private final class SilentListener {
    let address: String
    private let descriptor: Int32

    init(path: String) throws {
        address = "unix:path=\(path)"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafeBytes(of: &name) {
            bind(
                descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress,
                socklen_t(MemoryLayout<sockaddr_un>.size))
        }
        guard result == 0, listen(descriptor, 8) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }

    deinit { close(descriptor) }
}
