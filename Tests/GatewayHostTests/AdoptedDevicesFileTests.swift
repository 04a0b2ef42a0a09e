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

    private func keep(_ text: String, in file: AdoptedDevicesFile) throws {
        let identifier = try XCTUnwrap(DeviceIdentifier(text))
        try file.change { devices in
            devices.keep(AdoptedDevice(identifier, since: Instant(nanosecondsSince1970: 0)))
        }
    }

    func testChange_isReadBackAndForThisUserOnly() throws {
        let folder = try TemporaryFolder()
        let file = file(in: folder)
        XCTAssertEqual(try file.read(), AdoptedDevices())
        try keep("/dev/ttyUSB0", in: file)
        XCTAssertEqual(try file.read().devices.map(\.identifier.description), ["/dev/ttyUSB0"])
        XCTAssertEqual(try folder.permissions(), ["devices.json": 0o600])
    }

    func testChange_overAnOldDraft_leavesNothingOfIt() throws {
        let folder = try TemporaryFolder()
        let draft = try folder.write(Array(repeating: 0, count: 9_999), to: DataFiles.adoptedDraft)
        chmod(draft, 0o644)
        try keep("/dev/ttyUSB0", in: file(in: folder))
        XCTAssertEqual(try file(in: folder).read().devices.count, 1)
        XCTAssertEqual(try folder.permissions(), ["devices.json": 0o600])
    }

    func testChange_whenTheDraftIsALink_writesNowhere() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write(Array("mine".utf8), to: "target")
        symlink(target, folder.path(DataFiles.adoptedDraft))
        XCTAssertThrowsError(try keep("/dev/ttyUSB0", in: file(in: folder)))
        XCTAssertEqual(try String(contentsOfFile: target, encoding: .utf8), "mine")
        XCTAssertEqual(try file(in: folder).read(), AdoptedDevices())
    }

    func testChange_ofALink_changesItsTarget_whetherItIsThereOrNot() throws {
        let folder = try TemporaryFolder()
        let data = try folder.makeFolder("data")
        try folder.makeFolder("shared")
        symlink("../shared/link.json", folder.path("data/devices.json"))
        symlink(folder.path("shared/mine.json"), folder.path("shared/link.json"))
        let file = AdoptedDevicesFile(folder: DataDirectory(path: data))
        try keep("/dev/ttyUSB0", in: file)
        try keep("/dev/ttyUSB1", in: file)
        XCTAssertEqual(try file.read().count, 2)
        XCTAssertEqual(
            SystemCall.target(ofLink: folder.path("data/devices.json")), "../shared/link.json")
        XCTAssertNil(SystemCall.target(ofLink: folder.path("shared/mine.json")))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("shared"))
        XCTAssertEqual(names.sorted(), ["link.json", "mine.json"])
    }

    func testChange_ofALinkToItself_isRefused() throws {
        let folder = try TemporaryFolder()
        symlink("devices.json", folder.path("devices.json"))
        XCTAssertThrowsError(try keep("/dev/ttyUSB0", in: file(in: folder)))
        XCTAssertEqual(SystemCall.target(ofLink: folder.path("devices.json")), "devices.json")
    }

    func testChange_thatChangesNothing_writesNothing() throws {
        let folder = try TemporaryFolder()
        try file(in: folder).change { _ in }
        XCTAssertEqual(try folder.permissions(), [:])
    }

    func testChange_ofAFileThatIsNotRight_leavesItAlone() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("{\"v\":1".utf8), to: DataFiles.adopted)
        XCTAssertThrowsError(try keep("/dev/ttyUSB0", in: file(in: folder))) { error in
            let failure = error as? HostError
            XCTAssertEqual(failure?.status, .configuration)
            let message = failure?.message ?? ""
            XCTAssertTrue(message.hasPrefix("\(path): line 1, column"), message)
            XCTAssertTrue(message.contains("mend it there, or remove the file"), message)
        }
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "{\"v\":1")
    }

    func testChange_toWhatCouldNotBeReadBack_isRefused() throws {
        let folder = try TemporaryFolder()
        let deep = (0..<70).reduce(JSONValue.null) { inner, _ in .array([inner]) }
        let large = JSONValue.string(String(repeating: "x", count: 1 << 20))
        for value in [deep, large] {
            let identifier = try XCTUnwrap(DeviceIdentifier("/dev/x"))
            var device = AdoptedDevice(identifier, since: Instant(nanosecondsSince1970: 0))
            device.spoken = .object(["use": .string("x"), "value": value])
            let changed = device
            XCTAssertThrowsError(
                try file(in: folder).change { devices in devices.keep(changed) })
        }
        XCTAssertEqual(try folder.permissions(), [:])
    }

    /// flock(2) is between open files, so threads of one process exclude each other as processes do.
    func testChange_byManyAtOnce_losesNone() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let file = AdoptedDevicesFile(folder: DataDirectory(path: path))
                    let identifier = try XCTUnwrap(DeviceIdentifier("/dev/tty\(number)"))
                    try file.change { devices in
                        devices.keep(
                            AdoptedDevice(identifier, since: Instant(nanosecondsSince1970: 0)))
                    }
                }
            }
            try await group.waitForAll()
        }
        XCTAssertEqual(try file(in: folder).read().devices.count, 40)
    }
}
