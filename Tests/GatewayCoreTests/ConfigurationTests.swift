import XCTest

@testable import GatewayCore
@testable import HealthModel
@testable import JSON

final class ConfigurationTests: XCTestCase {
    private func configuration(_ text: String) throws -> GatewayConfiguration {
        try GatewayConfiguration(ConfigurationNode(json5: text))
    }

    private func assertRefused(
        _ text: String, path: String, saying words: String = "", line: UInt = #line
    ) {
        XCTAssertThrowsError(try configuration(text), line: line) { error in
            let error = error as? ConfigurationError
            XCTAssertEqual(error?.path, path, line: line)
            let problem = error?.problem ?? ""
            XCTAssertTrue(
                words.isEmpty || problem.contains(words), "\(problem) lacks \(words)", line: line)
        }
    }

    func testInit_everythingThatMayBeThere() throws {
        let configuration = try configuration(
            """
            {
              // JSON5
              dataDirectory: "/var/lib/pulsegate", journal: { durability: "powerLoss" },
              sources: { foot: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: "hxm" } },
              sinks: { lines: "stdout", store: { use: "sqlite", path: 'health.sqlite', }, },
              people: {
                ada: { birthDate: "1986-02-14", sex: "female",
                       maximumHeartRate: { value: 188, unit: "count/min" }, units: { bodyMass: "lb" } },
                bob: {},
              },
              devices: { "d0:11:22:33:44:55": { person: "ada", role: "backup", name: "Ada's strap" } },
            }
            """)
        XCTAssertEqual(configuration.dataDirectory, "/var/lib/pulsegate")
        XCTAssertEqual(configuration.durability, .powerLoss)
        XCTAssertEqual(configuration.sources?.map(\.name), ["foot"])
        XCTAssertEqual(configuration.sinks?.map(\.use), ["stdout", "sqlite"])
        XCTAssertEqual(configuration.people.people.map(\.name), ["ada", "bob"])
        XCTAssertEqual(configuration.people.person(wearing: "D0:11:22:33:44:55"), "ada")
        XCTAssertEqual(configuration.people.binding(of: "D0:11:22:33:44:55")?.role, .backup)
        XCTAssertNil(configuration.people.person(wearing: "/dev/ttyUSB0"))
    }

    func testInit_withoutPeople_everythingIsTheOnlyPersons() throws {
        XCTAssertEqual(try configuration("{}").people.person(wearing: "/dev/ttyUSB0"), "me")
    }

    func testInit_textThatIsNotJSON5() {
        assertRefused("{ sources: ", path: "sources", saying: "line 1, column")
        assertRefused("", path: "", saying: "line 1, column")
        assertRefused("[1, 2]", path: "", saying: "expected an object, found a list")
        assertRefused(String(repeating: " ", count: 1 << 20) + "{}", path: "", saying: "1 MiB")
        assertRefused(
            String(repeating: "[", count: 100_000),
            path: String(repeating: "[0]", count: JSON5Parser.depthLimit + 1),
            saying: "line 1, column")
    }

