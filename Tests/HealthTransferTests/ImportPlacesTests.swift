import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import SQLiteStore
import Terminal
import XCTest

@testable import GatewayHost
@testable import HealthTransfer
@testable import Platform

final class ImportPlacesTests: XCTestCase {
    private let clock = ManualClock()

    private func places(_ folder: TemporaryFolder) -> ImportPlaces {
        ImportPlaces(folder: DataDirectory(path: folder.path), clock: clock)
    }

    private func place(_ path: String, at seconds: Int64, offset: Int = 7) -> ImportPlace {
        ImportPlace(
            path: path, size: 10, modified: Instant(nanosecondsSince1970: 123_456_789),
            person: "ada", place: FilePlace(headCount: 3, offset: offset, line: 2), anchor: nil,
            at: Instant(nanosecondsSince1970: seconds * 1_000_000_000))
    }

    func testPlaces_areKeptUntilRemoved_andTheOldestIsForgotten() async throws {
        let folder = try TemporaryFolder()
        let places = places(folder)
        XCTAssertNil(try places.place(of: "/a"))
        try await places.set(nil, of: "/a")
        for number in 0...ImportPlaces.maximumCount {
            let path = "/\(number)"
            try await places.set(place(path, at: Int64(number)), of: path)
            XCTAssertEqual(try places.place(of: path), place(path, at: Int64(number)))
        }
        XCTAssertNil(try places.place(of: "/0"))
        XCTAssertNotNil(try places.place(of: "/1"))
        try await places.set(nil, of: "/1")
        XCTAssertNil(try places.place(of: "/1"))
    }

