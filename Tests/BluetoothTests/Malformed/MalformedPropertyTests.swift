import BluetoothTesting
import DBus
import GatewayCore
import GatewayTesting
import Platform
import XCTest

@testable import Bluetooth

/// One malformed property of bluetoothd's objects: all others are used.
final class MalformedPropertyTests: XCTestCase {
    /// The names of all properties, by object and interface.
    private typealias Names = [String: Set<String>]

    private static let address = "D0:11:22:33:44:55"
    private static let texts = [
        "Address", "AddressType", "Name", "Alias", "Adapter", "UUID", "Service", "Device",
        "Modalias", "Characteristic",
    ]
    private static let flags = [
        "Powered", "Connected", "ServicesResolved", "Paired", "Notifying", "Discovering",
    ]
    private static let lists = ["UUIDs", "Flags", "Roles"]

    func testMalformedValues_areLeftOutAlone() async throws {
        let scene = try await Scene()
        let all = try await names(scene) { _ in }
        XCTAssertGreaterThan(all.count, 15)
        for name in Self.texts {
            let names = try await names(scene) { $0.changeProperty(name, at: 8, to: 0xFF) }
            XCTAssertEqual(names, all.mapValues { $0.subtracting([name]) }, name)
        }
    }

    func testMalformedElementsOfLists_areLeftOutAlone() async throws {
        let scene = try await Scene()
        let all = try await names(scene) { _ in }
        for name in Self.lists {
            let names = try await names(scene) { $0.changeProperty(name, at: 8, to: 0xFF) }
            XCTAssertEqual(names, all, name)
        }
    }

    func testMalformedNamesOfProperties_areLeftOutAlone() async throws {
        let scene = try await Scene()
        let all = try await names(scene) { _ in }
        for name in Self.texts + Self.flags + Self.lists {
            let names = try await names(scene) { message in
                message.changeProperty(name, at: -name.utf8.count - 1, to: 0xFF)
            }
            XCTAssertEqual(names, all.mapValues { $0.subtracting([name]) }, name)
        }
    }

    /// The length of the value is unknown then, but not that of its dictionary.
    func testMalformedTypes_costNoOtherObject() async throws {
        let scene = try await Scene()
        let all = try await names(scene) { _ in }
        for name in Self.texts + Self.flags + Self.lists {
            let names = try await names(scene) { $0.changeProperty(name, at: 1, to: 63) }
            XCTAssertEqual(Set(names.keys), Set(all.keys), name)
            for (object, properties) in names where all[object]?.contains(name) == false {
                XCTAssertEqual(properties, all[object], "\(name) \(object)")
            }
        }
    }

    /// A bluetoothd that knows all attributes of a strap.
    private struct Scene {
        let bus: PrivateBus
        let bluez: FakeBlueZ

        init() async throws {
            do { bus = try PrivateBus() } catch { throw XCTSkip("\(error)") }
            bluez = try FakeBlueZ(address: bus.address)
            try await bluez.start()
            await bluez.appear(FakeStrap(address: address).device)
            let source = try ReadStrap([address], busAddress: bus.address)
            await source.wait(for: "subscribing: waiting for the first value")
            await source.end()
        }
    }

    /// The objects of a client whose messages are changed.
    private func names(_ scene: Scene, _ change: @escaping BusRelay.Change) async throws -> Names {
        let relay = try BusRelay(to: scene.bus.address, change: change)
        let client = try BlueZClient(
            ObjectLister(), address: relay.address, clock: ManualClock())
        let (lists, signal) = AsyncStream.makeStream(of: Names.self)
        let task = Task {
            defer { signal.finish() }
            try await client.run { lists, _ in for list in lists { signal.yield(list.names) } }
        }
        let names = await lists.first { _ in true }
        task.cancel()
        _ = await task.result
        return try XCTUnwrap(names)
    }

    private struct ObjectList: BlueZOutput {
        let names: Names
        var isDroppable: Bool { false }
    }

    /// A machine that outputs the objects that it starts with.
    private struct ObjectLister: BlueZMachine {
        var wakeTime: BootInstant? { nil }

        mutating func handle(
            _ event: BlueZEvent<Never>, in tree: ManagedObjects, at now: BootInstant
        ) -> [BlueZAction<Never, ObjectList>] {
            guard case .available = event else { return [] }
            var names: Names = [:]
            for interface in BlueZName.usedInterfaces {
                for path in tree.paths {
                    guard let properties = tree.properties(path, interface) else { continue }
                    names["\(path) \(interface)"] = Set(properties.keys)
                }
            }
            return [.output(ObjectList(names: names))]
        }
    }
}

extension [UInt8] {
    /// Changes a byte of every property with this name, at an offset from the type of its value.
    ///
    /// The offsets from there: 0 the length of the type, 1 the type, then the value, aligned.
    fileprivate mutating func changeProperty(_ name: String, at offset: Int, to byte: UInt8) {
        let key = [UInt8(name.utf8.count), 0, 0, 0] + Array(name.utf8) + [0]
        var start = 0
        while let range = self[start...].firstRange(of: key) {
            start = range.upperBound
            guard offset > 1 else {
                self[start + offset] = byte
                continue
            }
            // Behind the type and its NUL: a number or a length, aligned to 4 bytes.
            let value = (start + Int(self[start]) + 2 + 3) & ~3
            let isList = self[start + 1] == UInt8(ascii: "a")
            self[value + (isList ? offset : offset - 4)] = byte
        }
    }
}
