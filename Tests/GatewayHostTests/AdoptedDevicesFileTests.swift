import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import XCTest

@testable import GatewayHost
@testable import JSON
@testable import Platform

final class AdoptedDevicesFileTests: XCTestCase {
    private func file(in folder: TemporaryFolder) -> AdoptedDevicesFile {
        AdoptedDevicesFile(folder: DataDirectory(path: folder.path))
    }

    private func keep(_ text: String, in file: AdoptedDevicesFile) async throws {
        let identifier = try XCTUnwrap(DeviceIdentifier(text))
        try await file.change { devices in
            devices.insert(AdoptedDevice(identifier, since: Instant(nanosecondsSince1970: 0)))
        }
    }

    /// The error of a change that must fail.
    private func refusal(
        line: UInt = #line, _ change: () async throws -> Void
    ) async -> HostError? {
        do {
            try await change()
            XCTFail("nothing was refused", line: line)
            return nil
        } catch {
            return error as? HostError
        }
    }

    func testChange_isReadBack_andPrivate() async throws {
        let folder = try TemporaryFolder()
        let file = file(in: folder)
        XCTAssertEqual(try file.read(), AdoptedDevices())
        try await keep("/dev/ttyUSB0", in: file)
        XCTAssertEqual(try file.read().devices.map(\.identifier.description), ["/dev/ttyUSB0"])
        XCTAssertEqual(try folder.permissions(), ["devices.json": 0o600])
    }

    func testChange_overAnOldDraft_replacesIt() async throws {
        let folder = try TemporaryFolder()
        let draft = try folder.write(Array(repeating: 0, count: 9_999), to: DataFiles.adoptedDraft)
        chmod(draft, 0o644)
        try await keep("/dev/ttyUSB0", in: file(in: folder))
        XCTAssertEqual(try file(in: folder).read().devices.count, 1)
        XCTAssertEqual(try folder.permissions(), ["devices.json": 0o600])
    }

    func testChange_whenTheDraftIsALink_writesNowhere() async throws {
        let folder = try TemporaryFolder()
        let target = try folder.write(Array("mine".utf8), to: "target")
        symlink(target, folder.path(DataFiles.adoptedDraft))
        let refused = await refusal { try await keep("/dev/ttyUSB0", in: file(in: folder)) }
        XCTAssertNotNil(refused)
        XCTAssertEqual(try String(contentsOfFile: target, encoding: .utf8), "mine")
        XCTAssertEqual(try file(in: folder).read(), AdoptedDevices())
    }

    /// Nobody reads from such a pipe, for which the change would wait.
    func testChange_whenTheDraftIsAPipe_isRefused() async throws {
        let folder = try TemporaryFolder()
        XCTAssertEqual(mkfifo(folder.path(DataFiles.adoptedDraft), 0o600), 0)
        let refused = await refusal { try await keep("/dev/ttyUSB0", in: file(in: folder)) }
        XCTAssertEqual(refused?.text.contains("not a regular file"), true)
    }

    func testChange_ofALink_changesItsTarget_whetherItIsThereOrNot() async throws {
        let folder = try TemporaryFolder()
        let data = try folder.makeFolder("data")
        try folder.makeFolder("shared")
        symlink("../shared/link.json", folder.path("data/devices.json"))
        symlink(folder.path("shared/mine.json"), folder.path("shared/link.json"))
        let file = AdoptedDevicesFile(folder: DataDirectory(path: data))
        try await keep("/dev/ttyUSB0", in: file)
        try await keep("/dev/ttyUSB1", in: file)
        XCTAssertEqual(try file.read().count, 2)
        XCTAssertEqual(
            SystemCall.target(ofLink: folder.path("data/devices.json")), "../shared/link.json")
        XCTAssertNil(SystemCall.target(ofLink: folder.path("shared/mine.json")))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("shared"))
        XCTAssertEqual(names.sorted(), ["link.json", "mine.json"])
    }

    func testChange_ofALinkToItself_throws() async throws {
        let folder = try TemporaryFolder()
        symlink("devices.json", folder.path("devices.json"))
        let refused = await refusal { try await keep("/dev/ttyUSB0", in: file(in: folder)) }
        XCTAssertNotNil(refused)
        XCTAssertEqual(SystemCall.target(ofLink: folder.path("devices.json")), "devices.json")
    }

    func testChange_thatChangesNothing_writesNothing() async throws {
        let folder = try TemporaryFolder()
        try await file(in: folder).change { _ in }
        XCTAssertEqual(try folder.permissions(), [:])
    }

    func testChange_ofAnInvalidFile_leavesItUnchanged() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("{\"v\":1".utf8), to: DataFiles.adopted)
        let failure = await refusal { try await keep("/dev/ttyUSB0", in: file(in: folder)) }
        XCTAssertEqual(failure?.status, .configuration)
        let message = failure?.message ?? ""
        XCTAssertTrue(message.hasPrefix("\(path): line 1, column"), message)
        XCTAssertTrue(message.contains("fix it there, or remove the file"), message)
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "{\"v\":1")
    }

    func testChange_toUnreadableContent_throws() async throws {
        let folder = try TemporaryFolder()
        let deep = (0..<70).reduce(JSONValue.null) { inner, _ in .array([inner]) }
        let large = JSONValue.string(String(repeating: "x", count: 1 << 20))
        for value in [deep, large] {
            let identifier = try XCTUnwrap(DeviceIdentifier("/dev/x"))
            var device = AdoptedDevice(identifier, since: Instant(nanosecondsSince1970: 0))
            device.spoken = .object(["use": .string("x"), "value": value])
            let changed = device
            let refused = await refusal {
                try await file(in: folder).change { devices in devices.insert(changed) }
            }
            XCTAssertNotNil(refused)
        }
        XCTAssertEqual(try folder.permissions(), [:])
    }

    /// flock(2) is between open files, so threads of one process exclude each other as processes do.
    func testChange_concurrently_losesNone() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let file = AdoptedDevicesFile(folder: DataDirectory(path: path))
                    let identifier = try XCTUnwrap(DeviceIdentifier("/dev/tty\(number)"))
                    try await file.change { devices in
                        devices.insert(
                            AdoptedDevice(identifier, since: Instant(nanosecondsSince1970: 0)))
                    }
                }
            }
            try await group.waitForAll()
        }
        XCTAssertEqual(try file(in: folder).read().devices.count, 40)
    }

    func testChange_whileAnotherProgramHoldsTheLock_timesOut() async throws {
        let folder = try TemporaryFolder()
        let opened = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let other = FileLock(owning: opened, .flock)
        XCTAssertTrue(other.tryLock())
        let clock = ManualClock()
        let directory = DataDirectory(path: folder.path)
        let change = Task {
            try await AdoptedDevicesFile(folder: directory, clock: clock).change { _ in }
        }
        await clock.waitForSleepers(1)
        clock.advance(seconds: 5)
        let failure = await refusal { try await change.value }
        let message = failure?.message ?? ""
        XCTAssertTrue(message.contains("locked by another program"), message)
        withExtendedLifetime(other) {}
        XCTAssertEqual(try folder.permissions(), [:])
    }
}
