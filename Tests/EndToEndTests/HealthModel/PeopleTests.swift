import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import XCTest

/// `people`: what is known of those whose samples are kept.
final class PeopleTests: XCTestCase {
    private func people(_ home: Home) async throws -> [[String: Any]] {
        let outcome = try await home.run("people", "list", "--json")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try XCTUnwrap((object as? [String: Any])?["people"] as? [[String: Any]])
    }

    func testSet_keepsWhatIsGiven_andLeavesTheRest() async throws {
        let home = try Home()
        for words in [
            ["--birth-date", "1986-02-14", "--units", "bodyMass=lb,height=in"],
            ["--sex", "female", "--maximum-heart-rate", "188"],
            ["--zones", "reserve:60,70,80,90", "--units", "height=none"],
        ] {
            let outcome = try await home.run(["people", "set", "ada"] + words)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        let people = try await people(home)
        XCTAssertEqual(people.map { $0["name"] as? String }, ["ada", "me"])
        XCTAssertEqual(people[0]["birthDate"] as? String, "1986-02-14")
        XCTAssertEqual(people[0]["sex"] as? String, "female")
        XCTAssertEqual(people[0]["units"] as? [String: String], ["bodyMass": "lb"])
        let zones = try XCTUnwrap(people[0]["zones"] as? [String: Any])
        XCTAssertEqual(zones["of"] as? String, "reserve")
        XCTAssertEqual(zones["parts"] as? [Double], [0.6, 0.7, 0.8, 0.9])
        _ = try await home.run("people", "set", "ada", "--sex", "none", "--zones", "none")
        let changed = try await self.people(home)
        XCTAssertNil(changed[0]["sex"])
        XCTAssertNil(changed[0]["zones"])
        XCTAssertEqual(changed[0]["birthDate"] as? String, "1986-02-14")
    }

    func testCharacteristics_areStored_listedAndRemoved() async throws {
        let home = try Home()
        let set = try await home.run(
            "people", "set", "ada", "--blood-type", "A+", "--skin-type", "III",
            "--wheelchair-use=no", "--move-mode", "activeEnergy")
        XCTAssertEqual(set.ending, .exited(0), set.error)
        let expected = [
            "bloodType": "A+", "skinType": "III", "wheelchairUse": "no",
            "moveMode": "activeEnergy",
        ]
        let listed = try await people(home)
        for (key, value) in expected { XCTAssertEqual(listed[0][key] as? String, value) }
        let table = try await home.run("people", "show", "ada")
        let lines = table.output.split(separator: "\n")
        XCTAssertTrue(
            lines[0].contains("BLOOD TYPE  SKIN TYPE  WHEELCHAIR  MOVE MODE"), table.output)
        XCTAssertTrue(lines[1].contains("activeEnergy"), table.output)

        _ = try await home.run("people", "set", "ada", "--blood-type", "none")
        let left = try await people(home)
        XCTAssertNil(left[0]["bloodType"])
        XCTAssertEqual(left[0]["skinType"] as? String, "III")
    }

    func testUnknownCharacteristic_isRejectedWithTheKnownWords() async throws {
        let home = try Home()
        let cases = [
            (["--blood-type", "C"], "--blood-type: unknown value `C`; known: A+, A-, B+"),
            (["--blood-type", "ab-"], "did you mean `AB-`?"),
            (["--skin-type", "7"], "known: I, II, III, IV, V, VI, none"),
            (["--wheelchair-use", "maybe"], "known: no, yes, none"),
            (["--move-mode", "activeEnergi"], "did you mean `activeEnergy`?"),
        ]
        for (words, expected) in cases {
            let outcome = try await home.run(["people", "set", "ada"] + words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertTrue(outcome.error.contains(expected), outcome.error)
        }
    }

    func testCharacteristicsOfTheConfiguration_win_andAreChecked() async throws {
        let home = try Home()
        try home.configure("{ people: { ada: { bloodType: 'O-', wheelchairUse: 'yes' } } }")
        let refused = try await home.run("people", "set", "ada", "--blood-type", "A+")
        XCTAssertEqual(refused.ending, .exited(1))
        XCTAssertTrue(refused.error.contains("people.ada.bloodType"), refused.error)
        let listed = try await people(home)
        XCTAssertEqual(listed[0]["bloodType"] as? String, "O-")
        XCTAssertEqual(listed[0]["wheelchairUse"] as? String, "yes")
        try home.configure("{ people: { ada: { bloodType: 'notSet' } } }")
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(78))
        XCTAssertTrue(
            check.error.contains("people.ada.bloodType: unknown value `notSet`"), check.error)
    }

    func testConfiguration_wins() async throws {
        let home = try Home()
        try home.configure("{ people: { ada: { sex: \"female\" } } }")
        let refused = try await home.run("people", "set", "ada", "--sex", "male")
        XCTAssertEqual(refused.ending, .exited(1))
        XCTAssertTrue(refused.error.contains("people.ada.sex"), refused.error)
        let same = try await home.run(
            "people", "set", "ada", "--sex", "female", "--birth-date", "1986-02-14")
        XCTAssertEqual(same.ending, .exited(0), same.error)
        let people = try await people(home)
        XCTAssertEqual(people.count, 1)
        XCTAssertEqual(people[0]["sex"] as? String, "female")
        XCTAssertEqual(people[0]["birthDate"] as? String, "1986-02-14")
    }

    func testSetPerson_canBeBound_andTheConfigurationsDevicesAreStillTheirs() async throws {
        let home = try Home()
        _ = try await home.run("people", "set", "ada")
        let adopted = try await home.run(
            "adopt", "D0:11:22:33:44:55", "--person", "ada")
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(0), check.error)
    }

