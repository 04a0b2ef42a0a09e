import Foundation
import GatewayCore
import GatewayTesting
import HTTPSink
import HeartRate
import HxM
import Lines
import SQLiteSink
import StdoutSink
import XCTest

@testable import GatewayHost
@testable import JSON
@testable import Platform

/// Fuzz tests: `check` reads any configuration or rejects it with a message.
final class ConfigurationFuzzTests: XCTestCase {
    /// A message is for people; paths and words from the file may be in it.
    private static let maximumMessageLength = 16_384

    func testText_ofAnyKind_isRightOrRefused() throws {
        let checker = try Checker()
        let documents = try Self.documents()
        var run = FuzzRun("configuration as text", inputs: 1_500)
        while var random = run.next() {
            let text = ConfigurationText.make(from: documents, &random)
            let message = checker.problem(in: text)
            run.expect(
                (message?.utf8.count ?? 0) <= Self.maximumMessageLength,
                "a message of \(message?.utf8.count ?? 0) bytes")
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testSettings_ofAnyKind_areRightOrRefused() throws {
        let checker = try Checker()
        let roots = try Self.documents().map { try JSONValue(json5: $0) }
        let keys = Array(Set(roots.flatMap { ConfigurationTree.keys(of: $0) })).sorted()
        var run = FuzzRun("configuration as settings", inputs: 1_500)
        var (rightCount, refusedCount) = (0, 0)
        while var random = run.next() {
            var tree = ConfigurationTree(random.pick(roots), keys: keys)
            for _ in 0..<Int.random(in: 1...3, using: &random) { tree.mutate(&random) }
            let message = checker.problem(in: tree.root)
            if message == nil { rightCount += 1 } else { refusedCount += 1 }
            run.expect(
                (message?.utf8.count ?? 0) <= Self.maximumMessageLength,
                "a message of \(message?.utf8.count ?? 0) bytes")
        }
        XCTAssertEqual(run.finish(), [])
        XCTAssertTrue(run.count < 1_000 || min(rightCount, refusedCount) > 50, "\(rightCount)")
    }

    /// Files of the largest size that is read; where there is little time, smaller ones.
    func testLargeText_isReadOrRefusedInTime() throws {
        let checker = try Checker()
        var run = FuzzRun(
            "large configurations", inputs: 14, limits: FuzzRun.Limits(secondsPerInput: 10))
        let size = JSONValue.sizeLimit >> (run.isLong ? 0 : 5)
        while var random = run.next() {
            let size = size - Int.random(in: 0...100, using: &random)
            _ = checker.problem(in: ConfigurationText.large(size, &random))
        }
        XCTAssertEqual(run.finish(), [])
    }

    /// The examples that are shipped, and one with every kind of setting.
    private static func documents() throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let plugins = root.appendingPathComponent("plugins")
        var documents = try FileManager.default.contentsOfDirectory(atPath: plugins.path).sorted()
            .map { name in
                try String(
                    contentsOf: plugins.appendingPathComponent("\(name)/sample.json5"),
                    encoding: .utf8)
            }
        let manual = root.appendingPathComponent("Sources/pulsegate/Manual")
        let pages = [
            plugins.appendingPathComponent("HTTPSink/README.md"),
            manual.appendingPathComponent("configuration-guide.md"),
            manual.appendingPathComponent("sinks-and-formats.md"),
        ]
        for page in pages {
            let text = try String(contentsOf: page, encoding: .utf8)
            documents += text.components(separatedBy: "```json5\n").dropFirst().compactMap {
                let block = $0.components(separatedBy: "```")[0]
                return block.hasPrefix("{") ? block : nil
            }
        }
        return documents + [everything]
    }

    private static let everything = """
        {
          dataDirectory: "/tmp/pulsegate-of-a-test", journal: "memory",
          types: { skin: { aggregationStyle: "discreteArithmetic", unit: "degC", display: "degF",
                           plausible: [10, 50], loinc: "39106-0", ucum: "Cel" },
                   jumps: { aggregationStyle: "cumulative", unit: "count", maximumRate: 5 } },
          sources: {
            any: { use: "bluetooth", devices: "any", deny: ["D0:11:22:33:44:66"], adapter: "hci0",
                   profiles: ["heartRate", { use: "heartRate", energy: false }] },
            usb: { use: "serial", port: { vendor: "10c4", product: "ea60", serial: "1", idPath: "x" },
                   protocol: { use: "lines", templates: ["{jumps} {_} {skin degF}"], baud: 9600 } },
            spp: { use: "rfcomm", address: "00:07:80:AA:BB:CC", channel: 1, protocol: "hxm" },
          },
          sinks: {
            store: { use: "sqlite", path: "health.sqlite",
                     buffer: { maxSize: "64 MiB", maxAge: "7d", whenFull: "dropOldest" } },
            lines: { use: "stdout", types: ["heartRate"], batch: { size: "1 MiB" } },
            out: { use: "http", url: "http://[::1]:8086/write?db=a", format: "influx",
                   user: "me", password: { env: "SECRET" }, whenAllRefused: "reject" },
          },
          people: { ada: { birthDate: "1986-02-14", sex: "female",
                           maximumHeartRate: { value: 188, unit: "count/min" } }, bob: {} },
          devices: { "D0:11:22:33:44:55": { person: "ada", role: "primary", name: "Ada's" } },
        }
        """
}

/// Does the same as `pulsegate check`, with all built-in plugins.
private struct Checker {
    private let folder: TemporaryFolder
    private let plugins = Plugins(
        profiles: [HeartRateProfile.factory],
        serialProtocols: [LinesProtocol.factory, HxMProtocol.factory],
        sinks: [SQLiteSink.factory, StdoutSink.factory, HTTPSink.factory])

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The error of a text; nil if it is valid.
    func problem(in text: String) -> String? {
        do {
            return problem(in: try JSONValue(json5: text))
        } catch {
            return "\(error)"
        }
    }