    func testInit_unknownKeys_withTheNearestKnown() {
        assertRefused("{ source: {} }", path: "source", saying: "did you mean `sources`?")
        assertRefused("{ journal: { durable: 1 } }", path: "journal.durable", saying: "durability")
        assertRefused(
            "{ people: { ada: { birthdate: 1 } } }", path: "people.ada.birthdate",
            saying: "`birthDate`")
        assertRefused(
            "{ devices: { '/dev/x': { persona: 1 } } }", path: "devices./dev/x.persona",
            saying: "`person`")
        assertRefused("{ '': 1 }", path: #""""#, saying: "unknown key")
        assertRefused("{ journal: { '': 1 } }", path: #"journal."""#, saying: "unknown key")
    }

    func testInit_wrongKindsOfValue() {
        assertRefused(
            "{ dataDirectory: 5 }", path: "dataDirectory",
            saying: "expected a string, found a number")
        assertRefused("{ dataDirectory: '' }", path: "dataDirectory", saying: "empty")
        assertRefused("{ dataDirectory: 'relative' }", path: "dataDirectory", saying: "absolute")
        assertRefused(
            #"{ dataDirectory: "/a\u0000b" }"#, path: "dataDirectory", saying: "null character")
        assertRefused(
            """
            { people: { ada: {}, bob: {} }, devices: {
              "D0:11:22:33:44:55": { person: "ada" }, "d0:11:22:33:44:55": { person: "bob" } } }
            """, path: "devices.d0:11:22:33:44:55", saying: "the same device as `D0:11:22:33:44:55`"
        )
        assertRefused("{ sources: [] }", path: "sources", saying: "expected an object")
        assertRefused("{ sources: { foot: {} } }", path: "sources.foot", saying: "`use` is missing")
        assertRefused("{ sources: { foot: 7 } }", path: "sources.foot", saying: "an object")
        assertRefused("{ sources: { foot: { use: true } } }", path: "sources.foot.use")
        assertRefused("{ sources: { 'a b': 'serial' } }", path: "sources.a b", saying: "letters")
        assertRefused("{ journal: { durability: 'none' } }", path: "journal.durability")
    }

    func testInit_peopleAndDevices() {
        assertRefused(
            "{ people: { ada: { birthDate: '1986-02-30' } } }", path: "people.ada.birthDate")
        assertRefused("{ people: { ada: { sex: 'f' } } }", path: "people.ada.sex")
        assertRefused("{ people: { 'a\\nb': {} } }", path: "people.a\\u{a}b")
        assertRefused(
            "{ people: { ada: { maximumHeartRate: { value: 188 } } } }",
            path: "people.ada.maximumHeartRate", saying: "`unit` is missing")
        assertRefused(
            "{ people: { ada: { maximumHeartRate: { value: 188, unit: 'm' } } } }",
            path: "people.ada.maximumHeartRate.unit", saying: "heartRate")
        assertRefused(
            "{ people: { ada: { units: { bodyMas: 'lb' } } } }", path: "people.ada.units.bodyMas",
            saying: "did you mean `bodyMass`?")
        assertRefused(
            "{ people: { ada: { units: { bodyMass: 'ml/kg/min' } } } }",
            path: "people.ada.units.bodyMass")
        assertRefused(
            "{ people: { ada: {} }, devices: { '/dev/x': { person: 'adda' } } }",
            path: "devices./dev/x.person", saying: "did you mean `ada`?")
    }

    func testInit_aDeviceKeyIsAnAddressAPortOrAnIdentifier() throws {
        let good = [
            "d0:11:22:33:44:55", "/dev/ttyUSB0", "/run/port", "usb:10c4:ea60:0001", "usb:*:ea60",
            "usb:10c4:*@pci-0000:00:14.0-usb-0:2", "@pci-0000:00:14.0-usb-0:2",
        ]
        for key in good {
            let configuration = try configuration("{ devices: { '\(key)': { name: 'x' } } }")
            XCTAssertEqual(configuration.people.boundDevices, [key])
        }
        XCTAssertEqual(
            try configuration("{ devices: { phone: { role: 'backup' } } }").people.boundDevices,
            ["phone"], "another program may read it")
        assertRefused("{ devices: { zz: {} } }", path: "devices.zz", saying: "expected an address")
        for key in ["D0:11:22:33:44", "ttyUSB0", "usb:", "usb:10c4", "@", "/", " /dev/x"] {
            assertRefused(
                "{ devices: { '\(key)': { name: 'x' } } }", path: "devices.\(key)",
                saying: "expected an address such as")
        }
        XCTAssertEqual(
            try configuration("{ devices: { 'd0:11:22:33:44:55': {} } }").people.boundDevices,
            ["d0:11:22:33:44:55"], "an address is read like an adopted one")
        for key in ["/dev/ttyUSB0", "usb:10c4:ea60"] {
            assertRefused(
                "{ devices: { '\(key)': {} } }", path: "devices.\(key)", saying: "sets nothing")
        }
    }

    func testDuplicateKeys_areFoundWhereverTheyStand() {
        assertRefused("{ sinks: { a: 'x', \"a\": 'y' } }", path: "sinks.a", saying: "duplicate key")
        assertRefused(
            "{ dataDirectory: '/a', /* dataDirectory: */ dataDirectory: '/b' }",
            path: "dataDirectory", saying: "duplicate key")
    }

    func testDuplicateKeys_sameWordsElsewhereAreNone() throws {
        let text = """
            { sources: { a: { use: "x", list: ["a", "a", { a: 1 }, { a: 1 }] }, b: { use: 'a: \\' a:' } } }
            // a: a:
            """
        XCTAssertEqual(try configuration(text).sources?.count, 2)
    }

    func testSuggestion_nearAndFar() {
        let known = ["heartRate", "stepCount", "rrInterval"]
        XCTAssertEqual(Suggestion.nearest(to: "hartRate", in: known), "heartRate")
        XCTAssertEqual(Suggestion.nearest(to: "stepcount", in: known), "stepCount")
        XCTAssertNil(Suggestion.nearest(to: "temperature", in: known))
        XCTAssertEqual(Suggestion.nearest(to: "steps", in: known), "stepCount")
        let activities = ["walkingPace", "walking", "running"]
        XCTAssertEqual(Suggestion.nearest(to: "Walk", in: activities), "walking")
        XCTAssertNil(Suggestion.nearest(to: "run", in: ["underwaterRunning", "runningOutdoors"]))
        XCTAssertEqual(Suggestion.nearest(to: "us", in: ["v", "use"]), "use")
        for word in ["w", "vv", ""] { XCTAssertNil(Suggestion.nearest(to: word, in: ["v"]), word) }
        XCTAssertNil(Suggestion.nearest(to: String(repeating: "x", count: 100_000), in: known))
        XCTAssertEqual(Suggestion.distance(Array("ab"), Array("ba")), 1)
        XCTAssertEqual(Suggestion.distance(Array(""), Array("abc")), 3)
    }
}
