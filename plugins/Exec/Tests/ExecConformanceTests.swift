import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import XCTest

@testable import Exec

final class ExecConformanceTests: XCTestCase {
    private static func sink(_ command: [String], _ fixture: ProgramFixture) throws -> any Sink {
        let object = try fixture.settings(command: command).object(
            keys: ["use"] + ExecSink.factory.keys)
        return try ExecSink.factory.make(object, fixture.context)
    }

    /// Stores each record in a file that is named after its id.
    private static let store = """
        import json, os, sys
        for line in sys.stdin:
            batch = json.loads(line)
            for record in batch["samples"] + batch["events"]:
                open(os.path.join(sys.argv[1], record["id"]), "w").close()
            print(json.dumps({"ack": batch["batch"]}), flush=True)
        """

    func testSink_keepsTheContract() async throws {
        let fixture = try ProgramFixture()
        let folder = try fixture.folder.makeFolder("stored")
        let findings = await SinkConformance.findings(
            stored: { try FileManager.default.contentsOfDirectory(atPath: folder).count },
            makeSink: { try Self.sink(["python3", "-c", Self.store, folder], fixture) })
        XCTAssertEqual(findings, [])
    }

    func testSink_whoseProgramIsNotThereOrDies_keepsTheContract() async throws {
        let fixture = try ProgramFixture()
        for command in [["/no/such/program"], ["false"], ["sh", "-c", "read -r line; exit 1"]] {
            let findings = await SinkConformance.findingsWhenUnavailable {
                try Self.sink(command, fixture)
            }
            XCTAssertEqual(findings, [], "\(command)")
        }
    }

    func testSink_whoseProgramIsSilent_keepsTheContract() async throws {
        let fixture = try ProgramFixture()
        for command in [["sleep", "1000"], ["sh", "-c", "cat > /dev/null"]] {
            let findings = await SinkConformance.findingsWhenSilent {
                try Self.sink(command, fixture)
            }
            XCTAssertEqual(findings, [], "\(command)")
        }
    }

    func testSource_keepsTheContract() async throws {
        let fixture = try ProgramFixture()
        let source = try fixture.source(
            script: """
                while :; do
                    echo '{"reading":"instant","type":"heartRate","value":72}'
                    echo '{"reading":"counter","type":"stepCount","value":7,"device":"foot"}'
                    sleep 0.01
                done
                """)
        let findings = await SourceConformance.findings(
            for: source, devices: ["own", "foot"], types: [.heartRate, .stepCount])
        XCTAssertEqual(findings, [])
    }
}
