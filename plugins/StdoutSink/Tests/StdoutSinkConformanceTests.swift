import Foundation
import GatewayTesting
import Glibc
import Platform
import XCTest

@testable import StdoutSink

final class StdoutSinkConformanceTests: XCTestCase {
    func testSink_keepsTheContract() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "output")
        let descriptor = open(path, O_WRONLY | O_APPEND)
        defer { close(descriptor) }
        let findings = await SinkConformance.findings(
            recognisesDuplicates: false,
            stored: { try String(contentsOfFile: path, encoding: .utf8).count { $0 == "\n" } },
            makeSink: { StdoutSink(output: LineOutput(descriptor: descriptor)) })
        XCTAssertEqual(findings, [])
    }

    func testSink_whoseReaderHasGone_keepsTheContract() async throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        XCTAssertEqual(pipe(&ends), 0)
        let (reader, writer) = (ends[0], ends[1])
        close(reader)
        defer { close(writer) }
        let findings = await SinkConformance.findingsWhenUnavailable {
            StdoutSink(output: LineOutput(descriptor: writer))
        }
        XCTAssertEqual(findings, [])
    }
}
