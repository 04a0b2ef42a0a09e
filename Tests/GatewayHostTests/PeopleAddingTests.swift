import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import JSON

/// Tests of people from the configuration and from adopted devices.
final class PeopleAddingTests: XCTestCase {
    private func people(_ text: String) throws -> People {
        let value = try JSONValue(json5: text)
        return try GatewayConfiguration(ConfigurationNode(path: "", value: value)).people
    }

    private func adopted(_ fields: String) throws -> AdoptedDevices {
        try AdoptedDevices(
            json: """
                {"v":1,"devices":{"D0:11:22:33:44:55":{\(fields)"since":"2026-11-21T18:15:00Z"}}}
                """)
    }

    func testAdding_fillsWhatTheConfigurationLeavesOpen() throws {
        let people = try people(
            """
            { people: { ada: {}, bob: {} },
              devices: { "d0:11:22:33:44:55": { person: "ada" }, "/dev/x": { name: "x" } } }
            """)
        let both = try people.adding(
            adopted(#""person":"bob","role":"backup","name":"Strap","#))
        let binding = both.binding(of: "D0:11:22:33:44:55")
        XCTAssertEqual(binding?.person, "ada")
        XCTAssertEqual(binding?.role, .backup)
        XCTAssertEqual(binding?.name, "Strap")
        XCTAssertEqual(both.person(wearing: "d0:11:22:33:44:55"), "ada")
        XCTAssertEqual(both.boundDevices, ["/dev/x", "d0:11:22:33:44:55"])
        XCTAssertEqual(people.binding(of: "D0:11:22:33:44:55")?.role, .primary)
    }

    func testAdding_withoutAnythingSaid_knowsTheDeviceAllTheSame() throws {
        let people = try People().adding(adopted(""))
        XCTAssertEqual(people.boundDevices, ["D0:11:22:33:44:55"])
        XCTAssertEqual(people.person(wearing: "D0:11:22:33:44:55"), "me")
    }

    func testAdding_aDeviceOfAnUnknownPerson_isWithoutPersonAndReported() throws {
        let people = try people("{ people: { ada: {} } }")
        let adopted = try adopted(#""person":"adda","name":"Strap","#)
        let both = people.adding(adopted)
        XCTAssertNil(both.person(wearing: "D0:11:22:33:44:55"))
        XCTAssertEqual(both.binding(of: "D0:11:22:33:44:55")?.name, "Strap")
        let unknownPeople = people.unknownPeople(adopted)
        XCTAssertEqual(unknownPeople.map(\.device.description), ["D0:11:22:33:44:55"])
        XCTAssertEqual(unknownPeople.map(\.person), ["adda"])
        XCTAssertTrue(try people.unknownPeople(self.adopted(#""person":"ada","#)).isEmpty)
    }

    func testAdding_somebodyUnknownWhereTheConfigurationNamesAnother_isNoMatter() throws {
        let people = try people(
            #"{ people: { ada: {} }, devices: { "D0:11:22:33:44:55": { person: "ada" } } }"#)
        let adopted = try adopted(#""person":"gone","#)
        let both = people.adding(adopted)
        XCTAssertTrue(people.unknownPeople(adopted).isEmpty)
        XCTAssertEqual(both.person(wearing: "D0:11:22:33:44:55"), "ada")
    }
}
