import GatewayCore
import GatewayHost
import GatewayTesting
import Platform
import XCTest

@testable import HealthTransfer

final class PendingImportsTests: XCTestCase {
    /// A clock that ends each wait at once.
    private struct EndedWaits: BootClock {
        func now() -> BootInstant { SystemClock().now() }
        func sleep(until deadline: BootInstant) async throws {}
    }

    private var folder: TemporaryFolder!
    private var directory: DataDirectory { DataDirectory(path: folder.path("data")) }

    override func setUpWithError() throws {
        folder = try TemporaryFolder()
        try folder.write(Array("the bytes\n of a file".utf8), to: "a \n.fit")
    }

    override func tearDown() {
        folder = nil
    }

    private func file() throws -> WorkoutImportFile {
        try WorkoutImportFile(folder.path("a \n.fit"), person: "Zo\u{eb} \"x\"")
    }

    private func imports() async throws -> PendingImports {
        try await PendingImports(in: directory, clock: SystemClock())
    }

    func testABegunImport_isInterrupted_untilItEnds() async throws {
        let file = try file()
        do {
            let imports = try await imports()
            let none = try imports.interrupted()
            XCTAssertEqual(none, [])
            _ = try imports.begin(file)
            // The next begin of the same import replaces it.
            _ = try imports.begin(file)
        }
        try FileManager.default.removeItem(atPath: file.name)
        let later = try await imports()
        let found = try later.interrupted()
        XCTAssertEqual(found.map(\.person), [file.person])
        XCTAssertEqual(found.map(\.origin), [file.origin])
        XCTAssertEqual(found.map(\.name), [file.path])
        let bytes = try XCTUnwrap(found.first).pieces().next()
        XCTAssertEqual(String(decoding: bytes, as: UTF8.self), "the bytes\n of a file")
        later.end(found[0])
        XCTAssertEqual(try later.interrupted(), [])
    }

    func testTheSameFile_ofTwoPeople_isTwoImports() async throws {
        let imports = try await imports()
        for person in ["ada", "bob"] {
            _ = try imports.begin(WorkoutImportFile(folder.path("a \n.fit"), person: person))
        }
        XCTAssertEqual(Set(try imports.interrupted().map(\.person)), ["ada", "bob"])
    }

    func testIncompleteCopies_areRemoved() async throws {
        let imports = try await imports()
        for (name, text) in [
            ("0.import.17.new", "{"), ("1.import", ""), ("2.import", "{}\nabc"),
            ("3.import", String(repeating: "x", count: 100_000)),
        ] {
            try folder.write(Array(text.utf8), to: "data/imports/\(name)")
        }
        XCTAssertEqual(try imports.interrupted(), [])
        XCTAssertEqual(try Folder.names(in: folder.path("data/imports")), [])
    }

    func testOneImport_atATime() async throws {
        let none = try await PendingImports(ifFreeIn: directory, clock: SystemClock())
        XCTAssertNil(none)
        XCTAssertFalse(Folder.exists(folder.path("data")))
        var held: PendingImports? = try await imports()
        XCTAssertNotNil(held)
        let busy = try await PendingImports(ifFreeIn: directory, clock: EndedWaits())
        XCTAssertNil(busy)
        do {
            _ = try await PendingImports(in: directory, clock: EndedWaits())
            XCTFail("two imports at a time")
        } catch {
            XCTAssertTrue("\(error)".contains("another import is in progress"), "\(error)")
        }
        let waiting = Task { [directory] in
            try await PendingImports(in: directory, clock: SystemClock()).interrupted()
        }
        held = nil
        let next = try await waiting.value
        XCTAssertEqual(next, [])
    }
}
