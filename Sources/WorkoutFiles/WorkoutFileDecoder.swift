package import HealthModel
import XML

/// Decodes a FIT or TCX file, detected by its first bytes, piece by piece.
///
/// A TCX file is decoded as it comes. FIT has its checksum at the end, so the file is collected first.
package struct WorkoutFileDecoder {
    private enum Format {
        case fit([UInt8])
        case tcx(TCXImport)
    }

    private var format: Format
    private var size = 0

    /// Starts with the first bytes of a file, at least 1 KiB of them unless the file is shorter.
    ///
    /// - Parameters:
    ///   - isLast: Whether these are all bytes of the file.
    ///   - calendar: The local calendar, for times in TCX without a time zone.
    package init(
        _ start: [UInt8], isLast: Bool, calendar: LocalCalendar
    ) throws(WorkoutFileError) {
        size = start.count
        if FITReader.isFIT(start) {
            format = .fit(start)
        } else if XMLOpening(start) != nil, !ForeignFile.isWebPage(start) {
            format = .tcx(try TCXImport(start, isLast: isLast, calendar: calendar))
        } else {
            throw .foreign(ForeignFile(start))
        }
        try checkSize()
    }

    /// Adds the next piece of the file.
    package mutating func append(_ piece: [UInt8], isLast: Bool) throws(WorkoutFileError) {
        size += piece.count
        try checkSize()
        switch takeFormat() {
        case .fit(var bytes):
            bytes += piece
            format = .fit(bytes)
        case .tcx(var file):
            try file.append(piece, isLast: isLast)
            format = .tcx(file)
        }
    }

    private func checkSize() throws(WorkoutFileError) {
        var limit = WorkoutFile.maximumFileSize
        if case .fit = format { limit = WorkoutFile.maximumFITSize }
        guard size <= limit else { throw .tooLarge(limit) }
    }

    /// Builds the workout after the last piece.
    ///
    /// - Parameters:
    ///   - person: The person of the workout.
    ///   - source: The source revision of its records.
    package mutating func finish(
        person: String?, source: SourceRevision?
    ) throws(WorkoutFileError) -> ImportedWorkout {
        if let person, !Person.isValidName(person) { throw .person }
        var draft = try takeDraft()
        return try draft.finish(person: person, source: source)
    }

    private mutating func takeDraft() throws(WorkoutFileError) -> ImportDraft {
        switch takeFormat() {
        case .fit(let bytes): return try FITImport.draft(of: bytes)
        case .tcx(var file): return try file.finish()
        }
    }

    /// Takes what was decoded so far, so that it can be changed without a copy.
    private mutating func takeFormat() -> Format {
        defer { format = .fit([]) }
        return format
    }
}
