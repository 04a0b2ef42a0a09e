import Foundation
import GatewayTesting
import HTTPTesting
import XCTest

/// A Prometheus server that reads the metrics of one address, on a free port.
struct PrometheusServer {
    /// A series of an answer.
    struct Series {
        let labels: [String: String]
        let value: Double
    }

    private let folder: TemporaryFolder
    private let program: InteractiveProgram
    private let port: UInt16

    /// Starts it.
    ///
    /// - Throws: `XCTSkip` where there is no Prometheus.
    init(reading target: String, token: String) async throws {
        folder = try TemporaryFolder()
        let configuration = """
            global: { scrape_interval: 200ms, scrape_timeout: 200ms }
            scrape_configs:
              - job_name: pulsegate
                authorization: { credentials: "\(token)" }
                static_configs: [{ targets: ["\(target)"] }]
            """
        let file = try folder.write(Array(configuration.utf8), to: "prometheus.yml")
        do {
            program = try InteractiveProgram(
                [
                    "prometheus", "--config.file=\(file)", "--web.listen-address=127.0.0.1:0",
                    "--storage.tsdb.path=\(folder.path("data"))",
                ], environment: ["PATH": "/usr/bin:/bin"])
        } catch let failure as ProgramFailure
            where failure.description.contains("No such file or directory")
        {
            throw XCTSkip("prometheus is missing; apt-get install prometheus")
        }
        let printed = try await program.wait(for: "msg=\"Listening on\" address=127.0.0.1:")
        let digits = try await program.wait(for: "\n").prefix { $0.isNumber }
        port = try XCTUnwrap(UInt16(digits))
        // Its web server and its storage start beside each other: either can be the first.
        let ready = "Server is ready"
        if !printed.contains(ready) { try await program.wait(for: ready) }
    }

    /// The values that a query has now.
    func query(_ query: String) throws -> [Series] {
        let answer = try get("query?query=\(Self.escaped(query))")
        let results = (answer as? [String: Any])?["result"] as? [[String: Any]]
        return try XCTUnwrap(results, "\(answer)").map { result in
            let value = (result["value"] as? [Any])?.last as? String
            return Series(
                labels: result["metric"] as? [String: String] ?? [:],
                value: value.flatMap { Double($0) } ?? .nan)
        }
    }

    /// Asks until a query has values.
    ///
    /// Nothing reports when Prometheus has read an address twice.
    func wait(for query: String, until isEnough: ([Series]) -> Bool) throws -> [Series] {
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        while ContinuousClock.now < end {
            let series = try self.query(query)
            if !series.isEmpty, isEnough(series) { return series }
        }
        throw RawHTTPFailure("no values of \(query)")
    }

    /// The values of `label_values(SERIES, LABEL)`, as Grafana asks for them.
    func labelValues(_ query: String) throws -> [String] {
        let match = try XCTUnwrap(query.wholeMatch(of: /label_values\((.+), *(\w+)\)/), query)
        let answer = try get(
            "label/\(match.2)/values?match%5B%5D=\(Self.escaped(String(match.1)))")
        return try XCTUnwrap(answer as? [String], "\(answer)")
    }

    private func get(_ path: String) throws -> Any {
        let response = try RawHTTPConnection(port: port).get("/api/v1/\(path)")
        let object = try JSONSerialization.jsonObject(with: Data(response.body.utf8))
        return try XCTUnwrap((object as? [String: Any])?["data"], response.body)
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
