import BluetoothTesting
import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Bluetooth
@testable import BluetoothSetup

/// The gateway and other programs use one strap, on a bluetoothd of the test's own.
final class SharedLinkTests: XCTestCase {
    /// A bluetoothd with a strap.
    private struct Scene {
        let bus: PrivateBus
        let bluez: FakeBlueZ

        init() async throws {
            do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
            bluez = try FakeBlueZ(address: bus.address)
            try await bluez.start()
            await bluez.appear(FakeStrap(address: address).device)
        }
    }

    /// `pulsegate inspect`, as it listens.
    private struct Inspection {
        private let task: Task<Void, any Error>

        init(_ scene: Scene) async throws {
            let (events, signal) = AsyncStream.makeStream(of: BluetoothInspector.Event.self)
            let inspector = BluetoothInspector(
                address: try XCTUnwrap(BluetoothAddress(address)), busAddress: scene.bus.address,
                clock: ManualClock())
            task = Task {
                defer { signal.finish() }
                try await inspector.run { batch in
                    for event in batch { signal.yield(event) }
                }
            }
            for await event in events where event == .listening { return }
            XCTFail("the inspection has ended: \(await task.result)")
        }

        func end() async {
            task.cancel()
            _ = await task.result
        }
    }

    /// A gateway's source with one link, whose time is set by hand.
    private final class Gateway {
        private let clock = ManualClock()
        private let inlet = RecordingInlet()
        private let scene: Scene
        private let task: Task<Void, any Error>
        private var reports: AsyncStream<DeviceReport>.AsyncIterator

        init(_ scene: Scene) async throws {
            let source = BluetoothSource(
                selection: BluetoothSelection(
                    devices: .named([try XCTUnwrap(BluetoothAddress(address))])),
                profiles: [PulseProfile()], busAddress: scene.bus.address,
                context: ComponentContext(
                    name: "straps", clock: clock, log: Logger(component: "test") { _ in },
                    dataDirectory: "/nonexistent"))
            self.scene = scene
            reports = inlet.reports.makeAsyncIterator()
            task = Task { [inlet] in try await source.run(into: inlet) }
            while let report = await reports.next(isolation: nil) {
                if report.content.isSubscription { return }
            }
        }

        /// Lets the strap measure this a second later, while so many programs listen, and says what is
        /// reported.
        func measure(_ pulse: UInt8, listeners: Int) async -> [String] {
            clock.advance(seconds: 1)
            await scene.bluez.notify(address, [pulse])
            var words: [String] = []
            while words.count < listeners, let report = await reports.next(isolation: nil) {
                if report.content.isSubscription { continue }
                words.append(report.content.words)
            }
            return words
        }

        func end() async {
            task.cancel()
            _ = await task.result
        }
    }

    func testOtherProgramsListenToo_everyValueIsTakenOnce() async throws {
        let scene = try await Scene()
        let gateway = try await Gateway(scene)
        func check(listeners: Int, line: UInt = #line) async {
            let copies = Array(repeating: "dropped copy 1", count: listeners - 1)
            for pulse: UInt8 in [70, 70, 71] {
                let words = await gateway.measure(pulse, listeners: listeners)
                XCTAssertEqual(words, ["pulse \(pulse)"] + copies, line: line)
            }
        }

        await check(listeners: 1)
        let first = try await Inspection(scene)
        await check(listeners: 2)
        let second = try await Inspection(scene)
        await check(listeners: 3)
        await first.end()
        await check(listeners: 2)
        await second.end()
        await check(listeners: 1)
        await gateway.end()
    }

    func testInspectionMadeTheLink_andTheGatewayUsesIt_theLinkStays() async throws {
        let scene = try await Scene()
        let inspection = try await Inspection(scene)
        let gateway = try await Gateway(scene)

        await inspection.end()

        let isConnected = await scene.bluez.isConnected(address)
        XCTAssertTrue(isConnected)
        let words = await gateway.measure(70, listeners: 1)
        XCTAssertEqual(words, ["pulse 70"])
        await gateway.end()
        let disconnects = await scene.bluez.calls(of: "Disconnect")
        XCTAssertEqual(disconnects.count, 0, "the gateway did not make the link")
        let isNotifying = await scene.bluez.isNotifying(of: address)
        XCTAssertFalse(isNotifying)
    }

    func testGatewayMadeTheLink_andIsInspected_theLinkStaysUntilTheGatewayEnds() async throws {
        let scene = try await Scene()
        let gateway = try await Gateway(scene)
        let inspection = try await Inspection(scene)

        await inspection.end()

        var isConnected = await scene.bluez.isConnected(address)
        XCTAssertTrue(isConnected)
        await gateway.end()
        isConnected = await scene.bluez.isConnected(address)
        XCTAssertFalse(isConnected)
    }

    func testInspectionAlone_endsTheLinkThatItMade() async throws {
        let scene = try await Scene()
        let inspection = try await Inspection(scene)

        await inspection.end()

        let isConnected = await scene.bluez.isConnected(address)
        XCTAssertFalse(isConnected)
    }
}

private let address = "D0:11:22:33:44:55"
