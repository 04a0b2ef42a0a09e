import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Readings
import Serial
import XCTest

/// The suite finds descriptions that differ from their factories, and only those.
final class PluginDescriptionConformanceTests: XCTestCase {
    private typealias Setting = PluginDescription.Setting

    private struct Shelf: Sink {
        func write(_ batch: [Record]) async throws {}
    }

    private static let sample = """
        {
          sources: { straps: { use: "bluetooth" } },
          sinks: { mine: { use: "shelf", path: "a.txt", mode: "fast", place: { row: 1 } } },
        }
        """

    private static let row = Setting("row", "the row, from 1", kind: .number)
    private static let settings = [
        Setting("path", "the file"),
        Setting("mode", "how it writes", kind: .words(["fast", "safe"]), default: "safe"),
        Setting("place", "where it is", kind: .object, default: "anywhere", keys: [row]),
        Setting("labels", "names of your own", kind: .object, default: "none"),
    ]

    /// The findings about a sink of which every part can be wrong.
    private func findings(
        _ settings: [Setting] = settings, sample: String = sample,
        summary: String = "Puts records on a shelf.",
        keys: [String] = ["path", "mode", "place", "labels"],
        make: @escaping @Sendable (ConfigurationObject) throws(ConfigurationError) -> Void = read
    ) -> String {
        let about = PluginDescription(summary: summary, settings: settings, sample: sample)
        let factory = SinkFactory(use: "shelf", keys: keys, about: about) {
            object, _ throws(ConfigurationError) in
            try make(object)
            return Shelf()
        }
        return PluginDescriptionConformance.findings(sinks: [factory])
            .map(\.description).joined(separator: "\n")
    }

    @Sendable private static func read(
        _ object: ConfigurationObject
    ) throws(ConfigurationError) {
        _ = try object.require("path").string()
        _ = try object["mode"]?.choice(of: ["fast", "safe"])
        _ = try object["place"]?.object(keys: ["row"]).require("row").integer(in: 1...9)
        for (_, label) in try object["labels"]?.entries() ?? [] { _ = try label.string() }
    }

    /// The settings with one changed.
    private func changed(_ index: Int, to setting: Setting?) -> [Setting] {
        var settings = Self.settings
        if let setting { settings[index] = setting } else { settings.remove(at: index) }
        return settings
    }

    func testRightDescription_hasNoFinding() {
        XCTAssertEqual(findings(), "")
    }

    func testPluginWithoutDescription_isFoundByName() {
        let sink = SinkFactory(use: "shelf", keys: []) { _, _ in Shelf() }
        XCTAssertEqual(
            PluginDescriptionConformance.findings(sinks: [sink]).map(\.description),
            ["sink `shelf` has no description; give its factory `about:`"])
        let spoken = SerialProtocolFactory(use: "shout") { node throws(ConfigurationError) in
            throw node.error("never made")
        }
        XCTAssertEqual(
            PluginDescriptionConformance.findings(serialProtocols: [spoken]).map(\.description),
            ["serial protocol `shout` has no description; give its factory `about:`"])
    }

    func testSummary() {
        XCTAssertEqual(findings(summary: ""), "sink `shelf`: its summary is not a sentence")
    }

    func testKeyWithoutDescription_isFound() {
        XCTAssertEqual(
            findings(changed(3, to: nil)),
            "sink `shelf`: accepts the key `labels`, which is not described")
        XCTAssertEqual(
            findings(changed(2, to: Setting("place", "where", kind: .object, default: "anywhere"))),
            "sink `shelf`, `place`: has the keys row, which are not described")
        let two = [Self.row, Setting("column", "the column", kind: .number, default: "1")]
        let place = Setting("place", "where", kind: .object, default: "anywhere", keys: two)
        XCTAssertTrue(
            findings(changed(2, to: place)).hasPrefix(
                "sink `shelf`, `place`: describes the key `column`, which its factory refuses"))
    }

    func testDescribedKey_thatTheFactoryRefuses_isFound() {
        let speed = Setting("speed", "how fast", kind: .number, default: "1")
        let found = findings(Self.settings + [speed])
        XCTAssertEqual(
            found, "sink `shelf`: describes the key `speed`, which its factory refuses")
    }

    func testKeyThatIsNeverRead_isFound() {
        let speed = Setting("speed", "how fast", kind: .number, default: "1")
        XCTAssertEqual(
            findings(Self.settings + [speed], keys: ["path", "mode", "place", "labels", "speed"]),
            "sink `shelf`: describes the key `speed`, and does not read it")
    }

    func testKeyOfEverySink_isFound() {
        let types = Setting("types", "which types", kind: .strings, default: "all")
        XCTAssertEqual(
            findings(Self.settings + [types]),
            "sink `shelf`: describes the key `types`, which every sink has")
    }

