package import HealthModel

/// What an imported file has of a stored workout, whether the store took it from this file or had it before.
///
/// The undo of another import then leaves it in the store.
package struct WorkoutContribution: Hashable, Sendable {
    /// The file; nil when the workout was not imported.
    package let file: ImportedFile?
    /// The workout as it is in the file, without totals.
    package let workout: Workout
    /// The times at which the file has values.
    package let coverage: ImportCoverage

    package init(
        file: ImportedFile?, workout: Workout, coverage: ImportCoverage = ImportCoverage()
    ) {
        self.file = file
        self.workout = workout
        self.coverage = coverage
    }

    /// A hash of the identifier of a stored workout, by which its contributions are found.
    package static func key(of identifier: String) -> Int64 {
        let id = RecordID.make(
            start: Instant(nanosecondsSince1970: 0), device: identifier, stream: "workout", key: 0)
        return Int64(bitPattern: id.low)
    }
}

// MARK: In the store

extension WorkoutContribution {
    /// A line with the workout, and those of the coverage.
    package var content: [UInt8] {
        var content: [UInt8] = []
        RecordEncoder.append(.workout(workout), to: &content)
        return content + Array("\n\(coverage.text)".utf8)
    }

    /// Reads what the store has; nil when it is not valid.
    ///
    /// - Parameter file: The key of the file; 0 for none.
    package init?(file: Int64, content: [UInt8], types: QuantityTypes) {
        let lines = content.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        var decoder = RecordDecoder(types: types, allowingUndeclared: true)
        let text = String(decoding: lines.dropFirst().first ?? [], as: UTF8.self)
        guard let record = lines.first, case .workout(let workout)? = try? decoder.decode(record),
            let coverage = ImportCoverage(text: text, types: types)
        else { return nil }
        self.init(
            file: file == 0 ? nil : ImportedFile(key: file), workout: workout, coverage: coverage)
    }
}
