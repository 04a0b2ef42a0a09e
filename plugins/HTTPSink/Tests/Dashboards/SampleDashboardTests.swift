import Foundation
import HTTPTesting
import XCTest

/// The queries of the dashboards of samples, with the databases that the sink has filled.
final class SampleDashboardTests: XCTestCase {
    private typealias Ask = (String) async throws -> [DashboardSeries]

    /// The values of variables: those that Grafana sets, and all people and devices.
    private static let all = [
        "__interval": "5s", "__range": "1h", "timeFilter": "time > now() - 1h AND time < now()",
        "maximum": "190", "person": ".*", "device": ".*",
    ]

    private static func dashboard(_ name: String) throws -> Dashboard {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try Dashboard(path: folder.appending(path: "Grafana/\(name).json").path)
    }

    func testVictoriaMetrics_everyQueryHasValues() async throws {
        let server = try await VictoriaServer()
        let dashboard = try Self.dashboard("samples-victoriametrics")
        let gateway = try await DashboardGateway(url: "\(server.url)/write")
        try await check(dashboard) { try await server.query($0) }
        for variable in dashboard.variables {
            let values = try await server.labelValues(
                Dashboard.replace(Self.all, in: variable.query))
            check(values, of: variable)
        }
        // A share, so that each of these people was in one zone all the time.
        for (index, query) in dashboard.queries.filter({ $0.panel == "Heart rate zones" })
            .enumerated()
        {
            let series = try await server.query(Dashboard.replace(Self.all, in: query.text))
            XCTAssertEqual(
                Dictionary(uniqueKeysWithValues: series.map { ($0.person, $0.value) }),
                Dictionary(
                    uniqueKeysWithValues: DashboardGateway.people.enumerated().map {
                        ($1, $0 == index ? 1 : 0)
                    }), query.text)
        }
        try await gateway.stop()
    }

    func testInfluxDB_everyQueryHasValues() async throws {
        let server = try await InfluxServer()
        let dashboard = try Self.dashboard("samples-influxdb")
        let gateway = try await DashboardGateway(url: "\(server.url)/write?db=health")
        try await check(dashboard) { try await server.newest($0) }
        for variable in dashboard.variables {
            let series = try await server.query(variable.query)
            let values = series.flatMap(\.values).compactMap { row -> String? in
                if case .text(let value)? = row.last { value } else { nil }
            }
            check(values, of: variable)
        }
        for (index, query) in dashboard.queries.filter({ $0.panel == "Heart rate zones" })
            .enumerated()
        {
            let series = try await server.newest(Dashboard.replace(Self.all, in: query.text))
            XCTAssertEqual(series.map(\.person), [DashboardGateway.people[index]], query.text)
        }
        try await gateway.stop()
    }

    // MARK: What both have

