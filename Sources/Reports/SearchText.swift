import GatewayCore
package import HealthModel
import JSON
import Platform
import SQLiteStore
package import Terminal
import WorkoutScreens

/// The result of a search as a table, CSV and JSON.
package struct SearchText {
    private let result: SearchResult
    private let calendar: LocalCalendar
    private let width: TerminalWidth?

    /// Creates the text.
    ///
    /// - Parameter width: The width of the terminal; nil for other outputs.
    package init(_ result: SearchResult, calendar: LocalCalendar, width: TerminalWidth?) {
        self.result = result
        self.calendar = calendar
        self.width = width
    }

    /// One row per hit, and how many of all were found; empty when there is none.
    package var table: String {
        guard !result.isEmpty else { return "" }
        var table = TextTable(["KIND", "NAME", "PERSON", "ID", "FOUND IN"])
        let workouts = result.hits.filter { $0.scope == .workouts }.compactMap {
            RecordID(uuidString: $0.id)
        }
        var shortIDs = WorkoutListText.shortIDs(workouts, among: result.workoutIDs)[...]
        for hit in result.hits {
            let id = hit.scope == .workouts ? shortIDs.popFirst() ?? hit.id : hit.id
            let cells = [
                hit.scope.noun(1), name(of: hit), hit.person ?? "-", id,
                hit.matches.map { "\($0.name) \($0.text)" }.joined(separator: ", "),
            ]
            table.add(cells.map { TextTable.Cell(LogFormat.escaped($0)) })
        }
        let summary = width.map { TextWidth.wrapped(result.summary, columns: $0.columns) }
        return table.text(.plain, within: width)
            + (summary ?? [result.summary]).map { "\($0)\n" }.joined()
    }

    /// `running 2026-11-21 18:15`, or the name of a device or person.
    private func name(of hit: SearchResult.Hit) -> String {
        guard let start = hit.start else { return hit.name }
        return "\(hit.name) \(LocalTime.text(start, calendar).prefix(16))"
    }

    /// The hits for programs.
    package var report: Report {
        let rows = result.hits.map(Self.row)
        var json = JSONWriter()
        json.object { json in
            json.list("hits", rows) { $1 += $0.utf8 }
            json.objects("counts", result.counts) { count, json in
                json.field("kind", count.scope.noun(1))
                json.field("shown", Int64(count.shown))
                json.field("found", Int64(count.found))
                json.field("total", Int64(count.total))
            }
        }
        return Report(
            columns: ["kind", "id", "name", "person", "start", "matches"], rows: rows,
            document: String(decoding: json.bytes, as: UTF8.self))
    }

    private static func row(of hit: SearchResult.Hit) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("kind", hit.scope.noun(1))
            json.field("id", hit.id)
            json.field("name", hit.name)
            json.field("person", hit.person)
            json.field("start", hit.start.map { "\($0)" })
            json.object("matches") { json in
                for (name, text) in texts(of: hit.matches) { json.field(name, text) }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The texts by field; the labels of several laps are in one field.
    private static func texts(of matches: [SearchField]) -> [(name: String, text: String)] {
        var texts: [(name: String, text: String)] = []
        for match in matches {
            if let place = texts.firstIndex(where: { $0.name == match.name }) {
                texts[place].text += "; \(match.text)"
            } else {
                texts.append((match.name, match.text))
            }
        }
        return texts
    }
}
