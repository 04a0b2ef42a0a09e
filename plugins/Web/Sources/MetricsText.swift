import JSON
import Platform

/// The text of the metrics, in the format that a request accepts.
struct MetricsText {
    private static let openMetricsType = "application/openmetrics-text"

    private let isOpenMetrics: Bool
    private let hasValues: Bool

    /// Chooses the format by the header Accept; `hasValues` adds health values.
    init(accept: String?, hasValues: Bool) {
        isOpenMetrics = accept?.contains(text: Self.openMetricsType) ?? false
        self.hasValues = hasValues
    }

    /// What the request to the gateway has.
    var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "format": .string(isOpenMetrics ? "openMetrics" : "prometheus")
        ]
        if hasValues { fields["values"] = .boolean(true) }
        return fields
    }

    /// The format of the response.
    var format: AnswerChannel.Format {
        AnswerChannel.Format(
            headers: [
                (
                    "Content-Type",
                    isOpenMetrics
                        ? "\(Self.openMetricsType); version=1.0.0; charset=utf-8"
                        : "text/plain; version=0.0.4; charset=utf-8"
                ),
                ("Cache-Control", "no-store"), ("Vary", "Accept"),
            ], convert: { line, _ in Self.text(of: line) })
    }

    /// The text in the gateway's answer: `{"metrics":"…"}`.
    private static func text(of line: ArraySlice<UInt8>) -> [UInt8] {
        guard let text = String(validating: line, as: UTF8.self),
            case .object(let fields)? = try? JSONValue(json5: text),
            case .string(let metrics)? = fields["metrics"]
        else { return [] }
        return Array(metrics.utf8)
    }
}
