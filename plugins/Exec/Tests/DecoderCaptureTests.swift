import Bluetooth
import BluetoothTesting
import GatewayCore
import JSON
import Platform
import XCTest

@testable import Exec

/// Tests of what a capture gets from a decoder of Bluetooth.
final class DecoderCaptureTests: XCTestCase {
    private static let entry = """
        { use: "exec", name: "glove", command: ["cat"], service: "180d", subscribe: ["2a37"] }
        """

    /// The adapters of the links that a source has opened.
    private final class AdapterLog: ReadingInlet {
        let adapters: AsyncStream<JSONValue>
        private let signal: AsyncStream<JSONValue>.Continuation
        let recordsTraffic = true

        init() {
            (adapters, signal) = AsyncStream.makeStream()
        }

        func report(_ report: DeviceReport) async {
            if case .traffic(.adapter(let adapter)) = report.content { signal.yield(adapter) }
        }
    }

    func testAdapter_hasTheEntryOfTheProfile() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        let address = BluetoothHarness.address
        await bluez.appear(FakeStrap(address: address).device)
        let settings = """
            { use: "bluetooth", devices: ["\(address)"], profiles: [\(Self.entry)] }
            """
        let source = try BluetoothSource.factory(
            profiles: [ExecProfile.factory], busAddress: bus.address
        ).make(try ConfigurationNode(json5: settings), try ProgramFixture().context)
        let inlet = AdapterLog()
        let running = Task { try await source.run(into: inlet) }
        var adapters = inlet.adapters.makeAsyncIterator()
        let adapter = await adapters.next()
        XCTAssertEqual(adapter, try JSONValue(json5: "{ profiles: [\(Self.entry)] }"))
        running.cancel()
        _ = await running.result
    }
}
