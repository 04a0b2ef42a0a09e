import Foundation
import GatewayTesting
import Glibc
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import HealthModel
@testable import Platform

/// Files of the data directory with any content.
final class DataDirectoryFuzzTests: XCTestCase {
    private static let devices =
        #"{"v":1,"devices":{"D0:11:22:33:44:55":{"person":"ada","role":"primary","#
        + #""name":"Strap","protocol":{"use":"hxm"},"since":"2026-11-21T18:15:00.000Z"},"/dev/ttyUSB0":{"since":"2026-11-21T18:15:00Z"}}}"#
    private static let people =
        #"{"v":1,"default":"bob","people":{"ada":{"birthDate":"1986-02-14","sex":"female","#
        + #""maximumHeartRate":{"value":188,"unit":"count/min"},"#
        + #""zones":{"of":"reserve","parts":[0.5,0.6,0.7]},"units":{"bodyMass":"lb"}},"bob":{}}}"#
    private static let words = [
        "{", "}", "[", "]", ":", ",", "\"", "null", "1e999", "-1", "0", "\"v\":2", "\"ada\"",
        "\\u0000",
        "\"1986-02-30\"", "\"9999-12-31\"", "\"since\":\"now\"", "\u{301}", "\"parts\":[]", "//",
        "D0:",
    ].map { Array($0.utf8) }

    func testAdoptedDevices() {
        check("adopted devices", Self.devices, { try? AdoptedDevices(json: $0) }, { $0.json })
    }

    func testPeople() {
        check("people", Self.people, { try? PersistedPeople(json: $0) }, { $0.json })
    }

    func testAccess() {
        let access =
            #"{"v":1,"clients":{"control:1001:dash":{"purpose":"a wall","read":{"granted":["heartRate"],"#
            + #""denied":["bodyMass"],"undecided":["stepCount"],"others":"denied"},"#
            + #""share":{"others":"granted"}},"http:-:b":{}}}"#
        check("access", access, { try? AccessFile.Content(json: $0) }, { $0.json })
    }

    private func check<Value: Equatable>(
        _ name: String, _ text: String, _ read: (String) -> Value?, _ write: (Value) -> String
    ) {
        XCTAssertEqual(
            FuzzRun.roundTrips(
                name, inputs: 2_000, of: text, words: Self.words, read: read, write: write), [])
    }

    func testLockFile_ofAnyContent_namesAnOwner() throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let lock = try DataDirectoryLock(folder)
        var run = FuzzRun("lock files", inputs: 500)
        while var random = run.next() {
            var bytes = Array("4711\nstopping\n".utf8)
            for _ in 0...2 { random.mutate(&bytes, words: Self.words + [Array("stopping\n".utf8)]) }
            // In place: the lock is on this file.
            let file = open(temporary.path(DataFiles.lock), O_WRONLY | O_TRUNC | O_CLOEXEC)
            XCTAssertEqual(write(file, bytes, bytes.count), bytes.count)
            close(file)
            let owner = DataDirectoryLock.owner(of: folder)
            run.expect(owner != nil && (owner?.utf8.count ?? 0) < 100, "\(owner ?? "no owner")")
            _ = DataDirectoryLock.isStopping(folder)
        }
        XCTAssertEqual(run.finish(), [])
        withExtendedLifetime(lock) {}
    }
}