    func testRemovedPerson_isNotAskedForAgain() async throws {
        let home = try Home()
        _ = try await home.run("people", "set", "bob", "--sex", "male")
        let added = try await home.run("add", "bodyMass", "70", "kg", "--person", "bob")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        let asked = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(asked.ending, .exited(64))
        let removed = try await home.run("people", "remove", "bob")
        XCTAssertEqual(removed.ending, .exited(0), removed.error)
        XCTAssertEqual(
            removed.output, "bob: removed; the records of this person stay in the store\n")
        let done = try await home.run("add", "bodyMass", "71", "kg")
        XCTAssertEqual(done.ending, .exited(0), done.error)
        let samples = try await home.samples(of: .bodyMass)
        XCTAssertEqual(Set(samples.map(\.person)), ["bob", "me"])
        let again = try await home.run("people", "remove", "bob")
        XCTAssertEqual(again.ending, .exited(64))
        XCTAssertTrue(again.error.contains("unknown person `bob`; known: me"), again.error)
    }

    func testDefault_isUsedWhereNoPersonIsGiven() async throws {
        let home = try Home()
        _ = try await home.run("people", "set", "ada")
        let unset = try await home.run("people", "default")
        XCTAssertEqual(unset.output, "")
        XCTAssertTrue(unset.error.contains("no default person is set"), unset.error)
        let set = try await home.run("people", "default", "ada")
        XCTAssertEqual(set.ending, .exited(0), set.error)
        XCTAssertEqual(set.output, "ada is the default person\n")
        let shown = try await home.run("people", "default")
        XCTAssertEqual(shown.output, "ada\n")
        for words in [["70", "kg"], ["71", "kg", "--person", "me"]] {
            let added = try await home.run(["add", "bodyMass"] + words)
            XCTAssertEqual(added.ending, .exited(0), added.error)
        }
        let samples = try await home.samples(of: .bodyMass)
        XCTAssertEqual(samples.map(\.person), ["ada", "me"])
        let statistics = try await home.run(
            "statistics", "bodyMass", "--format", "csv")
        XCTAssertTrue(statistics.output.contains(",1,,70,70,70,70,"), statistics.output)
        let table = try await home.run("people", "list")
        let lines = table.output.split(separator: "\n").map { $0.split(separator: " ") }
        XCTAssertEqual(lines[0].prefix(2), ["NAME", "DEFAULT"])
        XCTAssertEqual(lines[1].prefix(2), ["ada", "yes"])
        XCTAssertEqual(lines[2].prefix(2), ["me", "-"])

        let removed = try await home.run("people", "remove", "ada")
        XCTAssertTrue(removed.error.contains("ada was the default person"), removed.error)
        _ = try await home.run("people", "set", "bob")
        let asked = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(asked.ending, .exited(64))
        _ = try await home.run("people", "default", "bob")
        let none = try await home.run("people", "default", "--none")
        XCTAssertEqual(none.output, "no default person is set\n")
        let again = try await home.run("people", "default", "--none")
        XCTAssertEqual(again.output, "no default person is set: nothing has changed\n")
    }

    func testDefault_whomTheConfigurationNoLongerHas_isReported() async throws {
        let home = try Home()
        try home.configure("{ people: { ada: {}, bob: {}, eve: {} } }")
        _ = try await home.run("people", "default", "eve")
        try home.configure("{ people: { ada: {}, bob: {} } }")
        let asked = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(asked.ending, .exited(64))
        XCTAssertTrue(
            asked.error.contains("the default person `eve` no longer exists"), asked.error)
        let shown = try await home.run("people", "default")
        XCTAssertTrue(shown.error.contains("eve no longer exists"), shown.error)
        let listed = try await home.run("people", "list", "--json")
        XCTAssertFalse(listed.output.contains("default"), listed.output)
    }

