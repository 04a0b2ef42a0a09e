package import GatewayCore
import JSON
import Platform

/// A service that reports what is worth waking somebody: in the log, and to a program.
package struct Alerts: Service {
    private static let everyRange = 1.0...3_600.0
    private static let defaultEvery = 30.0

    private let limits: AlertLimits
    private let every: Double
    private let program: AlertProgram?
    private let clock: any GatewayClock
    private let log: Logger

    init(_ settings: ConfigurationObject, _ context: ComponentContext) throws(ConfigurationError) {
        limits = try AlertLimits(settings)
        every = try settings["every"]?.duration(in: Self.everyRange) ?? Self.defaultEvery
        program = try settings["command"].map { node throws(ConfigurationError) in
            try AlertProgram(node, context)
        }
        clock = context.clock
        log = context.log
    }

    /// The factory for `{ use: "alerts", command: ["notify"] }`.
    package static let factory = ServiceFactory(
        use: "alerts", keys: about.settings.map(\.name), about: about
    ) { settings, context throws(ConfigurationError) in
        try Alerts(settings, context)
    }

    package func run(_ gateway: ServiceAccess) async throws {
        var rules = AlertRules(limits)
        while true {
            if let facts = try await facts(gateway) {
                for alert in rules.look(at: facts, at: clock.now()) {
                    note(alert)
                    guard let program else { continue }
                    gateway.report(try await program.run(for: alert))
                }
            }
            try await clock.sleep(seconds: every)
        }
    }

    /// What the gateway answers; nil when it answers nothing that can be read, as while it stops.
    private func facts(_ gateway: ServiceAccess) async throws -> AlertFacts? {
        guard let status = await StatusQuestion.ask(StatusQuestion.status, gateway.requests),
            let workouts = await StatusQuestion.ask(StatusQuestion.workouts, gateway.requests)
        else { return nil }
        try Task.checkCancellation()
        return try? AlertFacts(status: status, workouts: workouts)
    }

    private func note(_ alert: Alert) {
        if alert.isRaised {
            log.warning("alert: \(alert.message)", ["id": alert.id, "state": alert.state])
        } else {
            log.info("alert is over: \(alert.message)", ["id": alert.id, "state": alert.state])
        }
    }
}

extension Alerts {
    static let about = PluginDescription(
        summary: "Reports what is worth waking somebody to the log and to a program.",
        settings: [
            .init(
                "command", "the program that is run for each alert, and its arguments",
                kind: .strings, default: "none"),
            .init(
                "batteryBelow", "charge from 0 to 1 below which a battery is low", kind: .number,
                default: "0.1"),
            .init(
                "failingFor", "how long a sink or a source fails before it is an alert",
                kind: .span, default: "1h"),
            .init(
                "noDataFor",
                "how long a device of a running workout sends nothing before it is an alert",
                kind: .span, default: "60s"),
            .init("every", "time between two looks, 1s to 1h", kind: .span, default: "30s"),
        ],
        sample: """
            {
              sources: { straps: { use: "bluetooth" } },
              services: {
                alerts: {
                  use: "alerts",
                  command: ["/usr/local/bin/notify-me"],
                  batteryBelow: 0.1,
                  failingFor: "1h",
                  noDataFor: "60s",
                },
              },
            }

            """)
}
