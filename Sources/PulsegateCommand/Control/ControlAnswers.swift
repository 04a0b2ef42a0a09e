import GatewayCore
import HealthModel

/// What a gateway says on its control socket; an answer is one line, without its end.
struct ControlAnswers: Sendable {
    /// The workouts that go on.
    let workouts: WorkoutManager
    /// How the gateway is doing.
    let status: @Sendable () async -> [UInt8]
    /// The names of those whose records there may be.
    let people: @Sendable () async -> [String]
    /// The types whose samples there may be.
    let types: @Sendable () async -> QuantityTypes
    /// What came of reading the configuration again.
    let reload: @Sendable () async -> [UInt8]
    /// What came of a sample that somebody has entered.
    let add: @Sendable (QuantitySample) async -> [UInt8]
    /// What came of records of a file.
    let take: @Sendable ([Record]) async -> [UInt8]
}

extension ControlAnswers {
    /// The answer to a sample that somebody has entered: its id, or why it is not accepted.
    static func line(of acceptance: Acceptance, of sample: QuantitySample) -> [UInt8] {
        line(of: acceptance) { json in json.object("added") { $0.field("id", "\(sample.id)") } }
    }

    /// The answer to records of a file: how many they are, or why they are not accepted.
    static func line(of acceptance: Acceptance, of records: [Record]) -> [UInt8] {
        line(of: acceptance) { json in json.field("taken", Int64(records.count)) }
    }

    private static func line(
        of acceptance: Acceptance, whenAccepted write: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            switch acceptance {
            case .accepted: write(&json)
            case .waiting(let reason):
                json.field(
                    "error",
                    "not stored yet, it waits in memory: \(reason); mend that, and do not add it again"
                )
            case .taken: json.field("error", "another record has that id")
            case .stopping: json.field("stopping", true)
            }
        }
        return json.bytes
    }

    /// The answer of a gateway that is stopping: ask the next one.
    static let stopping = Array(#"{"stopping":true}"#.utf8)

    /// The answer to a wish to reload: what was done, or what is wrong.
    static func line(
        of reload: () async throws(CommandFailure) -> Gateway.Changes
    ) async -> [UInt8] {
        var json = JSONWriter()
        do throws(CommandFailure) {
            let changes = try await reload()
            json.object { json in
                json.object("reload") { json in
                    json.object("sources") { changes.sources.write(to: &$0) }
                    json.object("sinks") { changes.sinks.write(to: &$0) }
                }
            }
        } catch {
            json.object { $0.field("error", error.text) }
        }
        return json.bytes
    }
}

extension GatewayChange {
    fileprivate func write(to json: inout JSONWriter) {
        json.strings("kept", kept)
        json.strings("changed", changed)
        json.strings("added", added)
        json.strings("removed", removed)
    }
}
