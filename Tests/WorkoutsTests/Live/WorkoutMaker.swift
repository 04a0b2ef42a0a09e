import GatewayCore
import HealthModel
import Workouts
import XCTest

/// Drives a session and its live builder together, in seconds after a moment that is not special.
struct WorkoutMaker {
    var samples = SampleMaker()
    private(set) var session: WorkoutSession
    private(set) var builder: LiveWorkoutBuilder
    /// All added samples, as a store would have them.
    private(set) var stored: [QuantitySample] = []

    static let id = RecordID(high: 5, low: 1 << 63)

    init(
        _ activity: WorkoutActivity = WorkoutActivity(.running),
        subject: WorkoutSubject = WorkoutSubject()
    ) {
        session = WorkoutSession(id: Self.id, person: "ada", activity: activity)
        builder = LiveWorkoutBuilder(session: session, subject: subject)
    }

    mutating func call(_ body: (inout WorkoutSession) throws -> Void) rethrows {
        try body(&session)
        builder.update(session)
    }

    mutating func start(_ seconds: Double = 0) throws {
        try call { try $0.start(at: SampleMaker.at(seconds)) }
    }
    mutating func pause(_ seconds: Double) throws {
        try call { try $0.pause(at: SampleMaker.at(seconds)) }
    }
    mutating func resume(_ seconds: Double) throws {
        try call { try $0.resume(at: SampleMaker.at(seconds)) }
    }
    mutating func lap(_ seconds: Double) throws {
        try call { try $0.lap(at: SampleMaker.at(seconds)) }
    }
    mutating func stop(_ seconds: Double) throws {
        try call { try $0.stop(at: SampleMaker.at(seconds)) }
    }

    mutating func tell(
        _ type: QuantityType, _ value: Double, _ start: Double, _ end: Double? = nil,
        from device: String = "strap"
    ) throws {
        tell(try samples.sample(type, value, start, end, from: device))
    }

    mutating func tell(_ sample: QuantitySample) {
        stored.append(sample)
        builder.add(.sample(sample))
    }

    mutating func rate(_ value: Double, _ seconds: Double, from device: String = "strap") throws {
        try tell(.heartRate, value, seconds, from: device)
    }

    mutating func device(
        _ seconds: Double, _ connection: DeviceState.Connection? = nil, contact: Bool? = nil,
        from device: String = "strap"
    ) {
        builder.add(
            .event(
                DeviceEvent(
                    id: RecordID(high: UInt64(seconds * 1_000), low: 1),
                    at: SampleMaker.at(seconds), device: Device(localIdentifier: device),
                    state: DeviceState(connection: connection, contact: contact))))
    }

    /// The gateway is killed, and a new one continues with the stored session.
    mutating func crash(lastSeen: Double, until seconds: Double) throws {
        session = try WorkoutSession(json: session.json)
        session.recover(lastSeen: SampleMaker.at(lastSeen), at: SampleMaker.at(seconds))
        builder = LiveWorkoutBuilder(session: session, subject: builder.subject)
        for sample in stored { builder.add(.sample(sample)) }
    }

    /// The record, calculated from the stored samples.
    func recorded() throws -> RecordedWorkout {
        RecordedWorkout(
            workout: try session.workout(), allSamples: stored, subject: builder.subject)
    }

    func live(_ seconds: Double) -> LiveWorkout { builder.snapshot(at: SampleMaker.at(seconds)) }

    /// A woman of 1986 with 60 kg and 170 cm.
    static func ada(
        roles: [String: People.Role] = [:], rate: Double? = nil
    ) throws -> WorkoutSubject {
        WorkoutSubject(
            try Person(name: "ada", birthDate: CalendarDate(iso8601: "1986-02-14"), sex: .female),
            bodyMass: try Quantity(60, .kilogram), height: try Quantity(1.7, .meter),
            on: try XCTUnwrap(CalendarDate(iso8601: "2026-11-22")),
            activityKilocaloriesPerHour: rate, roles: roles)
    }
}
