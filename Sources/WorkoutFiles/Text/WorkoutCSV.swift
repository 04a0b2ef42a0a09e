import CSV
import HealthModel
import JSON
import Workouts

/// Writes a workout as comma-separated values (RFC 4180): a row for each reading and each event.
///
/// Readings of one device at one moment share a row; the R-R intervals that ended then share a
/// field, separated by semicolons. Types without a column are omitted; JSON has them.
enum WorkoutCSV {
    private static let header =
        "time_iso8601_utc,elapsed_s,heart_rate_bpm,rr_ms,steps,cadence_spm,distance_m,speed_mps,"
        + "power_w,energy_kcal,event,source,device\r\n"

    private static let columns: [(types: Set<QuantityType>, unit: Unit)] = [
        ([.heartRate], .countPerMinute), ([.rrInterval], .millisecond), ([.stepCount], .count),
        ([.runningCadence, .cyclingCadence], .countPerMinute),
        (
            [.distanceWalkingRunning, .distanceCycling, .distanceSwimming, .distanceRowing],
            .meter
        ),
        ([.runningSpeed, .walkingSpeed, .cyclingSpeed, .rowingSpeed], .meterPerSecond),
        ([.cyclingPower, .runningPower], .watt), ([.activeEnergyBurned], .kilocalorie),
    ]
    private static let beats = 1

    private struct Row {
        let time: Instant
        var values = [String](repeating: "", count: columns.count)
        var event = ""
        var source: SourceRevision?
        var device: Device?
    }

    static func bytes(_ recorded: RecordedWorkout) -> [UInt8] {
        let rows = rows(of: recorded.samples) + events(of: recorded.workout)
        let order = rows.indices.sorted { (rows[$0].time, $0) < (rows[$1].time, $1) }
        var bytes = Array(header.utf8)
        for place in order {
            bytes += Array(line(rows[place], start: recorded.workout.start).utf8)
        }
        return bytes
    }

    private static func rows(of samples: [QuantitySample]) -> [Row] {
        var rows: [Row] = []
        for sample in samples.sorted(by: { $0.end < $1.end }) {
            guard let column = columns.firstIndex(where: { $0.types.contains(sample.type) }),
                let value = try? sample.quantity.value(in: columns[column].unit)
            else { continue }
            let text = Number.string(value)
            // Readings of one moment are in adjacent rows.
            let same = rows.lastIndex { $0.time != sample.end || isRow($0, column, of: sample) }
            if let same, rows[same].time == sample.end {
                let old = rows[same].values[column]
                rows[same].values[column] = old.isEmpty ? text : old + ";" + text
            } else {
                var row = Row(time: sample.end, source: sample.source, device: sample.device)
                row.values[column] = text
                rows.append(row)
            }
        }
        return rows
    }

    /// Whether a value of a sample fits into a row.
    private static func isRow(_ row: Row, _ column: Int, of sample: QuantitySample) -> Bool {
        row.device == sample.device && row.source == sample.source
            && (column == beats || row.values[column].isEmpty)
    }

    private static func events(of workout: Workout) -> [Row] {
        let events = workout.events.map {
            Row(time: $0.end, event: $0.kind.name, source: workout.source)
        }
        return [Row(time: workout.start, event: "start", source: workout.source)] + events
            + [Row(time: workout.end, event: "end", source: workout.source)]
    }

    private static func line(_ row: Row, start: Instant) -> String {
        let elapsed = Double(row.time.nanoseconds(since: start)) / 1e9
        let device = row.device?.name ?? row.device?.localIdentifier ?? ""
        let fields =
            ["\(row.time)", Number.string(elapsed)] + row.values
            + [row.event, row.source?.name ?? "", device]
        return CSVRow.line(of: fields)
    }
}
