import Foundation
import GatewayTesting
import Glibc
import HTTPTesting
import XCTest

/// The queries of the dashboard of the gateway, with Prometheus and a gateway that runs.
final class GatewayDashboardTests: XCTestCase {
    /// The values of variables: those that Grafana sets, and all gateways and devices.
    private static let all = [
        "__rate_interval": "1m", "__range": "1h", "instance": ".*", "device": ".*",
    ]

    private static func dashboard() throws -> Dashboard {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        return try Dashboard(path: folder.appending(path: "Grafana/gateway.json").path)
    }

    /// A strap with damaged packets, a program with a value that no heart has, and a sink whose
    /// server does not run, so that each metric has a value.
    private func startGateway(
        _ home: Home, port: UInt16, metrics: String = "{}"
    ) async throws -> RunningCommand {
        try home.configure(
            """
            {
              sources: {
                sim: { use: "simulator", devices: { heartRateStrap: 1 },
                  faults: { damagedPackets: { at: ["0s"] } } },
                own: { use: "exec", command: ["/bin/sh", "-c",
                  "echo '{\\"reading\\":\\"instant\\",\\"type\\":\\"heartRate\\",\\"value\\":900,\\"unit\\":\\"count/min\\"}'; exec cat"] },
              },
              sinks: {
                store: "sqlite",
                dead: { use: "http", url: "http://127.0.0.1:9/v1/samples" },
              },
              services: { web: { use: "web", listen: "127.0.0.1:\(port)",
                tokens: { prometheus: { env: "PROMETHEUS_TOKEN" } }, metrics: \(metrics) } },
            }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "web page", on: .error)
        try await gateway.waitForLines(with: "dead: cannot write", on: .error)
        let granted = try await home.run("access", "grant", "web:-:prometheus", "--read", "all")
        XCTAssertEqual(granted.ending, .exited(0), granted.error)
        return gateway
    }

    private static let token = "sQ9vJ2mX7cK4tR8wZ1yB6nH3gF5dL0pA"
    private static let heartRate = "pulsegate_heart_rate_beats_per_minute"

    private func makeHome() throws -> Home {
        var home = try Home()
        home.environment["PROMETHEUS_TOKEN"] = Self.token
        return home
    }

    private func stop(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    func testHeartRates_whereTheyAreSet_areMetrics() async throws {
        let home = try makeHome()
        let port = try LocalPort.free()
        let server = try await PrometheusServer(reading: "127.0.0.1:\(port)", token: Self.token)
        let gateway = try await startGateway(home, port: port, metrics: "{ values: true }")
        let rates = try server.wait(for: Self.heartRate) { _ in true }
        XCTAssertEqual(rates.map { $0.labels["person"] }, ["me"])
        XCTAssertEqual(rates.map { $0.labels["device"] }, ["Simulated Strap"])
        XCTAssertTrue(rates.allSatisfy { (30...220).contains($0.value) }, "\(rates)")
        try await stop(gateway)
    }

    func testEveryQueryHasValues() async throws {
        let home = try makeHome()
        let port = try LocalPort.free()
        let address = "127.0.0.1:\(port)"
        let server = try await PrometheusServer(reading: address, token: Self.token)
        let gateway = try await startGateway(home, port: port)
        let dashboard = try Self.dashboard()
        XCTAssertGreaterThanOrEqual(dashboard.queries.count, 30)

        var values: [String: [Double]] = [:]
        for query in dashboard.queries {
            let text = Dashboard.replace(Self.all, in: query.text)
            XCTAssertNil(text.firstMatch(of: /\$[A-Za-z_{]/), "\(text) has an unknown variable")
            let needed = Self.needed[query.panel]
            let series = try server.wait(for: text) { series in
                series.allSatisfy { $0.value.isFinite }
                    && needed.map { series.map(\.value).contains($0) } ?? true
            }
            values[query.panel, default: []] += series.map(\.value)
        }

        XCTAssertEqual(values["Failing parts"], [1], "the sink alone")
        XCTAssertEqual(values["Records not stored"]?.allSatisfy { $0 == 0 }, true)
        for panel in ["Memory", "Uptime", "Pending records", "Age of the oldest pending record"] {
            XCTAssertGreaterThan(values[panel]?.max() ?? 0, 0, panel)
        }
        let devices = try server.labelValues(
            Dashboard.replace(
                Self.all, in: dashboard.variables.first { $0.name == "device" }?.query ?? ""))
        XCTAssertTrue(devices.contains("simulated-strap"), "\(devices)")
        let instances = try server.labelValues(
            dashboard.variables.first { $0.name == "instance" }?.query ?? "")
        XCTAssertEqual(instances, [address])
        // Only where the configuration wants it.
        XCTAssertEqual(try server.query(Self.heartRate).count, 0)
        try await stop(gateway)
    }

    /// Values that come a moment after the start.
    private static let needed: [String: Double] = [
        "Failing parts": 1, "Live devices": 2, "Links": 2, "Skin contact": 1, "Battery": 1,
        "Ledger": 1, "Time base": 1,
    ]
}
