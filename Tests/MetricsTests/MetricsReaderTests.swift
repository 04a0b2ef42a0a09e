import Foundation
import GatewayHost
import GatewayTesting
import Metrics
import XCTest

/// Programs that read metrics: node_exporter, and the parser of OpenMetrics.
final class MetricsReaderTests: XCTestCase {
    private func text(_ format: MetricsFormat) throws -> String {
        let report = try StatusReport(line: StatusMetricsTests.json.utf8)
        return format.text(of: StatusMetrics.families(of: report))
    }

    private func start(_ words: [String]) throws -> InteractiveProgram {
        let environment = ProcessInfo.processInfo.environment
        do {
            return try InteractiveProgram(
                words, environment: environment.filter { ["PATH", "HOME"].contains($0.key) })
        } catch let failure as ProgramFailure
            where failure.description.contains("No such file or directory")
        {
            throw XCTSkip("\(words[0]) is missing")
        }
    }

    func testOpenMetrics_isReadByItsParser() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Array(try text(.openMetrics).utf8), to: "metrics")
        let script = """
            import sys
            try:
                from prometheus_client.openmetrics import parser
            except ImportError:
                print("missing")
                sys.exit()
            families = list(parser.text_string_to_metric_families(open(sys.argv[1]).read()))
            for family in families:
                for sample in family.samples:
                    if sample.name == "pulsegate_device_faults_total":
                        print(family.type, sample.labels["reason"], int(sample.value))
            """
        let answer = try await start(["python3", "-c", script, file]).waitForEnd()
        guard answer != "missing\n" else {
            throw XCTSkip(
                "prometheus_client is missing; "
                    + "pip install --break-system-packages prometheus_client")
        }
        XCTAssertEqual(answer, "counter implausible 2\n")
    }

    /// It drops, with an error, a metric that has the name and not the help of one of its own.
    func testNodeExporter_servesTheWholeFile() async throws {
        let folder = try TemporaryFolder()
        let text = try text(.prometheus)
        try folder.write(Array(text.utf8), to: "pulsegate.prom")
        let exporter = try start([
            "prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
            "--collector.textfile.directory=\(folder.path)", "--web.listen-address=127.0.0.1:0",
        ])
        try await exporter.wait(for: "msg=\"Listening on\" address=")
        let address = try await exporter.wait(for: "\n").dropLast()
        let curl = try start(["curl", "-sS", "http://\(address)/metrics"])
        let served = try await curl.waitForEnd()

        for family in text.split(separator: "# HELP ") {
            let name = family.prefix { $0 != " " }
            XCTAssertEqual(numbers(of: name, in: served), numbers(of: name, in: text), "\(name)")
        }
        XCTAssertTrue(served.contains("node_textfile_scrape_error 0\n"), served)
    }

    /// The values of a metric; node_exporter writes labels in another order.
    private func numbers(of name: some StringProtocol, in text: String) -> [Double] {
        let lines = text.split(separator: "\n").filter {
            $0.hasPrefix("\(name){") || $0.hasPrefix("\(name) ")
        }
        return lines.compactMap { line in
            line.lastIndex(of: " ").flatMap { Double(line[line.index(after: $0)...]) }
        }.sorted()
    }
}
