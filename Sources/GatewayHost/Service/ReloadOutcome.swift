package import GatewayCore
import JSON

/// Whether a running gateway applied a change of the files in its data directory.
package enum ReloadOutcome: Hashable, Sendable {
    /// The gateway has reloaded its files.
    case applied
    /// The change is stored, but the reload failed.
    case failed(reason: String)

    /// Writes the outcome as fields of an answer.
    func write(to json: inout JSONWriter) {
        switch self {
        case .applied: json.field("applied", true)
        case .failed(let reason):
            json.field("applied", false)
            json.field("reason", reason)
        }
    }

    /// Reads the outcome from the answer of a gateway.
    package init(answer node: ConfigurationNode) throws(ConfigurationError) {
        let fields = try AnswerFields(node)
        if try fields.require("applied").boolean() {
            self = .applied
        } else {
            self = .failed(reason: try fields.require("reason").string())
        }
    }
}
