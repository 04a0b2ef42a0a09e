import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import Serial
import Simulation
import XCTest

final class SimulatedPedometerSourceTests: XCTestCase {
    private let clock = ManualClock()
    private let inlet = RecordingInlet()

    func testRun_isReadAsOneDeviceWhateverThePort() async throws {
        let run = running(linesPerSecond: 1)

        let reports = await inlet.next(2)

        XCTAssertEqual(Set(reports.map(\.device)), ["simulated-pedometer"])
        guard case .opened(let device, _) = reports[0].content else {
            return XCTFail("\(reports[0])")
        }
        XCTAssertEqual(device.localIdentifier, "simulated-pedometer")
        XCTAssertEqual(device.model, "Line counter")
        await stop(run)
    }

    func testRun_printsLinesAtTheirTimes() async throws {
        let run = running(linesPerSecond: 1)
        var texts = await linesRead(1)

        for second in 1...3 {
            await clock.waitForSleepers(1)
            clock.advance(seconds: 1)
            texts += await linesRead(1)
            XCTAssertEqual(texts.count, second + 1)
        }

        XCTAssertEqual(texts, printed(4, linesPerSecond: 1))
        await stop(run)
    }

    func testRun_atTheHighestRate_losesNoLine() async throws {
        let run = running(linesPerSecond: 10_000)
        await clock.waitForSleepers(1)

        clock.advance(seconds: 1)

        let texts = await linesRead(10_000)
        XCTAssertEqual(
            Array(texts.prefix(10_000)), printed(10_000, linesPerSecond: 10_000))
        await stop(run)
    }

    func testRun_whenCancelled_stopsBothEndsAndThrows() async throws {
        let run = running(linesPerSecond: 1)
        _ = await inlet.next(2)
        await clock.waitForSleepers(1)

        run.cancel()

        let result = await run.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        guard case .closed = await inlet.next(1)[0].content else {
            return XCTFail("the device was not closed")
        }
    }

    func testRun_whenTheReaderFails_stopsPrintingAndThrowsItsError() async throws {
        let error = LinkError("no such port")
        let source = SimulatedPedometerSource(SimulatedPedometer(seed: 1), clock: clock) { _ in
            FailingSource(error: error)
        }
        await assertThrows(error) { try await source.run(into: self.inlet) }
    }

    func testRun_whenNoReaderCanBeMade_throwsWhy() async throws {
        let error = LinkError("no protocol")
        let source = SimulatedPedometerSource(SimulatedPedometer(seed: 1), clock: clock) { _ in
            throw error
        }
        await assertThrows(error) { try await source.run(into: self.inlet) }
    }

    private func running(linesPerSecond: Double) -> Task<Void, any Error> {
        let source = source(linesPerSecond: linesPerSecond)
        return Task { [inlet] in try await source.run(into: inlet) }
    }

    private func source(linesPerSecond: Double) -> SimulatedPedometerSource {
        let context = ComponentContext(
            name: "foot", clock: clock, log: Logger(component: "test") { _ in }, dataDirectory: "/")
        let factory = SerialSource.factory(protocols: [
            SerialProtocolFactory(use: "lineCounter") { _ in LineCounterProtocol() }
        ])
        return SimulatedPedometerSource(
            SimulatedPedometer(seed: 1, linesPerSecond: linesPerSecond), clock: clock
        ) { path in
            let settings: JSONValue = .object([
                "use": .string("serial"), "port": .object(["path": .string(path)]),
                "protocol": .string("lineCounter"),
            ])
            return try factory.make(ConfigurationNode(path: "", value: settings), context)
        }
    }

    private func printed(_ count: Int, linesPerSecond: Double) -> [String] {
        var pedometer = SimulatedPedometer(seed: 1, linesPerSecond: linesPerSecond)
        return (0..<count).map { _ in pedometer.nextLine().text }
    }

    /// Waits until the reader has received `count` lines.
    private func linesRead(_ count: Int) async -> [String] {
        var lines: [String] = []
        while lines.count < count {
            for reading in await inlet.next(1).flatMap(\.readings) {
                guard case .identity(let device) = reading.reading else { continue }
                lines.append(device.name ?? "")
            }
        }
        return lines
    }

    private func assertThrows(
        _ expected: LinkError, _ body: () async throws -> Void, line: UInt = #line
    ) async {
        do {
            try await body()
            XCTFail("nothing was thrown", line: line)
        } catch {
            XCTAssertEqual(error as? LinkError, expected, line: line)
        }
    }

    private func stop(_ task: Task<Void, any Error>) async {
        task.cancel()
        _ = await task.result
    }
}

private struct FailingSource: Source {
    let error: LinkError

    func run(into inlet: any ReadingInlet) async throws {
        throw error
    }
}

/// Reports every line as the name of a device, so that tests can check the text.
private struct LineCounterProtocol: SerialProtocol {
    let lineSettings = LineSettings(baud: .baud115200)
    let device = Device(model: "Line counter")

    func makeAdapter() -> any DeviceAdapter { LineCounterAdapter() }
}

private struct LineCounterAdapter: DeviceAdapter {
    private var line: [UInt8] = []

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        guard case .received(let bytes, _) = event.kind else { return [] }
        var actions: [AdapterAction] = []
        for byte in bytes where byte != 0x0D {
            guard byte == 0x0A else {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            actions.append(.reading(.identity(Device(name: text))))
            line = []
        }
        return actions
    }
}
