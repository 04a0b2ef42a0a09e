package import GatewayHost
import JSON

/// An output format for records and statistics.
package enum SampleFormat: String, CaseIterable {
    /// Aligned columns, in local time.
    case table
    /// CSV with a header (RFC 4180).
    case csv
    /// A JSON array of objects.
    case json
    /// One JSON object per line.
    case ndjson

    /// Parses the value of `--format`; `table` by default.
    package init(argument: String?) throws(HostError) {
        guard let argument else {
            self = .table
            return
        }
        guard let format = SampleFormat(rawValue: argument) else {
            let known = SampleFormat.allCases.map(\.rawValue)
            throw HostError(
                .usage,
                "--format: unknown format `\(argument)`; "
                    + Suggestion.message(unknown: argument, known: known))
        }
        self = format
    }
}
