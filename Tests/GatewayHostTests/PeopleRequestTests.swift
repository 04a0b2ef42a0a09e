import GatewayCore
import GatewayTesting
import HealthStore
import SQLiteStore
import XCTest

@testable import GatewayHost
@testable import HealthModel
@testable import JSON

/// The requests `people` and `setPerson`.
final class PeopleRequestTests: XCTestCase {
    func testSetPerson_setsAndRemovesFacts_andTheGatewayKnowsThePerson() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let channel = RecordingChannel()
        try await gateway.run { service in
            for request in [
                #"{"request":"setPerson","name":"bob","sex":"male","bloodType":"A+","#
                    + #""units":{"bodyMass":"lb","height":"in"}}"#,
                #"{"request":"setPerson","name":"bob","sex":"male"}"#,
                #"{"request":"setPerson","name":"bob","bloodType":null,"units":{"height":null},"#
                    + #""maximumHeartRate":{"value":188,"unit":"count/min"},"#
                    + #""zones":{"parts":[0.5,0.75]}}"#,
                #"{"request":"people"}"#,
            ] { _ = await RequestRouter().answer(Array(request.utf8), service, channel) }
            let names = await service.peopleNames()
            XCTAssertEqual(names, ["ada", "bob"])
            _ = await RequestRouter().answer(
                Array(#"{"request":"setPerson","name":"bob","units":null,"zones":null}"#.utf8),
                service, channel)
        }
        XCTAssertEqual(
            channel.lines,
            [
                #"{"name":"bob","changed":true,"applied":true}"#,
                #"{"name":"bob","changed":false,"applied":true}"#,
                #"{"name":"bob","changed":true,"applied":true}"#,
                #"{"people":[{"name":"ada","units":{}},{"name":"bob","sex":"male","#
                    + #""maximumHeartRate":{"value":188,"unit":"count/min"},"#
                    + #""zones":{"of":"maximum","parts":[0.5,0.75]},"units":{"bodyMass":"lb"}}]}"#,
                #"{"name":"bob","changed":true,"applied":true}"#,
            ])
        let stored = gateway.text(of: "people.json")
        XCTAssertTrue(stored.contains(#""bob":{"maximumHeartRate""#), stored)
        XCTAssertFalse(stored.contains("units"), stored)
        XCTAssertFalse(stored.contains("zones"), stored)
    }

    func testWall_isAFactLikeTheOthers() async throws {
        let gateway = try HostedGateway("{ people: { ada: { wall: true }, bob: {} } }")
        let answers = try await gateway.answers(to: [
            #"{"request":"setPerson","name":"ada","wall":false}"#,
            #"{"request":"setPerson","name":"bob","wall":true}"#,
            #"{"request":"setPerson","name":"bob","wall":"yes"}"#,
            #"{"request":"people"}"#, #"{"request":"setPerson","name":"bob","wall":null}"#,
        ])
        XCTAssertTrue(answers[0].contains("the configuration wins: people.ada.wall"), answers[0])
        XCTAssertEqual(answers[1], #"{"name":"bob","changed":true,"applied":true}"#)
        XCTAssertTrue(answers[2].contains(#""key":"wall""#), answers[2])
        XCTAssertEqual(
            answers[3],
            #"{"people":[{"name":"ada","wall":true,"units":{}},"#
                + #"{"name":"bob","wall":true,"units":{}}]}"#)
        XCTAssertEqual(answers[4], #"{"name":"bob","changed":true,"applied":true}"#)
        XCTAssertFalse(gateway.text(of: "people.json").contains("wall"))
    }

    /// Programs that read the store find the characteristics there, of the start and of a change.
    func testCharacteristics_areInTheStore() async throws {
        let gateway = try HostedGateway(
            #"{ people: { ada: { sex: "female", birthDate: "1986-02-14" } } }"#)
        let channel = RecordingChannel()
        try await gateway.run { service in
            _ = await RequestRouter().answer(
                Array(#"{"request":"setPerson","name":"bob","bloodType":"A+"}"#.utf8), service,
                channel)
        }
        let path = gateway.folder.path("pulsegate/health.sqlite")
        let store = try SQLiteHealthStore(reading: path)
        let birth = try await store.dateOfBirth(of: "ada")
        XCTAssertEqual(birth, CalendarDate(year: 1986, month: 2, day: 14).map { .value($0) })
        let blood = try await store.characteristic(BloodType.self, of: "bob")
        XCTAssertEqual(blood, .value(.aPositive))
        let sex = try await store.characteristic(BiologicalSex.self, of: "bob")
        XCTAssertEqual(sex, .notSet)
        let answers = try await gateway.answers(to: [#"{"request":"removePerson","name":"bob"}"#])
        XCTAssertEqual(answers.count, 1)
        let left = try await store.characteristic(BloodType.self, of: "bob")
        XCTAssertNotEqual(left, .value(.aPositive))
    }

    /// People without characteristics create no store.
    func testNoCharacteristics_noStore() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        _ = try await gateway.answers(to: [#"{"request":"setPerson","name":"bob"}"#])
        let path = gateway.folder.path("pulsegate/health.sqlite")
        XCTAssertThrowsError(try SQLiteHealthStore(reading: path))
    }

    func testConfiguration_wins_andIsNotStoredAgain() async throws {
        let gateway = try HostedGateway(
            #"{ people: { ada: { sex: "female", units: { bodyMass: "lb" } } } }"#)
        let answers = try await gateway.answers(to: [
            #"{"request":"setPerson","name":"ada","sex":"male"}"#,
            #"{"request":"setPerson","name":"ada","sex":null}"#,
            #"{"request":"setPerson","name":"ada","units":{"bodyMass":"kg"}}"#,
            #"{"request":"setPerson","name":"ada","units":{"bodyMass":null}}"#,
            #"{"request":"setPerson","name":"ada","sex":"female","moveMode":"activeEnergy","#
                + #""units":{"bodyMass":"lb","height":"in"}}"#,
        ])
        for (answer, path) in zip(answers, ["sex", "sex", "units.bodyMass", "units.bodyMass"]) {
            let problem = "the configuration wins: people.ada.\(path) in "
            XCTAssertTrue(answer.contains(problem), answer)
        }
        XCTAssertEqual(answers[4], #"{"name":"ada","changed":true,"applied":true}"#)
        let stored = gateway.text(of: "people.json")
        XCTAssertFalse(stored.contains("female"), stored)
        XCTAssertFalse(stored.contains("bodyMass"), stored)
        XCTAssertTrue(stored.contains(#""units":{"height":"in"}"#), stored)
    }

    func testInvalidRequest_namesItsKey_andChangesNothing() async throws {
        let long = String(repeating: "x", count: 60_000)
        let cases: [(fields: String, key: String, problem: String)] = [
            ("", "", "the key `name` is missing"),
            (#","name":"a b""#, "name", "a person's name must be"),
            (#","name":"\#(long)""#, "name", "a person's name must be"),
            (#","name":null"#, "name", "expected a string"),
            (#","name":"ada","sexx":"male""#, "sexx", "did you mean `sex`?"),
            (#","name":"ada","sex":"notSet""#, "sex", "unknown value `notSet`"),
            (#","name":"ada","sex":7"#, "sex", "expected a string"),
            (#","name":"ada","birthDate":"9000-01-01""#, "birthDate", "must not be in the future"),
            (#","name":"ada","birthDate":"today""#, "birthDate", "expected a date"),
            (#","name":"ada","units":[]"#, "units", "expected an object"),
            (#","name":"ada","units":{"bodyMas":"kg"}"#, "units.bodyMas", "unknown type"),
            (#","name":"ada","units":{"bodyMas":null}"#, "units", "unknown type"),
            (
                #","name":"ada","units":{"bodyMass":"in"}"#, "units.bodyMass",
                "is not a unit of bodyMass"
            ),
            (
                #","name":"ada","maximumHeartRate":{"value":9999,"unit":"count/min"}"#,
                "maximumHeartRate.value", ""
            ),
            (#","name":"ada","zones":{"parts":[0.9,0.5]}"#, "zones.parts", "ascending"),
        ]
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let answers = try await gateway.answers(
            to: cases.map { #"{"request":"setPerson"\#($0.fields)}"# })
        XCTAssertEqual(answers.count, cases.count)
        for (answer, test) in zip(answers, cases) {
            guard case .object(let fields) = try JSONValue(json5: answer),
                case .string(let error) = fields["error"]
            else {
                XCTFail("\(test.fields): \(answer)")
                continue
            }
            XCTAssertTrue(test.problem.isEmpty || error.contains(test.problem), error)
            XCTAssertEqual(fields["key"], test.key.isEmpty ? nil : .string(test.key), error)
            XCTAssertFalse(error.contains("9999"), error)
        }
        XCTAssertEqual(gateway.text(of: "people.json"), "")
    }

    func testRemovePerson_removesTheFacts_andTheGatewayNoLongerKnowsThePerson() async throws {
        let gateway = try HostedGateway("{}")
        let answers = try await gateway.answers(to: [
            #"{"request":"setPerson","name":"ada","sex":"female"}"#,
            #"{"request":"setPerson","name":"me","sex":"male"}"#,
            #"{"request":"removePerson","name":"ada"}"#,
            #"{"request":"removePerson","name":"ada"}"#,
            #"{"request":"removePerson","name":"me"}"#,
            #"{"request":"removePerson","name":"me"}"#,
            #"{"request":"removePerson"}"#,
            #"{"request":"removePerson","name":"me","sex":null}"#,
            #"{"request":"people"}"#,
        ])
        XCTAssertTrue(
            answers[2].hasPrefix(
                #"{"removed":{"name":"ada"},"notes":["me is now the only person: "#),
            answers[2])
        XCTAssertTrue(answers[2].hasSuffix(#""],"applied":true}"#), answers[2])
        XCTAssertEqual(
            answers[3], #"{"error":"name: unknown person `ada`; known: me","key":"name"}"#)
        XCTAssertTrue(answers[4].hasPrefix(#"{"removed":{"name":"me"},"notes":["me still exists"#))
        XCTAssertTrue(answers[5].contains("no facts about me are stored"), answers[5])
        XCTAssertTrue(answers[6].contains("the key `name` is missing"), answers[6])
        XCTAssertTrue(answers[7].contains("sex: unknown key"), answers[7])
        XCTAssertEqual(answers[8], #"{"people":[{"name":"me","units":{}}]}"#)
        XCTAssertFalse(gateway.text(of: "people.json").contains("ada"))
    }

    func testRemovePerson_ofTheConfiguration_orWithADevice_isRejected() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let answers = try await gateway.answers(to: [
            #"{"request":"setPerson","name":"ada","sex":"female"}"#,
            #"{"request":"removePerson","name":"ada"}"#,
            #"{"request":"setPerson","name":"bob"}"#,
            #"{"request":"adopt","device":"\#(HostedGateway.port)","person":"bob"}"#,
            #"{"request":"removePerson","name":"bob"}"#,
            #"{"request":"adopt","device":"\#(HostedGateway.port)","person":"ada"}"#,
            #"{"request":"removePerson","name":"bob"}"#,
        ])
        XCTAssertTrue(
            answers[1].contains("the configuration wins: people.ada in "), answers[1])
        let port = HostedGateway.port
        XCTAssertTrue(answers[4].contains("adopted devices belong to bob: \(port); "), answers[4])
        XCTAssertTrue(answers[4].contains("`pulsegate forget \(port)`"), answers[4])
        XCTAssertTrue(answers[6].hasPrefix(#"{"removed":{"name":"bob"},"#), answers[6])
        let stored = gateway.text(of: "people.json")
        XCTAssertTrue(stored.contains("ada"), stored)
        XCTAssertFalse(stored.contains("bob"), stored)
    }

    func testSetDefaultPerson_isStoredInTheFileOfPeople_andReadByTheGateway() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let answers = try await gateway.answers(to: [
            #"{"request":"setPerson","name":"bob"}"#,
            #"{"request":"setDefaultPerson","name":"ada"}"#,
            #"{"request":"setDefaultPerson","name":"ada"}"#,
            #"{"request":"people"}"#,
            #"{"request":"setDefaultPerson","name":"eve"}"#,
            #"{"request":"setDefaultPerson"}"#,
            #"{"request":"setDefaultPerson","name":1}"#,
        ])
        XCTAssertEqual(
            answers[1...],
            [
                #"{"default":"ada","changed":true,"applied":true}"#,
                #"{"default":"ada","changed":false,"applied":true}"#,
                #"{"people":[{"name":"ada","units":{}},{"name":"bob","units":{}}],"default":"ada"}"#,
                #"{"error":"name: unknown person `eve`; known: ada, bob","key":"name"}"#,
                #"{"error":"the key `name` is missing"}"#,
                #"{"error":"name: expected a string, found a number","key":"name"}"#,
            ])
        XCTAssertEqual(
            gateway.text(of: "people.json"),
            "{\"v\":1,\"default\":\"ada\",\"people\":{\n\"bob\":{}\n}}\n")
        let removed = try await gateway.answers(to: [
            #"{"request":"setDefaultPerson","name":null}"#, #"{"request":"people"}"#,
        ])
        XCTAssertEqual(
            removed,
            [
                #"{"changed":true,"applied":true}"#,
                #"{"people":[{"name":"ada","units":{}},{"name":"bob","units":{}}]}"#,
            ])
        XCTAssertFalse(gateway.text(of: "people.json").contains("default"))
    }

    func testRemovePerson_whoIsTheDefault_leavesNoDefault_exceptForMe() async throws {
        let gateway = try HostedGateway("{}")
        let answers = try await gateway.answers(to: [
            #"{"request":"setPerson","name":"ada"}"#, #"{"request":"setPerson","name":"me"}"#,
            #"{"request":"setPerson","name":"bob"}"#,
            #"{"request":"setDefaultPerson","name":"ada"}"#,
            #"{"request":"removePerson","name":"ada"}"#,
            #"{"request":"setDefaultPerson","name":"me"}"#,
            #"{"request":"removePerson","name":"bob"}"#,
            #"{"request":"removePerson","name":"me"}"#,
            #"{"request":"people"}"#,
        ])
        XCTAssertEqual(
            answers[4],
            #"{"removed":{"name":"ada"},"notes":["ada was the default person; none is set now"],"#
                + #""applied":true}"#)
        XCTAssertFalse(answers[6].contains("default person"), answers[6])
        XCTAssertFalse(answers[7].contains("default person"), answers[7])
        XCTAssertEqual(answers[8], #"{"people":[{"name":"me","units":{}}],"default":"me"}"#)
    }

    func testSimulation_listsPeople_andRejectsChanges() async throws {
        let gateway = try HostedGateway("{ people: { ada: {} } }")
        let answers = try await gateway.answers(
            to: [#"{"request":"people"}"#, #"{"request":"setPerson","name":"ada"}"#],
            isSimulation: true)
        XCTAssertEqual(answers[0], #"{"people":[{"name":"ada","units":{}}]}"#)
        XCTAssertTrue(answers[1].contains("cannot change people"), answers[1])
    }
}
