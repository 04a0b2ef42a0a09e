import GatewayTesting
import Glibc
import HealthModel
import Serial
import XCTest

/// The gateway that reads what is adopted.
final class AdoptedGatewayTests: XCTestCase {
    private static let strap = "D0:11:22:33:44:55"
    private static let steps = #"{ use: "lines", preset: "steps" }"#

    func testRun_withoutSources_readsTheAdoptedPort() async throws {
        let home = try Home()
        try home.configure(#"{ sinks: { store: "sqlite", lines: "stdout" } }"#)
        let port = try PseudoTerminal()
        let adopted = try await home.run(
            "adopt", port.slavePath, "--protocol", Self.steps, "--name", "Shoe", "--person", "me")
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        let number = port.slavePath.split(separator: "/").last ?? ""
        let check = try await home.run("check")
        XCTAssertTrue(check.output.contains("sources: pts-\(number)\n"), check.output)
        let scope = "  pts-\(number) (serial) reads \(port.slavePath)\n"
        XCTAssertTrue(check.output.contains(scope), check.output)

        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "pts-\(number): connected", on: .error)
        for steps in [10, 17] { try port.write(Array("Steps: \(steps)\n".utf8)) }
        try await assertNote(
            home, "the running gateway (process \(gateway.processID)) has applied this")
        try await gateway.waitForLines(with: "stepCount", on: .output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))

        let samples = try await home.samples(of: .stepCount)
        XCTAssertEqual(samples.map(\.quantity.value), [7])
        XCTAssertEqual(samples.map(\.person), ["me"])
        XCTAssertEqual(samples.map(\.device?.name), ["Shoe"])
    }

    func testCheck_namesTheSourceOfEveryAdoptedDevice() async throws {
        let home = try Home()
        _ = try await home.run("adopt", Self.strap)
        _ = try await home.run("adopt", "00:07:80:aa:bb:cc", "--protocol", "hxm")
        _ = try await home.run("adopt", "/dev/ttyUSB0", "--protocol", Self.steps)
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(0), check.error)
        let expected = """
            sources: bluetooth, ttyUSB0, 00-07-80-AA-BB-CC
              bluetooth (bluetooth) reads \(Self.strap) (adopted)
              ttyUSB0 (serial) reads /dev/ttyUSB0
              00-07-80-AA-BB-CC (rfcomm) reads 00:07:80:AA:BB:CC

            """
        XCTAssertTrue(check.output.contains(expected), check.output)
    }

    /// Both commands report the running gateway, and nothing about one that has ended.
    private func assertNote(_ home: Home, _ expected: String) async throws {
        for words in [["adopt", Self.strap], ["forget", Self.strap]] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertTrue(outcome.error.contains(expected), outcome.error)
        }
    }

    func testGatewayThatHasEnded_isNotNotified() async throws {
        let home = try Home()
        _ = try await home.run("adopt", "/dev/ttyX", "--protocol", "hxm")
        let run = try await home.run("run", "--for", "0.1")
        XCTAssertEqual(run.ending, .exited(0), run.error)
        let outcome = try await home.run("forget", "/dev/ttyX")
        XCTAssertEqual(outcome.error, "")
    }

    func testSourcesInTheConfiguration_areTheOnlyOnes_andItIsReported() async throws {
        let home = try Home()
        try home.configure(
            #"{ sources: { foot: { use: "serial", port: { path: "/dev/ttyX" }, protocol: "hxm" } } }"#
        )
        let adopted = try await home.run("adopt", "/dev/ttyY", "--protocol", "hxm")
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        let note = "note: /dev/ttyY is adopted, but no source in \(home.configurationPath) reads it"
        XCTAssertTrue(adopted.error.contains(note), adopted.error)
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(0), check.error)
        XCTAssertTrue(check.output.contains("sources: foot\n"), check.output)
        XCTAssertTrue(check.output.contains(note), check.output)
    }

    func testRun_withNothingAdopted_printsHowToAdopt() async throws {
        let home = try Home()
        let run = try await home.run("run")
        XCTAssertEqual(run.ending, .exited(78))
        for expected in ["no device is adopted", "pulsegate devices", "pulsegate adopt ADDRESS"] {
            XCTAssertTrue(run.error.contains(expected), run.error)
        }
        _ = try await home.run("adopt", "/dev/ttyX", "--protocol", "hxm")
        try home.configure("{ sources: {} }")
        let none = try await home.run("run")
        XCTAssertEqual(none.ending, .exited(78))
        XCTAssertTrue(
            none.error.contains("`sources` in \(home.configurationPath) is empty"), none.error)
    }

    func testADeviceOfAnUnknownPerson_isReported_andCanBeFixed() async throws {
        let home = try Home()
        try home.configure("{ people: { ada: {}, bob: {} } }")
        _ = try await home.run("adopt", "/dev/ttyX", "--protocol", "hxm", "--person", "bob")
        try home.configure("{ people: { ada: {} } }")
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(78))
        for expected in [
            "devices.json: devices./dev/ttyX.person: unknown person `bob`; known: ada; ",
            "`pulsegate adopt /dev/ttyX --person NAME`", "`pulsegate forget /dev/ttyX`",
            "add the person: `pulsegate people set bob`",
        ] { XCTAssertTrue(check.error.contains(expected), check.error) }
        // It is shown all the same, and others may be adopted and forgotten.
        let devices = try await home.run("devices", "--for", "0.1")
        XCTAssertTrue(devices.error.contains("unknown person `bob`"), devices.error)
        XCTAssertFalse(devices.output.isEmpty)
        for word in ["adopt", "forget"] {
            let outcome = try await home.run(word, Self.strap)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        _ = try await home.run("adopt", "/dev/ttyX", "--person", "ada")
        let mended = try await home.run("check")
        XCTAssertEqual(mended.ending, .exited(0), mended.error)
    }
}
