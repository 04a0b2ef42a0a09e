import GatewayCore
package import HealthModel
import HealthStore
import JSON
import Platform
package import SQLiteStore
package import Terminal

/// What a deletion deletes, as a table and as JSON.
package struct DeletionText {
    /// The maximum number of ids that a message names.
    private static let maximumIDCount = 10

    private struct Row {
        let group: DeletionGroup
        /// Why the records are deleted, if they are not selected.
        let reason: String?
    }

    private let rows: [Row]
    private let count: Int

    /// - Parameter preview: What is found before the deletion.
    package init(_ preview: DeletionPreview) {
        rows =
            Self.sorted(preview.selected).map { Row(group: $0, reason: nil) }
            + Self.sorted(preview.together).map { Row(group: $0, reason: Self.reason($0)) }
        count = preview.count
    }

    private static func sorted(_ groups: [DeletionGroup]) -> [DeletionGroup] {
        groups.sorted {
            ($0.kind.rawValue, $0.type ?? "", $0.person ?? "")
                < ($1.kind.rawValue, $1.type ?? "", $1.person ?? "")
        }
    }

    private static func reason(_ group: DeletionGroup) -> String {
        group.kind == .correlation ? "has a deleted member" : "member of a deleted correlation"
    }

    /// The name of the type, as in `pulsegate query`.
    private static func type(of group: DeletionGroup) -> String {
        group.type ?? (group.kind == .workout ? RecordType.workout.name : "deviceEvent")
    }

    /// One row for each type and person.
    package func table(_ painter: Painter, within width: TerminalWidth? = nil) -> String {
        guard !rows.isEmpty else { return "" }
        let hasReasons = rows.contains { $0.reason != nil }
        let headings = ["TYPE", "PERSON", "COUNT", "FROM", "TO"] + (hasReasons ? ["REASON"] : [])
        var table = TextTable(headings, right: 2..<3)
        for row in rows {
            let group = row.group
            let cells = [
                LogFormat.escaped(Self.type(of: group)),
                group.person.map(LogFormat.escaped) ?? "-", "\(group.count)",
                LocalTime.short(group.start), LocalTime.short(group.end),
            ]
            let reason = hasReasons ? [row.reason ?? "selected"] : []
            table.add((cells + reason).map { TextTable.Cell($0) })
        }
        return table.text(painter, within: width)
    }

    /// One line of JSON.
    ///
    /// - Parameters:
    ///   - deleted: The number of deleted records; nil when nothing was deleted.
    ///   - person: The person who was deleted.
    package func json(deleted: Int?, person: String? = nil) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("deleted", deleted != nil)
            json.field("person", person)
            json.field("count", Int64(deleted ?? count))
            json.objects("records", rows) { row, json in
                json.field("type", Self.type(of: row.group))
                json.field("person", row.group.person)
                json.field("count", Int64(row.group.count))
                json.field("from", "\(row.group.start)")
                json.field("to", "\(row.group.end)")
                json.field("reason", row.reason)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    /// `samples with the ids A, B`: the first ids, and the number of the others.
    package static func samples(_ ids: [RecordID]) -> String {
        let noun = ids.count == 1 ? "sample with the id" : "samples with the ids"
        let names = ids.prefix(maximumIDCount).map(\.description).joined(separator: ", ")
        let others = ids.count - maximumIDCount
        return "\(noun) \(names)" + (others > 0 ? " and \(others) more" : "")
    }

    /// `1 record`, `12 records`.
    package static func records(_ count: Int) -> String {
        count == 1 ? "1 record" : "\(count) records"
    }
}