    /// The error of a tree; nil if it is valid.
    func problem(in value: JSONValue) -> String? {
        do {
            try check(value)
            return nil
        } catch let error as HostError {
            return error.text
        } catch {
            return "\(error)"
        }
    }

    private func check(_ value: JSONValue) throws {
        let configuration = try GatewayConfiguration(ConfigurationNode(path: "", value: value))
        let file = ConfigurationFile(path: "/pulsegate.json5", configuration: configuration)
        let folder = DataDirectory(path: folder.path)
        let plan = try GatewayPlan(file: file, folder: folder, plugins: plugins)
        let assembly = Assembly(
            plugins: plugins, dataDirectory: folder,
            environment: Environment(variables: ["SECRET": "x"]), clock: SystemClock(),
            log: Logger(component: "check") { _ in }, adopted: plan.devices)
        let sources = try plan.makeSources(assembly)
        let sinks = try plan.makeSinks(assembly, besides: sources)
        try plan.check(sources, sinks)
        for source in plan.claims { _ = source.claim.text(adopted: plan.devices) }
    }
}

/// Texts that are, or nearly are, a configuration.
private enum ConfigurationText {
    static func make(from documents: [String], _ random: inout SeededGenerator) -> String {
        if random.once(in: 20) {
            return String(decoding: random.bytes(upTo: 300), as: UTF8.self)
        }
        var bytes = Array(random.pick(documents).utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) { random.mutate(&bytes, words: words) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text of a given size with one kind of difficulty.
    static func large(_ size: Int, _ random: inout SeededGenerator) -> String {
        func filled(_ piece: String, from start: String = "", end: String = "") -> String {
            let count = (size - start.utf8.count - end.utf8.count) / piece.utf8.count
            return start + String(repeating: piece, count: max(count, 0)) + end
        }
        let name = String(repeating: "k", count: size / 128)
        let numbered = (0..<size / 12).map { "k\($0):1," }.joined()
        return switch Int.random(in: 0..<14, using: &random) {
        case 0: filled("[")
        case 1: filled("{a:")
        case 2: filled("x", from: "'", end: "'")
        case 3: filled("\\u0061", from: "'", end: "'")
        case 4: filled("9", from: "{a:")
        case 5: filled("/**/")
        case 6: filled("//\n", end: "{")
        case 7: filled("1,", from: "[", end: "]")
        case 8: "{" + numbered + "}"
        case 9: String(repeating: "{\(name):", count: 60) + "{" + numbered.prefix(size / 2)
        case 10: filled("{},", from: "{sources:[", end: "]}")
        case 11: "{sinks:{" + numbered + "}}"
        case 12: filled("a", from: "{", end: ":1}")
        default: "{people:{" + numbered.replacing(":1,", with: ":{},") + "}}"
        }
    }

    private static let words = [
        "{", "}", "[", "]", ":", ",", "\"", "'", "\\", "//", "/*", "*/", "\n", "\r\n", "\u{2028}",
        "null", "true", "-Infinity", "NaN", "0x", "0xFFFFFFFFFFFFFFFF", "1e999", "-0", ".", "\\u",
        "\\ud83d\\ude00", "\\x0", "\u{feff}", "é", "🫀", "\u{0}", "use", "sources", "sinks",
        "devices",
        "people", "protocol", "port", "path", "1e308", "9007199254740993", "{a:", "[[[[[[[[",
    ].map { Array($0.utf8) }
}

/// A configuration of which any value may be replaced, and any key.
private struct ConfigurationTree {
    private(set) var root: JSONValue
    private let keys: [String]

    init(_ root: JSONValue, keys: [String]) {
        self.root = root
        self.keys = keys
    }

    /// All keys, at any depth.
    static func keys(of value: JSONValue) -> [String] {
        switch value {
        case .object(let object): object.keys + object.values.flatMap { keys(of: $0) }
        case .array(let array): array.flatMap { keys(of: $0) }
        default: []
        }
    }

    mutating func mutate(_ random: inout SeededGenerator) {
        root = mutated(root, depth: 0, &random)
    }

    /// Goes down to a value at random and changes it.
    private func mutated(
        _ value: JSONValue, depth: Int, _ random: inout SeededGenerator
    ) -> JSONValue {
        if depth > 0, random.once(in: 4) { return any(depth: depth, &random) }
        switch value {
        case .object(var object):
            guard let key = object.keys.sorted().randomElement(using: &random) else {
                return any(depth: depth, &random)
            }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: object[key] = nil
            case 1: object[random.pick(keys)] = any(depth: depth, &random)
            case 2: object[random.pick(keys)] = object[key]
            default: object[key] = object[key].map { mutated($0, depth: depth + 1, &random) }
            }
            return .object(object)
        case .array(var array):
            guard let index = array.indices.randomElement(using: &random) else {
                return any(depth: depth, &random)
            }
            array[index] = mutated(array[index], depth: depth + 1, &random)
            if random.once(in: 4) { array += array }
            return .array(array)
        default:
            return any(depth: depth, &random)
        }
    }

    private func any(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .number(random.pick(Self.numbers))
        case 1: .number(Double(bitPattern: random.next()))
        case 2...4: .string(text(&random))
        case 5: random.pick([.null, .boolean(true), .boolean(false), .object([:]), .array([])])
        case 6 where depth < 6:
            .object([random.pick(keys): any(depth: depth + 1, &random)])
        case 7 where depth < 6: .array([any(depth: depth + 1, &random), .string(text(&random))])
        default: .string(random.pick(keys))
        }
    }