    /// A file that a client has sent is removed when its import ends, however that ends.
    func testPlaceOfAnUpload_isNotKept_andEarlierOnesAreForgotten() async throws {
        let folder = try TemporaryFolder()
        let resolved = try XCTUnwrap(realpath(folder.path, nil))
        defer { free(resolved) }
        let upload = String(cString: resolved) + "/uploads/abc"
        let places = places(folder)
        try await places.set(place("/a", at: 1), of: "/a")
        let path = folder.path("imports.json")
        let own = try String(contentsOfFile: path, encoding: .utf8)
        for number in 0..<3 {
            try await places.set(place(upload, at: Int64(number)), of: upload)
        }
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), own)

        // An earlier version has kept it.
        let earlier = own.replacing("\"/a\":", with: "\"\(upload)\":")
        try earlier.write(toFile: path, atomically: true, encoding: .utf8)
        XCTAssertNotNil(try places.place(of: upload))
        try await places.removeUploads()
        XCTAssertNil(try places.place(of: upload))
        try await places.set(place("/a", at: 1), of: "/a")
        try await places.removeUploads()
        XCTAssertNotNil(try places.place(of: "/a"))
    }

    func testAPlaceOutsideTheFile_isRefused() async throws {
        let folder = try TemporaryFolder()
        let places = places(folder)
        try await places.set(place("/a", at: 1), of: "/a")
        let path = folder.path("imports.json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for (old, new) in [
            ("\"offset\":7", "\"offset\":11"), ("\"head\":3", "\"head\":8"),
            ("\"line\":2", "\"line\":-1"), ("\"size\":10", "\"size\":1.5"),
            ("1970", "nineteen"),
        ] {
            XCTAssertTrue(text.contains(old), text)
            try text.replacing(old, with: new).write(
                toFile: path, atomically: true, encoding: .utf8)
            XCTAssertThrowsError(try places.place(of: "/a"), new) {
                XCTAssertTrue("\($0)".contains("remove the file"), "\($0)")
            }
        }
    }

    /// A load of another process left a place: only the rest is read, unless the file or the person is
    /// another one.
    func testALoad_continuesAtThePlace_ofTheSameFileAndPerson() async throws {
        let records = try RecordFiles.samples().map { Record.sample($0) }
        for format in RecordFiles.formats {
            let folder = try TemporaryFolder()
            let places = places(folder)
            let path = folder.path("file")
            let store = try SQLiteStore(path: folder.path("ada.sqlite"))
            let bytes = RecordFiles.bytes(format, records)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            var reader = try RecordFiles.reader(format, bytes, isLast: true)
            XCTAssertEqual(try reader.records(limit: 4).count, 4)
            let pieces = try FilePieces(path)
            var keeper = try ImportPlaceKeeper(places, path: path, person: "ada", pieces)
            try await keeper.keep(reader.place, in: store)
            XCTAssertNil(try keeper.place(), "the first moment of an import is not kept")
            clock.advance(seconds: 0.5)
            try await keeper.keep(reader.place, in: store)
            let early = try keeper.place()?.at
            XCTAssertNotNil(early)
            clock.advance(seconds: 1.9)
            try await keeper.keep(reader.place, in: store)
            XCTAssertEqual(try keeper.place()?.at, early, "a later place is kept after a pause")
            clock.advance(seconds: 0.1)
            try await keeper.keep(reader.place, in: store)
            XCTAssertNotEqual(try keeper.place()?.at, early)

            let other = try await load(path, format, person: "bob", places, folder)
            XCTAssertNil(other.continuedAt)
            XCTAssertEqual(other.outcome.stored + other.outcome.alreadyStored, 10)
            try await keeper.keep(nil, in: store)
            clock.advance(seconds: 3)
            try await keeper.keep(reader.place, in: store)
            let same = try await load(path, format, person: "ada", places, folder)
            XCTAssertNotNil(same.continuedAt)
            XCTAssertEqual(same.outcome.stored + same.outcome.alreadyStored, 6, "\(format)")
            XCTAssertNil(try keeper.place(), "the import is complete")

            clock.advance(seconds: 3)
            try await keeper.keep(reader.place, in: store)
            try Data(bytes + [10]).write(to: URL(fileURLWithPath: path))
            let changed = try await load(path, format, person: "ada", places, folder)
            XCTAssertNil(changed.continuedAt)
            XCTAssertEqual(changed.outcome.stored + changed.outcome.alreadyStored, 10)
        }
    }

    /// Only the first of two imports of a file keeps its place and continues there.
    func testASecondImport_ofAFileThatIsBeingImported_startsAtItsBeginning() async throws {
        let folder = try TemporaryFolder()
        let places = places(folder)
        let path = folder.path("file")
        let store = try SQLiteStore(path: folder.path("ada.sqlite"))
        let records = try RecordFiles.samples().map { Record.sample($0) }
        let bytes = RecordFiles.bytes(.recordLines, records)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var reader = try RecordFiles.reader(.recordLines, bytes, isLast: true)
        XCTAssertEqual(try reader.records(limit: 4).count, 4)
        let first = try FilePieces(path)
        XCTAssertTrue(first.lockUnlessHeld())
        var keeper = try ImportPlaceKeeper(places, path: path, person: "ada", first)
        clock.advance(seconds: 3)
        try await keeper.keep(reader.place, in: store)
        let second = try await load(path, .recordLines, person: "ada", places, folder)
        XCTAssertNil(second.continuedAt)
        XCTAssertEqual(second.outcome.stored, 10)
        XCTAssertNotNil(try keeper.place(), "it is that of the first import")
    }

    /// The store was removed by hand, or replaced by a copy from before the import.
    func testAPlace_inAnotherStoreOrALaterState_isNotUsed() async throws {
        let folder = try TemporaryFolder()
        let places = places(folder)
        let path = folder.path("file")
        let records = try RecordFiles.samples().map { Record.sample($0) }
        let bytes = RecordFiles.bytes(.recordLines, records)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let old = try SQLiteStore(path: folder.path("old.sqlite"))
        try Data(contentsOf: URL(fileURLWithPath: folder.path("old.sqlite")))
            .write(to: URL(fileURLWithPath: folder.path("ada.sqlite")))
        _ = try await old.save(Array(records[..<4]))
        let other = try SQLiteStore(path: folder.path("other.sqlite"))
        for store in [old, other] {
            var reader = try RecordFiles.reader(.recordLines, bytes, isLast: true)
            XCTAssertEqual(try reader.records(limit: 4).count, 4)
            var keeper = try ImportPlaceKeeper(
                places, path: path, person: "ada", try FilePieces(path))
            clock.advance(seconds: 3)
            try await keeper.keep(reader.place, in: store)
            XCTAssertNotNil(try keeper.place())
            let load = try await load(path, .recordLines, person: "ada", places, folder)
            XCTAssertNil(load.continuedAt)
            XCTAssertEqual(load.outcome.stored + load.outcome.alreadyStored, 10)
        }
    }

    func testAContinuedImport_saysThatItCountsTheRest() async throws {
        let folder = try TemporaryFolder()
        let places = places(folder)
        let path = folder.path("file")
        let store = try SQLiteStore(path: folder.path("ada.sqlite"))
        let records = try RecordFiles.samples().map { Record.sample($0) }
        let bytes = RecordFiles.bytes(.recordLines, records) + Array("wrong\n".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var reader = try RecordFiles.reader(.recordLines, bytes, isLast: true)
        XCTAssertEqual(try reader.records(limit: 4).count, 4)
        var keeper = try ImportPlaceKeeper(
            places, path: path, person: "ada", try FilePieces(path))
        clock.advance(seconds: 3)
        try await keeper.keep(reader.place, in: store)
        let rest = try await load(path, .recordLines, person: "ada", places, folder)
        XCTAssertEqual(
            rest.summary, "imported 6 records of the rest of the file, 0 were already in the store")
        XCTAssertTrue(
            rest.omissions.first?.hasPrefix("of the rest of the file, left out: 1 line, ") ?? false,
            "\(rest.omissions)")
        let again = try await load(path, .recordLines, person: "ada", places, folder)
        XCTAssertEqual(again.summary, "imported 4 records, 6 were already in the store")
        XCTAssertTrue(
            again.omissions.first?.hasPrefix("left out: 1 line, ") ?? false, "\(again.omissions)")
    }

    private func load(
        _ path: String, _ format: ImportFormat, person: String, _ places: ImportPlaces,
        _ folder: TemporaryFolder
    ) async throws -> HealthLoad {
        let store = try SQLiteStore(path: folder.path("\(person).sqlite"))
        let context = HealthLoad.Context(
            person: person, types: .standard, now: RecordFiles.now, calendar: .utc,
            places: places
        ) { store }
        var load = try await HealthLoad(
            path, format: format, context,
            progress: ProgressLine(Environment(variables: [:]), clock: clock))
        let failure = await load.run()
        XCTAssertNil(failure)
        return load
    }
}
