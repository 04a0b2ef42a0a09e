import GatewayHost
import GatewayTesting
import HealthModel
import HealthStore
import Platform
import SQLiteStore
import XCTest

@testable import Backup

/// Tests of a backup of everything and its restore, without a gateway.
final class RestorationTests: XCTestCase {
    /// A home with a store that has every kind of record, and with every file that is backed up.
    private func makeHome() async throws -> TestHome {
        let home = try TestHome()
        try home.write("config/pulsegate/pulsegate.json5", "{ sinks: { store: \"sqlite\" } }\n")
        try home.write("data/pulsegate/devices.json", #"{"v":1,"devices":{}}"#)
        try home.write("data/pulsegate/people.json", #"{"v":1,"people":{"ada":{}}}"#)
        try home.write("data/pulsegate/deletions.anchor", "1.2.3\n")
        try home.write("data/pulsegate/imports.json", #"{"v":1,"imports":{}}"#)
        try home.write(
            "data/pulsegate/imports/0198f3c2-0000-8000-8000-000000000001.import", "head\nfile")
        try home.write("data/pulsegate/imports/notes.txt", "not a copy")
        try home.write("data/pulsegate/secrets/repo-token", "do-not-copy-this")
        try await EveryKind.save(in: try SQLiteStore(path: home.store))
        return home
    }

    private func backUp(
        _ home: TestHome, waiting: [String: Int64] = [:]
    ) throws -> (path: String, manifest: BackupManifest) {
        let path = home.folder.path("backup.tar")
        let output = try OutputFile(path)
        let manifest = try Backup.write(
            Backup.Request(
                configuration: try home.configuration(), folder: home.data, store: home.store,
                waiting: waiting, incompleteStore: nil,
                time: Instant(nanosecondsSince1970: 1_795_000_000_000_000_000),
                draft: "\(path).store"),
            to: { (bytes) throws(HostError) in try output.write(bytes) },
            report: { _, _, _ in })
        try output.commit()
        return (path, manifest)
    }

    private func restore(_ path: String, into home: TestHome) throws -> RestorePlan {
        let file = try BackupFile(path)
        let plan = try RestorePlan(
            try file.verify { _, _ in }, option: nil, environment: home.environment,
            types: .standard, sinkUses: ["sqlite"])
        try Restoration(of: file, by: plan) { _, _ in }.run()
        return plan
    }

    func testEverything_isRestored_andNoSecret() async throws {
        let old = try await makeHome()
        let (path, manifest) = try backUp(old)
        let new = try TestHome()
        let plan = try restore(path, into: new)
        XCTAssertEqual(try StoreDump.rows(of: new.store), try StoreDump.rows(of: old.store))
        let names = [
            "devices.json", "people.json", "deletions.anchor", "imports.json",
            "imports/0198f3c2-0000-8000-8000-000000000001.import",
        ]
        for name in names {
            XCTAssertEqual(
                try TextFile.read(new.data.resolve(name)), try TextFile.read(old.data.resolve(name))
            )
        }
        XCTAssertEqual(plan.outcome, .written(new.folder.path("config/pulsegate/pulsegate.json5")))
        XCTAssertEqual(
            try TextFile.read(new.folder.path("config/pulsegate/pulsegate.json5")),
            "{ sinks: { store: \"sqlite\" } }\n")
        XCTAssertEqual(
            try Folder.names(in: new.data.path),
            [
                "deletions.anchor", "devices.json", "health.sqlite", "imports", "imports.json",
                "lock",
                "people.json",
            ])
        XCTAssertEqual(try Folder.names(in: new.data.resolve("imports")).count, 1)
        XCTAssertEqual(manifest.secrets, ["secret: repo-token"])
        let bytes = try BinaryFile.read(path, limit: 16 << 20)
        let secret = Array("do-not-copy-this".utf8)
        XCTAssertFalse(bytes.indices.contains { bytes[$0...].starts(with: secret) })
    }

    func testRestoredStore_continuesForAFollower() async throws {
        let old = try await makeHome()
        let anchor = try await SQLiteStore(readingFrom: old.store).newestAnchor()
        let new = try TestHome()
        _ = try restore(try backUp(old).path, into: new)
        let store = SQLiteHealthStore(try SQLiteStore(path: new.store), types: .standard)
        let changes = try await store.changes(since: anchor, limit: 10)
        XCTAssertEqual(changes.added.count, 0)
    }

    func testDeletionsThatWait_areForwardedAgainAfterARestore() async throws {
        let old = try await makeHome()
        let new = try TestHome()
        _ = try restore(try backUp(old, waiting: ["repository": 3]).path, into: new)
        XCTAssertFalse(Folder.exists(new.data.resolve("deletions.anchor")))
    }

    func testDataDirectoryWithData_isNotTouched() async throws {
        let old = try await makeHome()
        let path = try backUp(old).path
        let new = try TestHome()
        try new.write("data/pulsegate/people.json", #"{"v":1,"people":{}}"#)
        XCTAssertThrowsError(try restore(path, into: new)) { error in
            let text = "\(error)"
            XCTAssertTrue(text.contains("has data already: people.json"), text)
            XCTAssertTrue(text.contains("mv \(new.data.path) "), text)
        }
        XCTAssertEqual(try Folder.names(in: new.data.path), ["lock", "people.json"])
    }

    func testRunningGateway_isRefused() async throws {
        let old = try await makeHome()
        let path = try backUp(old).path
        let new = try TestHome()
        try new.data.create()
        let lock = try DataDirectoryLock(new.data)
        XCTAssertThrowsError(try restore(path, into: new)) { error in
            XCTAssertTrue("\(error)".contains("stop it before you restore"), "\(error)")
        }
        withExtendedLifetime(lock) {}
    }

    func testAnotherConfiguration_stays() async throws {
        let old = try await makeHome()
        let new = try TestHome()
        let other = "{ sinks: { mine: \"sqlite\" } }\n"
        try new.write("config/pulsegate/pulsegate.json5", other)
        let path = new.folder.path("config/pulsegate/pulsegate.json5")
        let plan = try restore(try backUp(old).path, into: new)
        XCTAssertEqual(plan.outcome, .other(path))
        XCTAssertEqual(try TextFile.read(path), other)
        XCTAssertEqual(try StoreDump.rows(of: new.store), try StoreDump.rows(of: old.store))
    }

    func testStoreOutsideTheDataDirectory_isRestoredThere() async throws {
        let old = try await makeHome()
        let path = try backUp(old).path
        let new = try TestHome()
        let store = new.folder.path("disk.sqlite")
        try new.write(
            "config/pulsegate/pulsegate.json5",
            "{ sinks: { store: { use: \"sqlite\", path: \"\(store)\" } } }\n")
        _ = try restore(path, into: new)
        XCTAssertEqual(try StoreDump.rows(of: store), try StoreDump.rows(of: old.store))
    }

    func testWhatAGatewayHasLeftThatCouldNotStart_isNoData() async throws {
        let old = try await makeHome()
        let path = try backUp(old).path
        let new = try TestHome()
        for name in ["crash", "crashes.json", "hang.json", "lock", "control.sock"] {
            try new.write("data/pulsegate/\(name)", "")
        }
        try new.write("data/pulsegate/links/straps/D0:11:22:33:44:07", "")
        _ = try restore(path, into: new)
        XCTAssertEqual(try StoreDump.rows(of: new.store), try StoreDump.rows(of: old.store))
    }

    func testDraftsOfAKilledRestore_outsideOfTheDataDirectory_areRemoved() async throws {
        let old = try await makeHome()
        let path = try backUp(old).path
        let new = try TestHome()
        let text =
            "{ sinks: { store: { use: \"sqlite\", path: \"\(new.folder.path)/disk/own\" } } }\n"
        try new.write("config/pulsegate/pulsegate.json5", text)
        for name in ["own.restoring", "own.restoring-wal", "own.restoring.4711.new"] {
            try new.write("disk/\(name)", "a part")
        }
        try new.write("disk/own.restoring.notes", "of the user")
        _ = try restore(path, into: new)
        XCTAssertEqual(
            try Folder.names(in: new.folder.path("disk")), ["own", "own.restoring.notes"])
    }

    func testDraftsOfAKilledRestore_besideTheConfiguration_areRemoved() async throws {
        let old = try await makeHome()
        let new = try TestHome()
        try new.write("config/pulsegate/pulsegate.json5.restoring.4711.new", "a part")
        _ = try restore(try backUp(old).path, into: new)
        XCTAssertEqual(
            try Folder.names(in: new.folder.path("config/pulsegate")), ["pulsegate.json5"])
    }

    func testStoreInThePlaceOfAnotherFile_isRefused() async throws {
        for place in ["people.json", "./imports/../people.json", "lock", "."] {
            let old = try await makeHome()
            let path = try backUp(old).path
            let new = try TestHome()
            try new.write(
                "config/pulsegate/pulsegate.json5",
                "{ sinks: { store: { use: \"sqlite\", path: \"\(place)\" } } }\n")
            XCTAssertThrowsError(try restore(path, into: new), place) { error in
                XCTAssertTrue("\(error)".contains("the place of another file"), "\(error)")
            }
            XCTAssertFalse(Folder.exists(new.data.path))
        }
    }

    func testReport_namesTheStoreOutside_programs_andAccess() async throws {
        let old = try await makeHome()
        let new = try TestHome()
        let store = new.folder.path("disk.sqlite")
        try old.write(
            "config/pulsegate/pulsegate.json5",
            "{ sources: { own: { use: \"exec\", command: [\"true\"] } }, "
                + "sinks: { store: { use: \"sqlite\", path: \"\(store)\" } } }\n")
        try old.write(
            "data/pulsegate/access.json",
            #"{"v":1,"clients":{"control:1001:dashboard":{"purpose":"a dashboard"}}}"#)
        let (path, manifest) = try backUp(old)
        let plan = try restore(path, into: new)
        let text = try RestoreReport(manifest).restored(by: plan)
        for line in [
            "store: \(store)", "restored access of 1 client; see `pulsegate access list`",
            "the configuration runs programs: check it before you start the gateway: "
                + new.folder.path("config/pulsegate/pulsegate.json5"),
        ] {
            XCTAssertTrue(text.contains("\(line)\n"), text)
        }
    }

    func testReport_ofAnOrdinaryBackup_hasNoWarning() async throws {
        let (old, new) = (try await makeHome(), try TestHome())
        let (path, manifest) = try backUp(old)
        let plan = try restore(path, into: new)
        let text = try RestoreReport(manifest).restored(by: plan)
        for words in ["store:", "access of", "runs programs"] {
            XCTAssertFalse(text.contains(words), text)
        }
    }

    func testUnusableFile_isRefused_andNothingIsLeft() async throws {
        let old = try await makeHome()
        try old.write("data/pulsegate/access.json", "{ not an access table")
        let path = try backUp(old).path
        let new = try TestHome()
        XCTAssertThrowsError(try restore(path, into: new)) { error in
            XCTAssertTrue("\(error)".contains("cannot be used by this version"), "\(error)")
        }
        XCTAssertEqual(try Folder.names(in: new.data.path), ["lock"])
        XCTAssertEqual(try Folder.names(in: new.folder.path("config/pulsegate")), [])
        XCTAssertThrowsError(try tryOut(path, new)) { error in
            XCTAssertTrue("\(error)".contains("cannot be used by this version"), "\(error)")
        }
    }

    /// Verifies a backup as `restore --check` does; nothing may be left of it.
    private func tryOut(_ path: String, _ home: TestHome) throws {
        try home.write("tmp/other", "")
        defer { XCTAssertEqual(try? Folder.names(in: home.folder.path("tmp")), ["other"]) }
        let file = try BackupFile(path)
        try RestoreTrial.run(
            file, try file.verify { _, _ in },
            environment: Environment(variables: ["TMPDIR": home.folder.path("tmp")]),
            types: .standard, sinkUses: ["sqlite"]
        ) { _, _ in }
    }

    func testTrial_acceptsWhatIsRestored_andRefusesWhatIsNot() async throws {
        let old = try await makeHome()
        let path = try backUp(old).path
        XCTAssertNoThrow(try tryOut(path, old))
        var members = ExampleArchive.members.filter { $0.name != "devices.json" }
        for (text, words) in [
            ("{ sinks: [] }", "pulsegate.json5: "),
            (
                "{ sinks: { store: { use: \"sqlite\", path: \"people.json\" } } }",
                "the place of another file"
            ),
        ] {
            members[1].bytes = Array(text.utf8)
            try OutputFile.write(try ExampleArchive.bytes(members), to: path)
            XCTAssertThrowsError(try tryOut(path, old), text) { error in
                XCTAssertTrue("\(error)".contains(words), "\(error)")
            }
        }
        // Its store is no database.
        members[1].bytes = Array("{}".utf8)
        try OutputFile.write(try ExampleArchive.bytes(members), to: path)
        XCTAssertThrowsError(try tryOut(path, old)) { error in
            XCTAssertTrue("\(error)".contains("not a database"), "\(error)")
        }
    }
}
