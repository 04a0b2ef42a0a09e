import HealthModel
import Workouts

/// Writes a workout as a FIT activity file (Garmin FIT SDK, "Activity File").
///
/// The order is that of a device which writes while it records: file id and devices, then timer
/// events, records and beats by time, then laps, session and activity.
struct FITActivity {
    private let recorded: RecordedWorkout
    private let recorder: SourceRevision
    private let calendar: LocalCalendar
    private let sums: WorkoutSums
    private var workout: Workout { recorded.workout }

    /// - Throws: when the workout is outside the time range of FIT.
    init(
        _ recorded: RecordedWorkout, recorder: SourceRevision, calendar: LocalCalendar
    ) throws(WorkoutFileError) {
        guard FITTime.canRepresent(recorded.workout.start),
            FITTime.canRepresent(recorded.workout.end)
        else {
            throw .timesOutOfRange
        }
        self.recorded = recorded
        self.recorder = recorder
        self.calendar = calendar
        sums = WorkoutSums(recorded)
    }

    func bytes() -> [UInt8] {
        var writer = FITWriter()
        FITDevices(recorded, recorder: recorder).append(to: &writer)
        FITTimeline(recorded).append(to: &writer)
        FITSummaries(recorded, sums).append(to: &writer)
        let end = FITTime.number(workout.end)
        writer.append(
            .activity,
            [
                .uint32(253, end), .uint32(0, sums.whole.activeMilliseconds), .uint16(1, 1),
                .enumeration(2, 0), .enumeration(3, 26), .enumeration(4, 1),
                .uint32(5, end + Double(calendar.secondsFromUTC(at: workout.end))),
            ])
        return writer.file()
    }
}
