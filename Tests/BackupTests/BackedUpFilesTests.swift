import GatewayHost
import GatewayTesting
import Glibc
import XCTest

@testable import Backup

/// Tests of the files that a backup does not replace.
final class BackedUpFilesTests: XCTestCase {
    private func makeHome() throws -> (home: TestHome, files: BackedUpFiles) {
        let home = try TestHome()
        for name in [
            "data/pulsegate/lock", "data/pulsegate/secrets/token", "data/pulsegate/devices.json",
            "disk/own", "disk/own-wal", "config.json5",
        ] {
            try home.write(name, "text")
        }
        return (
            home,
            BackedUpFiles(
                in: home.data, store: home.folder.path("disk/own"),
                configuration: home.folder.path("config.json5"))
        )
    }

    func testWhatIsBackedUp_isRefused_byEveryPath() throws {
        let (home, files) = try makeHome()
        symlink("data/pulsegate", home.folder.path("folder-link"))
        symlink("disk/own", home.folder.path("link"))
        symlink("data/pulsegate/new.tar", home.folder.path("dangling"))
        link(home.folder.path("disk/own"), home.folder.path("hard-link"))
        for name in [
            "data/pulsegate/lock", "data/pulsegate/secrets/token", "data/pulsegate/devices.json",
            "data/pulsegate/new.tar", "data/pulsegate", "data/none/../pulsegate/lock",
            "folder-link/lock", "folder-link/secrets/new.tar", "link", "dangling", "hard-link",
            "disk/own", "disk/own-wal", "disk/own-shm", "disk/../disk/own", "config.json5",
        ] {
            let path = home.folder.path(name)
            let target = try XCTUnwrap(OutputFile.resolved(path))
            XCTAssertThrowsError(try files.refuse(target, named: path), name) { error in
                XCTAssertTrue(
                    "\(error)".contains("\(path) is part of what is backed up; choose"), "\(error)")
            }
        }
    }

    func testOtherFiles_areNot() throws {
        let (home, files) = try makeHome()
        symlink("disk/backup.tar", home.folder.path("link"))
        for path in [
            home.folder.path("backup.tar"), home.folder.path("disk/own.tar"),
            home.folder.path("data/pulsegate-2.tar"), home.folder.path("link"),
            home.folder.path("none/backup.tar"), "/dev/null", "backup.tar",
        ] {
            let target = try XCTUnwrap(OutputFile.resolved(path))
            XCTAssertNoThrow(try files.refuse(target, named: path), path)
        }
    }
}
