import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Bluetooth

/// A source that reads straps from a bus.
final class ReadStrap {
    private let task: Task<Void, any Error>
    private var reports: AsyncStream<DeviceReport>.AsyncIterator
    private var lines: AsyncStream<String>.AsyncIterator

    init(
        _ addresses: [String], busAddress: String, clock: any GatewayClock = ManualClock(),
        linksPerAdapter: Int? = nil
    ) throws {
        let (lines, signal) = AsyncStream.makeStream(of: String.self)
        let log = Logger(component: "test") { record in
            let fields = record.fields.map { " \($0.key)=\($0.value)" }.joined()
            signal.yield("\(record.message)\(fields)")
        }
        let named = try addresses.map { try XCTUnwrap(BluetoothAddress($0)) }
        let source = BluetoothSource(
            selection: BluetoothSelection(devices: .named(Set(named))),
            profiles: [PulseProfile()], linksPerAdapter: linksPerAdapter, busAddress: busAddress,
            context: ComponentContext(
                name: "straps", clock: clock, log: log, dataDirectory: "/nonexistent"))
        let inlet = RecordingInlet()
        reports = inlet.reports.makeAsyncIterator()
        self.lines = lines.makeAsyncIterator()
        task = Task { [inlet] in try await source.run(into: inlet) }
    }

    /// Waits for a report with these words.
    func wait(for words: String) async {
        while let report = await reports.next(isolation: nil) {
            if report.content.words == words { return }
        }
        XCTFail("the source has ended before `\(words)`")
    }

    /// The fields of the next log line about a malformed value.
    func malformedValue() async -> String {
        while let line = await lines.next(isolation: nil) {
            guard line.hasPrefix("ignoring a malformed value") else { continue }
            return String(line[(line.range(of: " object=")?.upperBound ?? line.startIndex)...])
        }
        return "the source has ended"
    }

    func end() async {
        task.cancel()
        _ = await task.result
    }
}
