import HealthModel
import Platform

extension BackupManifest {
    /// What the backup has: `12345 samples, 2 workouts, 3 adopted devices, 1 person`.
    package var summary: String {
        let order = ["samples", "categories", "correlations", "workouts", "events", "sessions"]
        let names = order + records.keys.filter { !order.contains($0) }.sorted()
        let kinds = names.compactMap { name -> String? in
            guard let count = records[name], count > 0 else { return nil }
            return Self.count(count, name)
        }
        let store = kinds.isEmpty ? ["no records"] : kinds
        let others = [(devices, "adopted devices"), (people, "people")]
        return (store + others.filter { $0.0 > 0 }.map { Self.count($0.0, $0.1) })
            .joined(separator: ", ")
    }

    /// When and by what it was written: `of 2026-11-27T14:00:00.000Z, by pulsegate 0.1.0`.
    package var origin: String {
        "of \(time?.description ?? "an unknown time"), by pulsegate \(LogFormat.escaped(version))"
    }

    /// What is not in it, a sentence each.
    package var omissions: [String] {
        waiting.sorted { $0.key < $1.key }.compactMap { sink, count in
            guard count > 0, sink != incompleteStore else { return nil }
            return
                "\(Self.count(count, "records")) in the journal for the sink "
                + "\(LogFormat.escaped(sink)), not queued in the backup: a restored gateway does not "
                + "send what waits now"
        }
    }

    /// Why the store is not complete; nil when it has all that was accepted before the backup.
    package var incompleteness: String? {
        guard let sink = incompleteStore else { return nil }
        let count =
            waiting[sink].map { Self.count($0, "records") } ?? "an unknown number of records"
        return "not in the backup: \(count), accepted before, in the journal for the sink "
            + "\(LogFormat.escaped(sink)), which cannot store now; see `pulsegate status`"
    }

    private static let singulars = [
        "samples": "sample", "categories": "category", "correlations": "correlation",
        "workouts": "workout", "events": "event", "sessions": "session",
        "deletions": "deletion", "adopted devices": "adopted device", "people": "person",
        "records": "record",
    ]

    private static func count(_ count: Int64, _ plural: String) -> String {
        "\(count) \(count == 1 ? singulars[plural] ?? plural : plural)"
    }
}