    func testDefault_ofWrongWords_isAUsageError_andMakesNothing() async throws {
        let home = try Home()
        let cases = [
            (["default", "mee"], "unknown person `mee`; did you mean `me`?"),
            (["default", "me", "--none"], "NAME and --none exclude each other"),
            (["default", "me", "--sex", "male"], "--sex is valid only for `people set`"),
            (["default", "me", "--json"], "--json is valid only for"),
            (["list", "--none"], "--none is valid only for `people default`"),
            (["defualt", "me"], "did you mean `default`?"),
        ]
        for (words, expected) in cases {
            let outcome = try await home.run(["people"] + words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertTrue(outcome.error.contains(expected), outcome.error)
        }
        XCTAssertNotEqual(access(home.dataDirectory, F_OK), 0, "nothing is made")
    }

    func testRemove_refusesWhatOnlySetAccepts() async throws {
        let home = try Home()
        for words in [["remove"], ["remove", "me", "--sex", "male"], ["remove", "me", "--json"]] {
            let outcome = try await home.run(["people"] + words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
        }
        let nothing = try await home.run("people", "remove", "me")
        XCTAssertEqual(nothing.ending, .exited(1))
        XCTAssertTrue(nothing.error.contains("no facts about me are stored"), nothing.error)
    }

    func testSet_ofAKnownPersonWithoutOptions_isAUsageErrorThatNamesThem() async throws {
        let home = try Home()
        let outcome = try await home.run("people", "set", "me")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertTrue(outcome.error.contains("--birth-date, "), outcome.error)
        let new = try await home.run("people", "set", "ada")
        XCTAssertEqual(new.ending, .exited(0), new.error)
    }

    func testSingleBound_isNotAZone() async throws {
        let home = try Home()
        let outcome = try await home.run("people", "set", "me", "--zones", "50")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertTrue(outcome.error.contains("expected 2 to 20 ascending"), outcome.error)
        try home.configure("{ people: { me: { zones: { parts: [0.5] } } } }")
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(78))
        XCTAssertTrue(check.error.contains("expected 2 to 20 parts"), check.error)
    }

    func testManyAtOnce_loseNothing() async throws {
        let home = try Home()
        try await withThrowingTaskGroup(of: Home.Outcome.self) { group in
            for number in 0..<12 {
                group.addTask {
                    try await home.run("people", "set", "p\(number)", "--sex", "other")
                }
            }
            for try await outcome in group {
                XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            }
        }
        let people = try await people(home)
        XCTAssertEqual(people.count, 13)
    }

    func testDamagedFile_isReported_andLeftAsItIs() async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate")
        let text = "{\"v\":1,\"people\":{\"ada\":{\"sexx\":\"female\"}}}"
        try home.folder.write(Array(text.utf8), to: "data/pulsegate/people.json")
        for words in [
            ["people", "list"], ["people", "set", "bob"], ["add", "bodyMass", "81", "kg"],
        ] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(78), "\(words)")
            XCTAssertTrue(outcome.error.contains("people.ada.sexx"), outcome.error)
        }
    }

    func testPreferredUnits_areThoseOfTables_andNotOfPrograms() async throws {
        let home = try Home()
        _ = try await home.run("people", "set", "me", "--units", "bodyMass=lb")
        _ = try await home.run("add", "bodyMass", "70", "kg")
        let table = try await home.run("query", "bodyMass")
        XCTAssertTrue(table.output.contains(" 154.32 lb"), table.output)
        let csv = try await home.run("query", "bodyMass", "--format", "csv")
        XCTAssertTrue(csv.output.contains(",70,kg,"), csv.output)
    }

    /// A type that only an earlier configuration declared is in nobody's way.
    func testUnitOfATypeThatIsGone_isLeftAside() async throws {
        let home = try Home()
        try home.configure(
            "{ types: { temp: { aggregationStyle: \"discreteArithmetic\", unit: \"degC\" } } }")
        _ = try await home.run("people", "set", "me", "--units", "temp=degF,bodyMass=lb")
        try home.configure("{}")
        let outcome = try await home.run("people", "list")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.contains("bodyMass in lb"), outcome.output)
    }

    func testShow_reportsTheZones_orWhatIsMissingForThem() async throws {
        let home = try Home()
        let unknown = try await home.run("people", "show", "me")
        XCTAssertTrue(unknown.output.contains("requires the person's birth date"), unknown.output)
        _ = try await home.run("people", "set", "me", "--maximum-heart-rate", "200")
        let known = try await home.run("people", "show", "me")
        XCTAssertTrue(
            known.output.contains("1 from 100, 2 from 120, 3 from 140, 4 from 160, 5 from 180"),
            known.output)
        _ = try await home.run("people", "set", "me", "--zones", "reserve:50,90")
        let reserve = try await home.run("people", "show", "me")
        XCTAssertTrue(reserve.output.contains("add restingHeartRate"), reserve.output)
        _ = try await home.run("add", "restingHeartRate", "60", "count/min")
        let both = try await home.run("people", "show", "me")
        XCTAssertTrue(both.output.contains("1 from 130"), both.output)
    }
}
