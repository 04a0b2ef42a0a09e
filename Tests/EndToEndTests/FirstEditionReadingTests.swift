import Foundation
import GatewayTesting
import HealthModel
import SQLiteStore
import XCTest

/// What a gateway of the first edition stored is read without a gateway.
final class FirstEditionReadingTests: XCTestCase {
    // MARK: The store

    func testQuery_printsEverySampleOfEveryType() async throws {
        let old = try FirstEdition(in: Home())
        let expected = try Dictionary(grouping: FirstEdition.expectedLines("samples.ndjson")) {
            $0["type"] as? String ?? ""
        }
        XCTAssertEqual(expected.count, 12)
        for (type, samples) in expected {
            let output = try await old.output("query", type, "--format", "ndjson")
            XCTAssertEqual(try FirstEdition.lines(output), samples, type)
        }
    }

    /// No command prints these from the store.
    func testStore_hasTheEventsCategoriesAndCorrelations() async throws {
        let old = try FirstEdition(in: Home())
        var decoder = RecordDecoder()
        var expected: Set<Record> = []
        for line in try FirstEdition.expectedText("waiting.ndjson").split(separator: "\n") {
            let record = try decoder.decode(Array(line.utf8))
            switch record {
            case .event, .category, .correlation: expected.insert(record)
            default: continue
            }
        }
        let store = try SQLiteStore(readingFrom: "\(old.home.dataDirectory)/health.sqlite")
        let events = try await store.events().map { Record.event($0) }
        let sleep = try await store.categorySamples(of: .sleepAnalysis).map { Record.category($0) }
        let pressure = try await store.correlations(of: .bloodPressure)
            .map { Record.correlation($0) }
        XCTAssertEqual([sleep.count, pressure.count], [1, 1])
        XCTAssertGreaterThan(expected.count, sleep.count + pressure.count)
        XCTAssertEqual(expected.subtracting(events + sleep + pressure), [])
    }

    func testWorkouts_areListedAndShown() async throws {
        let old = try FirstEdition(in: Home())
        let list = try await old.output("workout", "list", "--format", "ndjson")
        let workouts = try FirstEdition.expectedLines("workouts.ndjson")
        XCTAssertEqual(try FirstEdition.lines(list), workouts)
        let id = try XCTUnwrap(workouts.first?["id"] as? String)
        let show = try await old.output("workout", "show", id, "--json")
        try FirstEdition.assert(
            FirstEdition.json(show), says: FirstEdition.expectedObject("workout.json"))
    }

    // MARK: People

    func testPeople_areListedAndShown() async throws {
        let old = try FirstEdition(in: Home())
        let expected = try XCTUnwrap(
            FirstEdition.json(FirstEdition.expectedText("people.json")) as? [[String: Any]])
        let list = try await old.output("people", "list", "--json")
        let object = try XCTUnwrap(FirstEdition.json(list) as? [String: Any])
        let people = try XCTUnwrap(object["people"] as? [[String: Any]])
        XCTAssertEqual(people.count, expected.count)
        for (person, expected) in zip(people, expected) {
            try FirstEdition.assert(person, says: expected)
            // Only the age depends on the present date.
            XCTAssertEqual(Set(person.keys).subtracting(["age"]), Set(expected.keys))
        }
        // The zones need the resting heart rate of the store.
        let ada = try await old.output("people", "show", "ada")
        XCTAssertTrue(ada.contains("1 from 123, 2 from 136, 3 from 149, 4 from 162"), ada)
    }

    // MARK: Devices

    func testAdoptedDevices_areSources() async throws {
        let old = try FirstEdition(in: Home())
        let check = try await old.output("check")
        for device in [
            "(bluetooth) reads D0:11:22:33:44:55", "(serial) reads /dev/ttyUSB0",
            "(rfcomm) reads 00:07:80:11:22:33",
        ] { XCTAssertTrue(check.contains(device), check) }
    }

    // MARK: Journal

    func testCheck_saysThatTheNextStartTakesTheJournalOver() async throws {
        let old = try FirstEdition(in: Home())
        let waiting = try FirstEdition.expectedLines("waiting.ndjson").count
        let check = try await old.output("check")
        let path = "\(old.home.dataDirectory)/journal.sqlite"
        XCTAssertTrue(
            check.contains(
                "note: the next start takes over \(path), the journal of an earlier version, with "
                    + "\(waiting) pending records\n"), check)
    }

    /// Adopting a device again with what is known of it changes nothing.
    func testAdoptedDevices_haveTheirPersonRoleNameAndProtocol() async throws {
        let old = try FirstEdition(in: Home())
        let path = "\(old.home.dataDirectory)/devices.json"
        let before = try String(contentsOfFile: path, encoding: .utf8)
        let known = [
            ["D0:11:22:33:44:55", "--person", "ada", "--role", "primary", "--name", "Ada's strap"],
            [
                "/dev/ttyUSB0", "--person", "bob", "--name", "Bob's shoe", "--protocol",
                #"{ use: "lines", preset: "steps", baud: 9600 }"#,
            ],
            ["00:07:80:11:22:33", "--person", "ada", "--role", "backup", "--protocol", "hxm"],
        ]
        for words in known {
            let outcome = try await old.home.run(["adopt"] + words)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), before)
        }
    }

    func testAdoptedStrap_isKnownWhenItIsFound() async throws {
        let box = try await BluetoothBox()
        let old = try FirstEdition(in: box.home)
        await box.wear("D0:11:22:33:44:55")
        let output = try await old.output("devices", "--json", "--for", "1")
        let object = try XCTUnwrap(FirstEdition.json(output) as? [String: Any])
        try FirstEdition.assert(
            (object["devices"] as? [Any])?.first,
            says: ["address": "D0:11:22:33:44:55", "adopted": true, "person": "ada"])
    }
}