    func testWords() {
        let fewer = Setting("mode", "how", kind: .words(["safe", "slow"]), default: "safe")
        XCTAssertEqual(
            findings(changed(1, to: fewer)),
            "sink `shelf`: describes the words safe, slow of the key `mode`, which takes fast, safe"
        )
        let found = findings { object throws(ConfigurationError) in
            try Self.read(object)
        }
        XCTAssertEqual(found, "")
        let loose = findings { object throws(ConfigurationError) in
            _ = try object.require("path").string()
            _ = try object["mode"]?.string()
            _ = try object["place"]?.object(keys: ["row"]).require("row").number()
            _ = try object["labels"]?.entries()
        }
        XCTAssertEqual(loose, "sink `shelf`: accepts an unknown word for the key `mode`")
    }

    func testKeyThatIsNotRequired_needsADefault() {
        let found = findings(
            changed(1, to: Setting("mode", "how", kind: .words(["fast", "safe"]))))
        XCTAssertEqual(
            found,
            "sink `shelf`: describes the key `mode` without a default, and does not require it")
    }

    func testReaderThatIsNotStrict_isFound() {
        let about = PluginDescription(
            summary: "Shouts.",
            sample: """
                { sources: { foot: { use: "serial", port: { path: "/dev/ttyUSB0" },
                                     protocol: "shout" } } }
                """)
        func findings(
            _ make: @escaping @Sendable (ConfigurationNode) throws(ConfigurationError) -> Void
        ) -> String {
            let factory = SerialProtocolFactory(use: "shout", about: about) {
                node throws(ConfigurationError) in
                try make(node)
                return Shout()
            }
            return PluginDescriptionConformance.findings(serialProtocols: [factory])
                .map(\.description).joined(separator: "\n")
        }
        XCTAssertEqual(
            findings { node throws(ConfigurationError) in
                _ = try node.object(keys: ["use"])
            }, "")
        XCTAssertEqual(
            findings { _ in },
            "serial protocol `shout`: accepts an unknown key; read its settings with "
                + "`object(keys:)`")
        let silent = findings { node throws(ConfigurationError) in
            if try node.entries().count > 1 { throw node.error("has too many keys") }
        }
        XCTAssertTrue(silent.contains("its error does not list the known keys"), silent)
    }

    func testSample() {
        XCTAssertTrue(
            findings(sample: "").hasPrefix("sink `shelf` has no sample configuration"))
        let cases = [
            (#"{ sinks: { mine: { use: "shelf", path: 7 } } }"#, "sinks.mine.path: expected"),
            (
                #"{ sinks: { mine: { use: "shelf", path: "a", tpyes: [] } } }"#,
                "did you mean `types`"
            ),
            (#"{ snks: {} }"#, "did you mean `sinks`"),
            (#"{ sinks: "#, "is not valid"),
            (
                #"{ sinks: { mine: { use: "shelf", path: "a" }, other: "shlef" } }"#,
                "uses `shlef`, which is not among the sinks of the check; did you mean `shelf`?"
            ),
            (#"{ sources: { straps: { use: "bluetooth" } } }"#, "does not use it"),
        ]
        for (sample, expected) in cases {
            let found = findings(sample: sample)
            XCTAssertTrue(found.contains("the sample of sink `shelf` "), found)
            XCTAssertTrue(found.contains(expected), found)
        }
    }

    /// The suite was not called with the sinks that the sample of a protocol uses.
    func testSampleWithAKindThatTheSuiteWasNotCalledWith() {
        let about = PluginDescription(
            summary: "Reads a loud device.",
            sample: """
                {
                  sources: { loud: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: "shout" } },
                  sinks: { store: { use: "sqlite" } },
                }
                """)
        let factory = SerialProtocolFactory(use: "shout", about: about) {
            node throws(ConfigurationError) in
            _ = try node.object(keys: ["use"])
            return Shout()
        }
        XCTAssertEqual(
            PluginDescriptionConformance.findings(serialProtocols: [factory]).map(\.description),
            [
                "the sample of serial protocol `shout` uses `sqlite`, which is not among the sinks of "
                    + "the check; call it with `sinks:`, such as those of `builtIn`"
            ])
        let sqlite = SinkFactory(use: "sqlite", keys: []) { _, _ in Shelf() }
        XCTAssertFalse(
            PluginDescriptionConformance.findings(serialProtocols: [factory], sinks: [sqlite])
                .contains { $0.description.contains("not among") })
    }
}

/// A protocol without settings.
private struct Shout: SerialProtocol {
    let lineSettings = LineSettings(baud: .baud9600)
    let device = Device()

    func makeAdapter() -> any DeviceAdapter { ByteTotal() }
}
