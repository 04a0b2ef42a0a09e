import GatewayHost
import JSON

/// How samples are printed.
enum SampleFormat: String, CaseIterable {
    /// Columns for a person, in local time.
    case table
    /// RFC 4180, with a header.
    case csv
    /// One list of objects.
    case json
    /// An object a line.
    case ndjson

    /// Reads the value of `--format`; a table when there is none.
    init(argument: String?) throws(HostError) {
        guard let argument else {
            self = .table
            return
        }
        guard let format = SampleFormat(rawValue: argument) else {
            let known = SampleFormat.allCases.map(\.rawValue)
            throw HostError(
                .usage,
                "--format: `\(argument)` is unknown; "
                    + Suggestion.message(unknown: argument, known: known))
        }
        self = format
    }
}
