import BluetoothTesting
import DBus
import XCTest

/// Acquired notifications, as bluetoothd 5.66 shows and ends them.
final class FakeBlueZAcquiredTests: XCTestCase {
    private let address = "D0:11:22:33:44:55"

    /// Acquires the heart rate; the result is the program's end of the socket.
    private static func acquire(_ scene: BlueZScene, _ path: String) async throws -> BusDescriptor {
        let answer = try await scene.caller.characteristic(
            path, "AcquireNotify", [.properties([:])])
        return try XCTUnwrap(answer.first?.descriptor)
    }

    func testClosedSocket_releasesTheNotifications_andTheyCanBeAcquiredAgain() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")
        var socket: BusDescriptor? = try await Self.acquire(scene, path)
        let isNotifying = await scene.fake.isNotifying(of: address)
        XCTAssertTrue(isNotifying)
        let refused = await fault { _ = try await Self.acquire(scene, path) }
        XCTAssertEqual(
            refused, .remote(name: "org.bluez.Error.NotPermitted", message: "Notify acquired"))

        XCTAssertNotNil(socket)
        socket = nil
        await scene.fake.wait { $0.acquiredCount == 0 }

        let isStillNotifying = await scene.fake.isNotifying(of: address)
        XCTAssertFalse(isStillNotifying)
        let isLost = await scene.fake.notify(address, [0, 70])
        XCTAssertFalse(isLost)
        socket = try await Self.acquire(scene, path)
        let changes = await scene.caller.changes(of: path)
        XCTAssertEqual(
            changes, ["NotifyAcquired=true", "NotifyAcquired=false", "NotifyAcquired=true"])
        let count = await scene.fake.acquiredCount
        XCTAssertEqual(count, 1)
    }

    func testLostLink_releasesThem() async throws {
        let scene = try await scene()
        try await scene.connect()
        let path = try await scene.path("2a37")
        let socket = try await Self.acquire(scene, path)
        await scene.fake.dropLink(address)
        await scene.fake.wait { $0.acquiredCount == 0 }
        try await scene.caller.device("Connect")
        await scene.caller.wait { caller in
            caller.changes(of: BlueZCaller.strap).count { $0 == "ServicesResolved=true" } == 2
        }
        let other = try await Self.acquire(scene, path)
        withExtendedLifetime((socket, other)) {}
        let count = await scene.fake.acquiredCount
        XCTAssertEqual(count, 1)
    }
}
