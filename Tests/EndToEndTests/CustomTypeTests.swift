import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import Readings
import Serial
import XCTest

/// A type that only the configuration knows, from a port into the store and out again.
final class CustomTypeTests: XCTestCase {
    private let skin = """
        types: { mySkinTemperature: { aggregationStyle: "discreteArithmetic", unit: "degC", display: "degF",
          plausible: [10, 50] } }
        """

    private func skinType(_ unit: HealthModel.Unit = .degreeCelsius) throws -> QuantityType {
        try QuantityType(
            custom: "mySkinTemperature", aggregationStyle: .discreteArithmetic, unit: unit)
    }

    private func source(_ port: PseudoTerminal, _ template: String) -> String {
        """
        sources: { wrist: { use: "serial", port: { path: "\(port.slavePath)" },
          protocol: { use: "lines", baud: 9600, templates: ["\(template)"] } } }
        """
    }

    private let sinks = #"sinks: { store: "sqlite", lines: "stdout" }"#

    private func stop(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    func testCustomType_isMeasuredStoredTappedAndQueried() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { \(skin), \(source(port, "Skin {mySkinTemperature} C, HR {heartRate}")), \(sinks),
              people: { ada: { units: { mySkinTemperature: "K" } } } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "wrist: connected", on: .error)
        let tap = try home.start("tap", "--type", "mySkinTemperature", "--json")
        // Nobody knows when a tap has begun, until it prints.
        let feeding = Task {
            for count in 1... {
                try Task.checkCancellation()
                try port.write(Array("Skin 33.5 C, HR 72\n".utf8))
                try await gateway.waitForLines(count, with: "mySkinTemperature", on: .output)
            }
        }
        try await tap.waitForLines(with: #""value":33.5"#, on: .output)
        feeding.cancel()
        _ = await feeding.result
        try port.write(Array("Skin 99 C, HR 73\nSkin 20 C, HR 74\n".utf8))
        try await gateway.waitForLines(with: #""value":20"#, on: .output)
        try await tap.waitForLines(with: #""value":20"#, on: .output)
        try await stop(gateway)
        let tapped = await tap.text(of: .output)
        XCTAssertFalse(tapped.contains("heartRate"), tapped)

        let query = try await home.run(
            "query", "mySkinTemperature", "--unit", "degF", "--format", "csv")
        XCTAssertEqual(query.ending, .exited(0), query.error)
        XCTAssertTrue(query.output.contains(",68,degF,"), query.output)
        XCTAssertEqual(try home.ledger().ingest[.implausible], 1)
        let wrong = try await home.run("query", "skinTemperatur")
        XCTAssertEqual(wrong.ending, .exited(64))
        XCTAssertTrue(wrong.error.contains("did you mean `mySkinTemperature`?"), wrong.error)
        let length = try await home.run("query", "mySkinTemperature", "--unit", "m")
        XCTAssertTrue(length.error.contains("such as `degF`"), length.error)
    }

    func testReload_withOtherTypes_startsAnewWhatNamesThem_andKeepsTheRest() async throws {
        let home = try Home()
        let (wrist, foot) = (try PseudoTerminal(), try PseudoTerminal())
        func configuration(_ types: String, _ template: String) -> String {
            """
            { \(types), sources: {
              foot: { use: "serial", port: { path: "\(foot.slavePath)" },
                protocol: { use: "lines", preset: "steps" } },
              wrist: { use: "serial", port: { path: "\(wrist.slavePath)" },
                protocol: { use: "lines", baud: 9600, templates: ["\(template)"] } } }, \(sinks) }
            """
        }
        try home.configure(configuration(skin, "Skin {mySkinTemperature}"))
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "wrist: connected", on: .error)
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        try wrist.write(Array("Skin 33.5\n".utf8))
        try await gateway.waitForLines(with: "mySkinTemperature", on: .output)

        // The same words of the source mean something else now.
        let wider = skin.replacingOccurrences(of: "[10, 50]", with: "[10, 500]")
        try home.configure(configuration(wider, "Skin {mySkinTemperature}"))
        await gateway.send(SIGHUP)
        try await gateway.waitForLines(with: "reloaded", on: .error)
        let reloaded = await gateway.lines(of: .error, with: "reloaded").joined()
        XCTAssertTrue(reloaded.contains("foot unchanged, wrist changed"), reloaded)
        try await gateway.waitForLines(2, with: "wrist: connected", on: .error)
        try wrist.write(Array("Skin 99\n".utf8))
        try await gateway.waitForLines(with: #""value":99"#, on: .output)

        // A type that is still named may not go.
        try home.configure(configuration("types: {}", "Skin {mySkinTemperature}"))
        await gateway.send(SIGHUP)
        try await gateway.waitForLines(with: "reload failed", on: .error)
        let refused = await gateway.lines(of: .error, with: "reload failed").joined()
        XCTAssertTrue(refused.contains("sources.wrist.protocol.templates[0]"), refused)
        try await stop(gateway)
        let skins = try await home.samples(of: skinType())
        XCTAssertEqual(skins.map(\.quantity.value), [33.5, 99])
        XCTAssertEqual(try home.ledger().imbalances, [])
    }

    func testReload_withANewType_letsAProgramReportIt() async throws {
        let home = try Home()
        let script = "while sleep 0.1; do cat reading; done"
        func configuration(_ types: String) -> String {
            """
            { \(types), sources: { own: { use: "exec", command: ["sh", "-c", "\(script)"],
                directory: "\(home.folder.path)" } }, \(sinks) }
            """
        }
        let reading = #"{"reading":"instant","type":"mySkinTemperature","value":33.5}"# + "\n"
        try home.folder.write(Array(reading.utf8), to: "reading")
        try home.configure(configuration("types: {}"))
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "unknown type", on: .error)
        try home.configure(configuration(skin))
        await gateway.send(SIGHUP)
        try await gateway.waitForLines(with: "mySkinTemperature", on: .output)
        try await stop(gateway)
        XCTAssertEqual(try home.ledger().imbalances, [])
    }

    func testTypeThatIsGone_whatWasAcceptedStillReachesTheStore() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        // Nobody listens there, so that what is accepted waits in the journal.
        let away = #"store: { use: "http", url: "http://127.0.0.1:9/" }"#
        try home.configure(
            """
            { \(skin), \(source(port, "Skin {mySkinTemperature}")),
              sinks: { \(away), lines: "stdout" } }
            """)
        let first = try home.start("run")
        try await first.waitForLines(with: "wrist: connected", on: .error)
        try port.write(Array("Skin 33.5\n".utf8))
        try await first.waitForLines(with: "mySkinTemperature", on: .output)
        await first.send(SIGKILL)
        try await first.waitForEnd()
        XCTAssertGreaterThan(try home.ledger().pending(for: "store"), 0)

        try home.configure("{ \(source(port, "HR {heartRate}")), \(sinks) }")
        let second = try home.start("run")
        try await second.waitForLines(
            with: "undeclared or changed type", on: .error)
        try await stop(second)
        let skins = try await home.samples(of: skinType())
        XCTAssertEqual(skins.map(\.quantity.value), [33.5])
        let ledger = try home.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.sinks["store"]?.outcome.lost, 0)
    }

    func testAdopt_withATemplateOfACustomType_isReadWithoutSources() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure("{ \(skin), \(sinks) }")
        let spoken = #"{ use: "lines", baud: 9600, templates: ["Skin {mySkinTemperature}"] }"#
        let adopted = try await home.run("adopt", port.slavePath, "--protocol", spoken)
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: ": connected", on: .error)
        try port.write(Array("Skin 33.5\n".utf8))
        try await gateway.waitForLines(with: "mySkinTemperature", on: .output)
        try await stop(gateway)

        try home.configure("{ \(sinks) }")
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(78))
        XCTAssertTrue(check.error.contains("unknown field {mySkinTemperature}"), check.error)
    }

    func testCheck_reportsWhereATypeIsWrong() async throws {
        let home = try Home()
        try home.configure(
            #"{ types: { mySkinTemperature: { aggregationStyle: "discreteArithmetic", unit: "C" } } }"#
        )
        let outcome = try await home.run("check")
        XCTAssertEqual(outcome.ending, .exited(78))
        XCTAssertTrue(
            outcome.error.contains("types.mySkinTemperature.unit: not a unit"), outcome.error)
    }
}
