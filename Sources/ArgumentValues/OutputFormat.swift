package import GatewayHost
import JSON
import Platform

/// An output format of a command that lists or reports.
package enum OutputFormat: String, CaseIterable, Sendable {
    /// Aligned columns or lines for people, in local time.
    case table
    /// CSV with a header (RFC 4180).
    case csv
    /// One JSON document.
    case json
    /// One JSON object per line.
    case ndjson

    /// Parses the value of `--format`, or `--json`, which is short for `--format json`; `table` by
    /// default.
    package init(argument: String?, isJSON: Bool = false) throws(HostError) {
        guard let argument else {
            self = isJSON ? .json : .table
            return
        }
        guard let format = OutputFormat(rawValue: argument) else {
            let known = OutputFormat.allCases.map(\.rawValue)
            throw HostError(
                .usage,
                "--format: unknown format `\(LogFormat.escaped(argument))`; "
                    + Suggestion.message(unknown: argument, known: known))
        }
        guard !isJSON || format == .json else {
            throw HostError(
                .usage,
                "--json means --format json, which contradicts --format \(format.rawValue); remove one of them"
            )
        }
        self = format
    }
}
