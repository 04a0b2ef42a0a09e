import Foundation
import GatewayTesting
import HostFiles
import XCTest

@testable import Doctor

/// Findings about the configuration and who may read what.
final class ConfigurationFindingTests: XCTestCase {
    func testWrongConfiguration_isFoundByItsKeyPath_untilItIsCorrected() async throws {
        let patient = try Patient()
        try patient.adopt()
        try patient.configure(#"{ sinks: { store: { use: "sqlite", pth: "a" } } }"#)
        let report = try await patient.report()
        let finding = try XCTUnwrap(report.findings.first)
        XCTAssertEqual(finding.kind, .configurationInvalid)
        XCTAssertTrue(finding.text.contains("sinks.store.pth: unknown key"), finding.text)
        XCTAssertEqual(report.status, .configuration)

        try patient.configure(#"{ sinks: { store: { use: "sqlite", path: "a" } } }"#)
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.configurationInvalid))
    }

    func testConfigurationThatIsNotThere_isFound() async throws {
        var patient = try Patient()
        patient.configurationOption = patient.folder.path("missing.json5")
        let report = try await patient.report()
        XCTAssertEqual(report.findings.first?.kind, .configurationInvalid)
        XCTAssertEqual(report.status, .configuration)
    }

    func testWithoutASource_thereIsNothingToRead_untilADeviceIsAdopted() async throws {
        let patient = try Patient()
        let finding = try await patient.finding(.nothingToRead)
        XCTAssertEqual(finding?.text, "no source is configured and no device is adopted")
        XCTAssertEqual(finding?.fix.command, "pulsegate devices")
        try patient.adopt()
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.nothingToRead))
    }

    /// The gateway then serves its store alone, as it is configured.
    func testServicesWithoutASource_areNoFinding() async throws {
        let patient = try Patient()
        try patient.configure(#"{ sources: {}, services: { web: "web" } }"#)
        var kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.nothingToRead))
        // Adopted devices would be read.
        try patient.configure(#"{ services: { web: "web" } }"#)
        kinds = try await patient.kinds()
        XCTAssertTrue(kinds.contains(.nothingToRead))
    }

    func testDeviceThatNoSourceReads_isFound_untilOneDoes() async throws {
        let patient = try Patient()
        try patient.adopt()
        let lines = #"foot: { use: "serial", port: { path: "/dev/x" }, protocol: "hxm" }"#
        try patient.configure("{ sources: { \(lines) } }")
        let finding = try await patient.finding(.deviceUnread)
        XCTAssertTrue(finding?.text.hasPrefix("\(Patient.strap) is adopted, but no source") == true)
        XCTAssertEqual(finding?.severity, .problem)

        try patient.configure(#"{ sources: { \#(lines), straps: { use: "bluetooth" } } }"#)
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.deviceUnread))
    }

    func testProgramThatIsNotThere_isFound_untilItIs() async throws {
        let patient = try Patient()
        let program = patient.folder.path("program")
        try patient.configure(
            #"{ sources: { own: { use: "exec", command: ["\#(program)"] } } }"#)
        let finding = try await patient.finding(.sourceUnusable)
        XCTAssertEqual(finding?.subject, "own")
        XCTAssertTrue(finding?.text.contains("sources.own.command") == true)

        try patient.folder.write(Array("#!/bin/sh\n".utf8), to: "program")
        chmod(program, 0o755)
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.sourceUnusable))
    }

    func testSecretThatIsNotThere_isFoundWithTheCommandThatSetsIt() async throws {
        let patient = try Patient()
        try patient.configure(
            """
            { sinks: { repo: { use: "http", url: "http://127.0.0.1:9/", token: { secret: "t" } } } }
            """)
        let finding = try await patient.finding(.sinkUnusable)
        XCTAssertEqual(finding?.subject, "repo")
        XCTAssertEqual(finding?.fix.command, "pulsegate secret set t")

        try patient.makeDataDirectory()
        try patient.folder.makeFolder("home/.local/share/pulsegate/secrets")
        try patient.store("abc", as: "secrets/t")
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.sinkUnusable))
    }

    func testOpenPermissions_areFound_andTheirFixesWork() async throws {
        let patient = try Patient()
        try patient.configure(
            """
            { sinks: { repo: { use: "http", url: "http://127.0.0.1:9/",
              headers: { "X-Key": "k3y-in-clear" } } } }
            """)
        try patient.makeDataDirectory()
        try patient.folder.makeFolder("home/.local/share/pulsegate/secrets")
        let secret = try patient.store("s3cret-in-file", as: "secrets/t")
        for (path, mode) in [
            (patient.dataDirectory, 0o755), (patient.configuration, 0o666), (secret, 0o644),
        ] { XCTAssertEqual(chmod(path, mode_t(mode)), 0) }

        let report = try await patient.report()
        let open: Set<Finding.Kind> = [.dataDirectoryOpen, .secretsOpen, .configurationOpen]
        let found = report.findings.filter { open.contains($0.kind) }
        XCTAssertEqual(Set(found.map(\.kind)), open)
        XCTAssertEqual(found.filter { $0.kind == .configurationOpen }.count, 2)
        XCTAssertFalse(report.json.contains("3cret"), report.json)
        XCTAssertFalse(report.json.contains("k3y"), report.json)

        for finding in found { try run(try XCTUnwrap(finding.fix.command)) }
        let kinds = try await patient.kinds()
        XCTAssertTrue(open.isDisjoint(with: kinds), "\(kinds)")
    }

    private func run(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, command)
    }
}
