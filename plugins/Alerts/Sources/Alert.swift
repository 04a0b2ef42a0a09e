import JSON
import Platform

/// Something that is worth waking somebody, or the end of it.
struct Alert: Hashable, Sendable {
    /// The kinds; a raw value never changes its meaning.
    enum Kind: String, CaseIterable, Sendable {
        /// The battery of a device is nearly empty.
        case batteryLow = "battery-low"
        /// A device of a running workout sends nothing.
        case noData = "no-data"
        /// A sink has been failing for a long time.
        case sinkFailing = "sink-failing"
        /// A source has been failing for a long time.
        case sourceFailing = "source-failing"
    }

    let kind: Kind
    /// The device, the sink or the source, by its identifier or name.
    let subject: String
    /// Whether it has begun; otherwise it is over.
    let isRaised: Bool
    /// What has happened, for a person, without health values.
    let message: String

    /// The same for the begin and the end of one thing: `battery-low:D0:11:22:33:44:55`.
    var id: String { Self.id(kind, subject) }

    static func id(_ kind: Kind, _ subject: String) -> String { "\(kind.rawValue):\(subject)" }

    /// `raised` or `cleared`.
    var state: String { isRaised ? "raised" : "cleared" }

    /// The alert as a line of JSON for a program.
    var line: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.field("id", id)
            json.field("kind", kind.rawValue)
            json.field("subject", subject)
            json.field("state", state)
            json.field("message", message)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The alert as variables of the environment, for a program that does not read JSON.
    var variables: [String: String] {
        [
            "PULSEGATE_ALERT_ID": id, "PULSEGATE_ALERT_KIND": kind.rawValue,
            "PULSEGATE_ALERT_SUBJECT": subject, "PULSEGATE_ALERT_STATE": state,
            "PULSEGATE_ALERT_MESSAGE": message,
        ].mapValues { $0.replacing(text: "\0", with: "") }
    }
}
