import HealthModel
import HourSummaries
import SQLite

/// Marks the hours that have a summary when samples arrive late.
///
/// A sample that is newer than the summaries, as nearly all are, costs one comparison.
final class SummaryMarks {
    /// The maximum number of marks of a type and a batch; more are joined.
    private static let limit = 100

    private let findProgress: SQLiteStatement
    private let insert: SQLiteStatement
    /// The first start of a sample that changes no summary, by the row of its type.
    private var bounds: [Int64: Int64] = [:]
    /// The last one of them that was used.
    private var last: (type: Int64, bound: Int64)?
    private var marks: [Int64: [ClosedRange<Int64>]] = [:]

    init(_ connection: SQLiteConnection) throws {
        findProgress = try connection.prepare(
            "SELECT until_hour FROM summary_progress WHERE type = ?")
        insert = try connection.prepare("INSERT OR IGNORE INTO summary_mark VALUES (?, ?, ?)")
    }

    /// Notes a sample that is inserted.
    func note(type: Int64, start: Int64, duration: Int64) throws {
        guard start < (try bound(of: type)) else { return }
        let hours = SummaryHours.changed(bySampleAt: start, duration: duration)
        var marks = self.marks.removeValue(forKey: type) ?? []
        if let last = marks.last, last.touches(hours) || marks.count >= Self.limit {
            marks[marks.count - 1] = last.joined(with: hours)
        } else {
            marks.append(hours)
        }
        self.marks[type] = marks
    }

    /// Writes the marks, in the transaction of the samples.
    func write() throws {
        guard !marks.isEmpty else { return }
        for (type, marks) in marks {
            for hours in marks {
                try insert.bind(integer: type, at: 1)
                try insert.bind(integer: hours.lowerBound, at: 2)
                try insert.bind(integer: hours.upperBound, at: 3)
                try insert.run()
            }
        }
        marks.removeAll(keepingCapacity: true)
    }

    /// Forgets what is known of the file, and the marks of a batch that failed.
    func reset() {
        bounds.removeAll()
        last = nil
        marks.removeAll()
        findProgress.reset()
        insert.reset()
    }

    private func bound(of type: Int64) throws -> Int64 {
        if let last, last.type == type { return last.bound }
        let bound = try bounds[type] ?? storedBound(of: type)
        bounds[type] = bound
        last = (type, bound)
        return bound
    }

    private func storedBound(of type: Int64) throws -> Int64 {
        defer { findProgress.reset() }
        try findProgress.bind(integer: type, at: 1)
        guard try findProgress.step() else { return .min }
        return SummaryHours.start(of: findProgress.integer(at: 0))
            .adding(nanoseconds: SummaryHours.gap).nanosecondsSince1970
    }
}

extension ClosedRange<Int64> {
    fileprivate func touches(_ other: Self) -> Bool {
        lowerBound <= other.upperBound + 1 && other.lowerBound <= upperBound + 1
    }

    fileprivate func joined(with other: Self) -> Self {
        Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
    }
}
