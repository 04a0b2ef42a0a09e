package import HealthModel
import Workouts

/// A workout as several files give it, which were imported one after the other.
package struct ImportedVersions {
    /// A smaller difference between two times is one of files that added nothing.
    private static let toleranceSeconds = 2.0

    /// The workout as each file has it, in the order of the imports.
    private let files: [Workout]
    /// The places of the files whose import has stored no sample.
    private let withoutSamples: Set<Int>

    /// - Parameters:
    ///   - files: The workout as each file has it, in the order of the imports.
    ///   - withoutSamples: The places of the files whose import has stored no sample.
    package init(_ files: [Workout], withoutSamples: Set<Int> = []) {
        self.files = files
        self.withoutSamples = withoutSamples
    }

    /// The first file's workout, completed by the others; nil without files.
    ///
    /// As in an import, a file without samples changes nothing unless it makes the workout longer.
    package func joined() throws(WorkoutFileError) -> Workout? {
        guard var joined = files.first else { return nil }
        for (place, workout) in files.enumerated().dropFirst() {
            let file = ImportedWorkout(workout, samples: [])
            guard file.isLonger(than: joined) || !withoutSamples.contains(place) else { continue }
            joined = try file.revised(joined)
        }
        return joined
    }

    /// The next version of a stored workout, without totals, when some of the files are taken back.
    ///
    /// What the store has from elsewhere, such as another activity, stays.
    ///
    /// - Parameter left: What remains of the files.
    package func version(
        after stored: Workout, leaving left: ImportedVersions
    ) throws(WorkoutFileError) -> Workout? {
        guard let all = try joined(), let rest = try left.joined() else { return nil }
        func field<Value: Equatable>(_ path: KeyPath<Workout, Value>) -> Value {
            stored[keyPath: path] == all[keyPath: path]
                ? rest[keyPath: path] : stored[keyPath: path]
        }
        func time(_ path: KeyPath<Workout, Instant>) -> Instant {
            let difference = stored[keyPath: path].seconds(since: all[keyPath: path])
            return abs(difference) <= Self.toleranceSeconds
                ? rest[keyPath: path] : stored[keyPath: path]
        }
        let (start, end) = (time(\.start), time(\.end))
        let version = max(stored.version + 1, stored.version.nextUp)
        var metadata = stored.metadata
        guard (try? metadata.setSync(identifier: stored.identifier, version: version)) != nil else {
            throw .workout(.tooLong)
        }
        do {
            return try Workout(
                id: .make(
                    start: start, device: stored.identifier,
                    stream: "workout version \(version)", key: stored.id.low),
                activity: field(\.activity), location: field(\.location), start: start, end: end,
                events: field(\.events).filter { start <= $0.start && $0.end <= end },
                person: stored.person, device: field(\.device), source: field(\.source),
                metadata: metadata)
        } catch {
            throw .workout(error)
        }
    }
}

extension Workout {
    /// Whether another version differs in its id and its version only.
    package func hasContents(of other: Workout) -> Bool {
        start == other.start && end == other.end && activity == other.activity
            && location == other.location && events == other.events && totals == other.totals
            && device == other.device && source == other.source
    }
}
