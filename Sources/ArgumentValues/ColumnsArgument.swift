package import GatewayHost
import JSON
import Platform

/// The names of columns on the command line, in their order: `start,value`.
package enum ColumnsArgument {
    /// Parses names of columns; the error lists the known ones.
    ///
    /// Case is ignored. Each name is given once.
    package static func columns(
        _ text: String, among known: [String], option: String
    ) throws(HostError) -> [String] {
        var columns: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.filter { $0 != " " }
            guard let column = known.first(where: { $0.lowercased() == name.lowercased() }) else {
                throw unknown(name, among: known, option: option)
            }
            guard !columns.contains(column) else {
                throw HostError(.usage, "\(option): `\(column)` is given twice")
            }
            columns.append(column)
        }
        return columns
    }

    private static func unknown(
        _ name: String, among known: [String], option: String
    ) -> HostError {
        let nearest = Suggestion.nearest(to: name, in: known)
        return HostError(
            .usage,
            "\(option): unknown column `\(LogFormat.escaped(name))`; "
                + (nearest.map { "did you mean `\($0)`? " } ?? "")
                + "known: \(known.joined(separator: ", "))")
    }
}
