import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// After the undo of each import of a workout, in any order, the store has what the other files alone give.
final class ImportUndoOrderTests: XCTestCase {
    /// What a store has of the run.
    private struct Contents {
        var workouts: [String] = []
        var beatTimes: [Instant] = []
        var sums: [Double] = []
        var totals: [Double] = []
    }

    /// The files: the first seconds of one run.
    private static let lengths = [300, 450, 600]
    private static let counted: [QuantityType] = [.activeEnergyBurned, .distanceWalkingRunning]

    private func contents(_ home: Home) async throws -> Contents {
        var contents = Contents()
        for workout in try await home.workouts() {
            contents.workouts.append("\(workout.activity.name) \(workout.start) \(workout.end)")
            for total in workout.totals where Self.counted.contains(total.type) {
                contents.totals.append(try XCTUnwrap(total.sum).value(in: total.type.canonicalUnit))
            }
        }
        contents.beatTimes = try await home.samples(of: .heartRate).map(\.start).sorted()
        for type in Self.counted {
            let samples = try await home.samples(of: type)
            contents.sums.append(
                try samples.reduce(0) { try $0 + $1.quantity.value(in: type.canonicalUnit) })
        }
        return contents
    }

    private func assertEqual(
        _ found: Contents, _ expected: Contents, _ story: String, line: UInt = #line
    ) {
        XCTAssertEqual(found.workouts, expected.workouts, story, line: line)
        XCTAssertEqual(found.beatTimes, expected.beatTimes, story, line: line)
        XCTAssertEqual(found.totals.count, expected.totals.count, story, line: line)
        for (found, expected) in zip(found.sums + found.totals, expected.sums + expected.totals) {
            // Files have whole units, which a part rounds in other places.
            XCTAssertEqual(found, expected, accuracy: 4 + expected * 0.005, story, line: line)
        }
    }

    private func run(_ home: Home, _ words: String...) async throws {
        let outcome = try await home.run(words)
        XCTAssertEqual(outcome.ending, .exited(0), "\(words): \(outcome.error)")
    }

    private func write(_ lengths: [Int], into home: Home) throws -> [Int: String] {
        var paths: [Int: String] = [:]
        for length in lengths {
            let name = "run-\(length).tcx"
            try home.folder.write(Array(TCXRun(seconds: length).text.utf8), to: name)
            paths[length] = home.folder.path(name)
        }
        return paths
    }

    func testUndo_inAnyOrder_leavesWhatTheOtherFilesAloneGive() async throws {
        var alone: [[Int]: Contents] = [[]: Contents()]
        for lengths in Self.lengths.subsets where !lengths.isEmpty {
            let home = try Home()
            for path in try write(lengths, into: home).sorted(by: { $0.key < $1.key }) {
                try await run(home, "import", path.value)
            }
            alone[lengths] = try await contents(home)
        }
        for (imports, undos) in Self.stories {
            let home = try Home()
            let paths = try write(imports, into: home)
            for length in imports { try await run(home, "import", try XCTUnwrap(paths[length])) }
            for (count, length) in undos.enumerated() {
                let path = try XCTUnwrap(paths[length])
                try await run(home, "delete", "import", path, "--yes")
                let left = undos.dropFirst(count + 1).sorted()
                assertEqual(
                    try await contents(home), try XCTUnwrap(alone[left]),
                    "imports \(imports), undos \(undos.prefix(count + 1))")
            }
        }
    }

    func testPreview_ofAFileWhoseWorkoutAnotherHasToo_saysWhatStays() async throws {
        let home = try Home()
        let paths = try write([300, 600], into: home)
        for length in [300, 600] { try await run(home, "import", try XCTUnwrap(paths[length])) }
        let words = "was imported from another file too; it stays as that has it, with "
        for (length, deletesNothing) in [(300, true), (600, false)] {
            let path = try XCTUnwrap(paths[length])
            let outcome = try await home.run("delete", "import", path, "--dry-run")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertTrue(outcome.error.contains(words), outcome.error)
            let isNothing = outcome.error.contains(" 0 records would be deleted")
            XCTAssertEqual(isNothing, deletesNothing, outcome.error)
        }
        assertEqual(try await contents(home), try await contents(of: 600), "dry run")
    }

