import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import Synchronization
import XCTest

@testable import Serial

/// Checks that a closure throws exactly this error.
func assertThrows<Failure: Error & Equatable, Result>(
    _ expected: Failure, file: StaticString = #filePath, line: UInt = #line,
    _ body: () async throws -> Result
) async {
    do {
        _ = try await body()
        XCTFail("nothing was thrown", file: file, line: line)
    } catch {
        XCTAssertEqual(error as? Failure, expected, "\(error)", file: file, line: line)
    }
}

/// Checks that a closure throws `CancellationError`.
func assertCancelled<Result>(
    file: StaticString = #filePath, line: UInt = #line, _ body: () async throws -> Result
) async {
    do {
        _ = try await body()
        XCTFail("nothing was thrown", file: file, line: line)
    } catch {
        XCTAssertTrue(error is CancellationError, "\(error)", file: file, line: line)
    }
}

/// A protocol whose adapter is a closure.
struct ScriptedProtocol: SerialProtocol {
    struct Adapter: DeviceAdapter {
        let respond: @Sendable (AdapterEvent) -> [AdapterAction]

        func handle(_ event: AdapterEvent) -> [AdapterAction] { respond(event) }
    }

    var lineSettings = LineSettings(baud: .baud9600)
    var device = Device()
    var silenceLimitSeconds: Double?
    var respond: @Sendable (AdapterEvent) -> [AdapterAction] = { _ in [] }

    func makeAdapter() -> any DeviceAdapter { Adapter(respond: respond) }
}

/// Collects log messages.
final class LogRecorder: Sendable {
    private let records = Mutex<[Logger.Record]>([])

    var messages: [String] { records.withLock { $0.map(\.message) } }

    var logger: Logger {
        Logger(component: "test") { [self] record in
            records.withLock { $0.append(record) }
        }
    }
}

/// A stream with its own queue and poller.
func makeLink(_ opener: any StreamOpener, clock: any GatewayClock = SystemClock()) -> StreamLink {
    StreamLink(
        opener, clock: clock, executor: QueueExecutor(label: "test ports"),
        poller: DescriptorPoller())
}

/// A port on a pseudo-terminal.
func makePort(
    _ path: String, settings: LineSettings = LineSettings(baud: .baud115200),
    clock: any GatewayClock = SystemClock()
) -> StreamLink {
    makeLink(SerialPort(selector: .path(path), settings: settings), clock: clock)
}

extension StreamLink {
    /// Reads until `count` bytes are received.
    func read(count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            bytes += try await read()?.bytes ?? []
        }
        return bytes
    }
}

extension PseudoTerminal {
    /// Receives until `count` bytes are received.
    func receive(count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += try await receive() }
        return bytes
    }
}
