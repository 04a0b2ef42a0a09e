import BluetoothTesting
import DBus
import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Advertisements
@testable import Bluetooth

/// An answer to `GetManagedObjects` with more values than are read: the rest is used.
final class ManyValuesTests: XCTestCase {
    private static let deviceCount = 7

    func testObjectsWithinTheLimit_areUsed_andTheOthersAreCounted() async throws {
        let bus: PrivateBus
        do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
        let bluez = try FakeBlueZ(address: bus.address)
        try await bluez.start()
        // 65,536 entries of three values: the sixth device exceeds a million.
        let everyCompany = Dictionary(
            uniqueKeysWithValues: (0...UInt16.max).map { ($0, [UInt8]()) })
        for number in 1...Self.deviceCount {
            var device = FakeDevice(address: "D0:11:22:33:44:0\(number)", advertisedUUIDs: [])
            device.manufacturerData = everyCompany
            await bluez.appear(device)
        }
        try await discover(bus)

        let client = try BlueZClient(
            ObjectCounter(), address: bus.address, clock: ManualClock())
        let (counts, signal) = AsyncStream.makeStream(of: ObjectCounts.self)
        let task = Task {
            defer { signal.finish() }
            try await client.run { batch, _ in for counts in batch { signal.yield(counts) } }
        }
        let found = await counts.first { _ in true }
        task.cancel()
        _ = await task.result

        XCTAssertEqual(found?.problem, nil)
        XCTAssertEqual(found?.devices, 6)
        // The adapter and the root are beyond the limit, too, or not: their order is not fixed.
        let ignored = try XCTUnwrap(found?.ignored)
        XCTAssertTrue((1...3).contains(ignored), "\(ignored)")
    }

    /// Lets bluetoothd discover the devices, which stay in its memory for a while.
    private func discover(_ bus: PrivateBus) async throws {
        let (found, signal) = AsyncStream.makeStream(of: BluetoothAddress.self)
        let scanner = BluetoothScanner(busAddress: bus.address, clock: ManualClock())
        let task = Task {
            try await scanner.run { events in
                for case .found(let device) in events { signal.yield(device.address) }
            }
        }
        var addresses: Set<BluetoothAddress> = []
        for await address in found {
            addresses.insert(address)
            if addresses.count == Self.deviceCount { break }
        }
        task.cancel()
        _ = await task.result
    }

    private struct ObjectCounts: BlueZOutput {
        var problem: LinkError?
        var devices = 0
        var ignored = 0
        var isDroppable: Bool { false }
    }

    /// A machine that outputs how many objects it starts with.
    private struct ObjectCounter: BlueZMachine {
        var wakeTime: BootInstant? { nil }

        mutating func handle(
            _ event: BlueZEvent<Never>, in tree: ManagedObjects, at now: BootInstant
        ) -> [BlueZAction<Never, ObjectCounts>] {
            switch event {
            case .available:
                let devices = tree.devices.count
                return [.output(ObjectCounts(devices: devices, ignored: tree.ignoredCount))]
            case .unavailable(let problem): return [.output(ObjectCounts(problem: problem))]
            default: return []
            }
        }
    }
}
