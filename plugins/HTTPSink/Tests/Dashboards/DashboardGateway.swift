import Foundation
import GatewayTesting
import Glibc
import XCTest

/// A gateway whose simulated people each have a constant heart rate in a zone of their own, and one
/// of whom walks; its sink sends everything to a database.
struct DashboardGateway {
    /// The heart rates of `zone1` to `zone5`, with a maximum of 190.
    static let rates = [100, 120, 140, 160, 180]
    static let people = rates.indices.map { "zone\($0 + 1)" }
    static let walker = "ada"
    /// What `ada` enters by hand, in kilocalories.
    static let energy = 12.0

    private let home: Home
    private let command: RunningCommand

    /// Starts it, with a sink that sends to this URL.
    init(url: String) async throws {
        home = try Home()
        try home.configure(Self.configuration(url: url))
        command = try home.start("run")
        try await command.waitForLines(Self.people.count + 1, with: "connected", on: .error)
        let added = try await home.run(
            "add", "activeEnergyBurned", "\(Self.energy)", "kcal", "--person", Self.walker)
        XCTAssertEqual(added.ending, .exited(0), added.error)
    }

    /// Stops it; no record was lost on the way.
    func stop() async throws {
        let status = try await home.run("status", "--prometheus")
        await command.send(SIGTERM)
        let ending = try await command.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        XCTAssertTrue(
            status.output.contains(
                #"pulsegate_sink_records_total{sink="samples",outcome="rejected"} 0"#),
            status.output)
    }

    private static func configuration(url: String) -> String {
        let sources = zip(people, rates).map { person, rate in
            """
            \(person): { use: "simulator", group: "\(person)", heartRate: \(rate),
              devices: { heartRateStrap: 1 } },
            """
        }
        let devices = people.map { #""simulated-\#($0)-strap": { person: "\#($0)" },"# }
        return """
            {
              sources: {
                \(sources.joined(separator: "\n"))
                walk: { use: "simulator", group: "walk", devices: { pedometer: 1 } },
              },
              sinks: {
                store: "sqlite",
                samples: { use: "http", url: "\(url)", format: "influx" },
              },
              people: { \(walker): {}, \(people.map { "\($0): {}" }.joined(separator: ", ")) },
              devices: {
                \(devices.joined(separator: "\n"))
                "simulated-walk-pedometer": { person: "\(walker)" },
              },
            }
            """
    }
}

/// A series that a query of a dashboard has given.
struct DashboardSeries {
    let tags: [String: String]
    /// The newest value.
    let value: Double

    var person: String { tags["person"] ?? "" }
}

extension DashboardSeries {
    /// How long a query may have no values.
    private static let patience = Duration.seconds(60)

    /// Asks until a query has values.
    ///
    /// A database does not say when it has stored what was sent to it.
    static func wait(
        for query: String, until isEnough: ([DashboardSeries]) -> Bool = { !$0.isEmpty },
        ask: (String) async throws -> [DashboardSeries]
    ) async throws -> [DashboardSeries] {
        let end = ContinuousClock.now.advanced(by: patience)
        while ContinuousClock.now < end {
            let series = try await ask(query)
            if isEnough(series) { return series }
        }
        throw ProgramFailure("no values of \(query)")
    }
}