    private func text(_ random: inout SeededGenerator) -> String {
        var bytes = Array(random.pick(Self.texts).utf8)
        if random.once(in: 2) { random.mutate(&bytes, words: Self.texts.map { Array($0.utf8) }) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let numbers: [Double] = [
        0, -0.0, -1, 1, 0.5, 65_535, 65_536, 1e9, 4_294_967_296, 9_007_199_254_740_992,
        9_223_372_036_854_775_808, -9_223_372_036_854_775_808, 1e19, 1e308, -1e308,
        .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
    ]

    private static let texts = [
        "", " ", "memory", "crash", "powerLoss", "any", "hci0", "hci99999999999999999999", "steps",
        "hxm",
        "lines", "bluetooth", "serial", "rfcomm", "sqlite", "http", "stdout", "heartRate",
        "D0:11:22:33:44:55", "00:00:00:00:00:00", "/dev/ttyUSB0", "/", "../../x", "10c4", "FFFF",
        "*",
        "8388608 TiB", "9223372036854775808 B", "99999999999999999999 GiB", "1e400 B", "0 B",
        "1.5 KiB",
        "-1 B", "\u{301}B", "1\u{301} B", "٣ B", "7d", "0s", "99999999999999999999w", ".s", "..d",
        "5 s",
        "1986-02-14", "0000-00-00", "99999-12-31", "2024-02-30", "male", "count/min",
        "m/s^2147483648",
        "kg^99999999999999999999", "((((((", "mol<1.7976931348623157e308>", "{steps}",
        "{steps}{steps}",
        "{_}{_}{_}{_}", "{", "}", "{distance} {steps}", "http://[::1]:99999/",
        "https://user:pw@h/x?y#z",
        "http://a\u{0}b/", "http://", "https://é.example/", "ftp://x", "2261-01-01T00:00:00Z", "🫀",
        "\u{1b}[2J",
        "ndjson", "influx", "fhir", "json", "reject", "block", "dropOldest", "me", "ada",
        "primary",
        "backup", "repo.token", "/dev/null", "/dev/zero", "/proc/self/mem", "SECRET", "HOME",
    ]
}