    private func check(_ dashboard: Dashboard, ask: Ask) async throws {
        XCTAssertGreaterThanOrEqual(dashboard.queries.count, 16)
        var newest: [String: [DashboardSeries]] = [:]
        for query in dashboard.queries {
            let text = Dashboard.replace(Self.all, in: query.text)
            XCTAssertNil(text.firstMatch(of: /\$[A-Za-z_{]/), "\(text) has an unknown variable")
            let people = Self.people(in: query.panel)
            let series = try await DashboardSeries.wait(
                for: text,
                until: { !$0.isEmpty && people.isSubset(of: $0.map(\.person)) }, ask: ask)
            XCTAssertTrue(series.allSatisfy { $0.value.isFinite }, "\(query.panel): \(series)")
            newest[query.panel] = series
        }
        checkValues(newest)
        try await checkSelection(dashboard, ask)
    }

    /// The people whom a panel must have; a zone has those who were in it.
    private static func people(in panel: String) -> Set<String> {
        switch panel {
        case "Heart rate zones": []
        case "Heart rate now", "Heart rate", "Heart rate, share of the maximum", "Battery",
            "Skin contact":
            Set(DashboardGateway.people)
        default: [DashboardGateway.walker]
        }
    }

    private func checkValues(_ newest: [String: [DashboardSeries]]) {
        for (person, rate) in zip(DashboardGateway.people, DashboardGateway.rates) {
            for panel in ["Heart rate now", "Heart rate"] {
                let values = newest[panel]?.filter { $0.person == person }.map(\.value)
                XCTAssertEqual(values, [Double(rate)], panel)
            }
            let percent =
                newest["Heart rate, share of the maximum"]?
                .first { $0.person == person }?.value ?? 0
            XCTAssertEqual(percent, Double(rate) / 190 * 100, accuracy: 0.001)
            let battery = newest["Battery"]?.first { $0.person == person }?.value
            XCTAssertEqual(battery, 1)
            let contact = newest["Skin contact"]?.first { $0.person == person }?.value
            XCTAssertEqual(contact, 1)
        }
        for panel in ["Steps", "Steps per hour", "Distance", "Distance per hour"] {
            let value = newest[panel]?.first { $0.person == DashboardGateway.walker }?.value ?? 0
            XCTAssertGreaterThan(value, 0, panel)
        }
        for panel in ["Active energy", "Active energy per hour"] {
            let entered = newest[panel]?.first { $0.person == DashboardGateway.walker }?.value
            XCTAssertEqual(entered, DashboardGateway.energy, panel)
        }
    }

    /// Two people are chosen, as Grafana writes a choice of several.
    private func checkSelection(_ dashboard: Dashboard, _ ask: Ask) async throws {
        var values = Self.all
        values["person"] = "(zone1|zone2)"
        let query = try XCTUnwrap(dashboard.queries.first { $0.panel == "Heart rate" })
        let two = try await ask(Dashboard.replace(values, in: query.text))
        XCTAssertEqual(two.map(\.person).sorted(), ["zone1", "zone2"])
        values["device"] = "simulated-zone2-strap"
        let one = try await ask(Dashboard.replace(values, in: query.text))
        XCTAssertEqual(one.map(\.person), ["zone2"])
    }

    private func check(_ values: [String], of variable: Dashboard.Variable) {
        let expected =
            variable.name == "person"
            ? DashboardGateway.people + [DashboardGateway.walker]
            : DashboardGateway.people.map { "simulated-\($0)-strap" } + ["simulated-walk-pedometer"]
        XCTAssertEqual(Set(values), Set(expected), variable.query)
    }
}

extension VictoriaServer {
    private struct Answer: Decodable {
        struct Content: Decodable {
            let result: [Result]
        }
        struct Result: Decodable {
            let metric: [String: String]
            let value: [Value]
        }
        let data: Content
    }

    /// The time, and the value as a text.
    private enum Value: Decodable {
        case time(Double), text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let time = try? container.decode(Double.self) {
                self = .time(time)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        var number: Double? { if case .text(let text) = self { Double(text) } else { nil } }
    }

    /// The values that a query has now.
    func query(_ query: String) async throws -> [DashboardSeries] {
        let answer = try await Program.curl([
            "-G", "\(url)/api/v1/query", "--data-urlencode", "query=\(query)",
        ])
        XCTAssertEqual(answer.status, "200", answer.body)
        let results = try JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8))
        return results.data.result.map {
            DashboardSeries(tags: $0.metric, value: $0.value.last?.number ?? .nan)
        }
    }

    /// The values of a label: `label_values(SERIES, LABEL)`, as Grafana asks for them.
    func labelValues(_ query: String) async throws -> [String] {
        let match = try XCTUnwrap(query.wholeMatch(of: /label_values\((.+), *(\w+)\)/), query)
        let answer = try await Program.curl([
            "-G", "\(url)/api/v1/label/\(match.2)/values", "--data-urlencode",
            "match[]=\(match.1)",
        ])
        return try JSONDecoder().decode(LabelValues.self, from: Data(answer.body.utf8)).data
    }

    private struct LabelValues: Decodable {
        let data: [String]
    }
}

extension InfluxServer {
    /// The newest value of each series of a query; none yet is an empty list.
    func newest(_ query: String) async throws -> [DashboardSeries] {
        let answer = try await Program.curl([
            "-G", "\(url)/query?db=health&epoch=ns", "--data-urlencode", "q=\(query)",
        ])
        let results = try JSONDecoder().decode(Answer.self, from: Data(answer.body.utf8)).results
        return (results.first?.series ?? []).compactMap { series in
            // A bucket in which nothing was measured has no value.
            let values = series.values.compactMap { row -> Double? in
                switch row.last {
                case .number(let value): value
                case .whole(let value): Double(value)
                case .boolean(let value): value ? 1 : 0
                default: nil
                }
            }
            return values.last.map { DashboardSeries(tags: series.tags, value: $0) }
        }
    }
}