    func testUndo_ofOnePerson_orOfAnotherContent_leavesTheOtherWorkoutsOfThePath() async throws {
        let home = try Home()
        try home.configure("{ people: { ada: {}, bob: {} } }")
        let path = try XCTUnwrap(write([600], into: home)[600])
        for person in ["ada", "bob"] { try await run(home, "import", path, "--person", person) }
        try await run(home, "delete", "import", path, "--person", "ada", "--yes")
        assertEqual(try await contents(home), try await contents(of: 600), "of bob")

        // The next activity, downloaded under the same name.
        try home.folder.write(Array(TCXRun(seconds: 300, day: 21).text.utf8), to: "run-600.tcx")
        try await run(home, "import", path, "--person", "bob")
        try await run(home, "delete", "import", path, "--person", "bob", "--yes")
        assertEqual(try await contents(home), try await contents(of: 600), "the day before")
    }

    func testUndo_ofAFileThatHasGrown_deletesAllThatItsImportsHaveStored() async throws {
        let home = try Home()
        let path = try XCTUnwrap(write([600], into: home)[600])
        for seconds in [300, 600, 450] {
            try home.folder.write(Array(TCXRun(seconds: seconds).text.utf8), to: "run-600.tcx")
            try await run(home, "import", path)
        }
        try await run(home, "delete", "import", path, "--yes")
        assertEqual(try await contents(home), Contents(sums: [0, 0]), "all contents")
    }

    /// A file without values changes nothing, so the start remains that of the gateway, with its fraction.
    func testUndo_besideAFileThatAddedNothing_leavesTheStartAsItWas() async throws {
        let home = try Home()
        let workout =
            #"{"kind":"workout","activity":"running","start":"2026-11-20T08:00:00.25Z","#
            + #""end":"2026-11-20T08:10:00Z"}"#
        try home.folder.write(Array(workout.utf8), to: "gateway.ndjson")
        let path = try XCTUnwrap(write([600], into: home)[600])
        let values = "<(HeartRateBpm|DistanceMeters|Calories)>.*?</\\1>"
        let bare = TCXRun(seconds: 600).text.replacingOccurrences(
            of: values, with: "", options: .regularExpression)
        try home.folder.write(Array(bare.utf8), to: "bare.tcx")
        for name in ["gateway.ndjson", "bare.tcx"] {
            try await run(home, "import", home.folder.path(name))
        }
        let before = try await contents(home)
        try await run(home, "import", path)
        try await run(home, "delete", "import", path, "--yes")
        assertEqual(try await contents(home), before, "a file without values")
    }

    func testUndo_thatIsRepeated_leavesTheOtherFile() async throws {
        let home = try Home()
        let paths = try write([300, 600], into: home)
        for length in [300, 600] { try await run(home, "import", try XCTUnwrap(paths[length])) }
        for _ in 0..<2 {
            let path = try XCTUnwrap(paths[300])
            _ = try await home.run("delete", "import", path, "--yes")
        }
        assertEqual(try await contents(home), try await contents(of: 600), "twice")
    }

    func testUndo_amongSamplesOfAnImportAround_isTheSame() async throws {
        let home = try Home()
        let table = "type,start,value\nbodyMass,2026-01-01T08:00:00Z,70\n"
        let rows = table + "bodyMass,2026-11-27T08:00:00Z,71\n"
        try home.folder.write(Array(rows.utf8), to: "masses.csv")
        try await run(home, "import", home.folder.path("masses.csv"))
        let paths = try write([300, 600], into: home)
        for length in [300, 600] { try await run(home, "import", try XCTUnwrap(paths[length])) }
        try await run(home, "delete", "import", try XCTUnwrap(paths[600]), "--yes")
        assertEqual(try await contents(home), try await contents(of: 300), "the first")
        try await run(home, "delete", "import", try XCTUnwrap(paths[300]), "--yes")
        assertEqual(try await contents(home), Contents(sums: [0, 0]), "none")
    }

    private func contents(of length: Int) async throws -> Contents {
        let home = try Home()
        try await run(home, "import", try XCTUnwrap(write([length], into: home)[length]))
        return try await contents(home)
    }

    /// All orders of two files, and each order of three with another order of undos.
    private static var stories: [(imports: [Int], undos: [Int])] {
        let pairs = [[300, 600], [600, 300]]
        let orders = lengths.permutations
        return pairs.flatMap { imports in pairs.map { (imports, $0) } }
            + orders.indices.map { (orders[$0], orders[($0 * 5 + 1) % orders.count]) }
    }
}

extension [Int] {
    fileprivate var subsets: [[Int]] {
        reduce([[]]) { subsets, element in subsets + subsets.map { $0 + [element] } }
    }

    fileprivate var permutations: [[Int]] {
        guard count > 1 else { return [self] }
        return flatMap { first in filter { $0 != first }.permutations.map { [first] + $0 } }
    }
}
