import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayHost

/// A kind of record that access is about.
enum AccessSubject: String, CaseIterable {
    case sample, category, correlation, workout, event, liveWorkout

    /// A text in each stored and published record, that nobody sees without a grant.
    static let secret = "61.25"

    /// The types to grant.
    var types: Set<String> {
        switch self {
        case .sample: ["heartRate"]
        case .category: ["sleepAnalysis"]
        case .correlation: ["bloodPressureSystolic", "bloodPressureDiastolic"]
        case .workout: ["workout", "activeEnergyBurned"]
        case .event: ["deviceEvent"]
        case .liveWorkout:
            [
                "workout", "heartRate", "rrInterval", "activeEnergyBurned", "stepCount",
                "distanceWalkingRunning", "distanceCycling", "runningSpeed", "runningCadence",
                "runningPower", "cyclingSpeed", "cyclingCadence", "cyclingPower",
            ]
        }
    }

    /// The types to grant for storing; a live workout is stored as a workout.
    var sharedTypes: Set<String> { self == .liveWorkout ? ["workout"] : types }

    /// A record of the kind; nil for live workouts, which are none.
    func record(_ number: Int, person: String = "annaliese") -> String? {
        let id = "0198f3c2-0000-8000-8000-"
        let key = (0...2).map { String(format: "%012d", number * 10 + $0) }
        let time = #""start":"2026-11-22T18:00:00.000Z","end":"2026-11-22T18:00:00.000Z""#
        let rest =
            #""person":"\#(person)","source":{"name":"\#(Self.secret)"}}"#
        func sample(_ index: Int, _ type: String, _ value: String, _ unit: String) -> String {
            #"{"id":"\#(id)\#(key[index])","type":"\#(type)",\#(time),"value":\#(value),"unit":"\#(unit)","#
                + rest
        }
        switch self {
        case .sample: return sample(0, "heartRate", "61.25", "count/min")
        case .category:
            return #"{"kind":"category","id":"\#(id)\#(key[0])","type":"sleepAnalysis","#
                + #"\#(time),"value":4,"# + rest
        case .correlation:
            let members =
                sample(1, "bloodPressureSystolic", "120", "mmHg") + ","
                + sample(2, "bloodPressureDiastolic", "80", "mmHg")
            return #"{"kind":"correlation","id":"\#(id)\#(key[0])","type":"bloodPressure","#
                + #"\#(time),"samples":[\#(members)],"# + rest
        case .workout:
            let total = #"{"type":"activeEnergyBurned","sum":61.25,"unit":"kcal"}"#
            return #"{"kind":"workout","id":"\#(id)\#(key[0])","activity":"running",\#(time),"#
                + #""totals":[\#(total)],"# + rest
        case .event:
            return #"{"kind":"event","id":"\#(id)\#(key[0])","event":"device","#
                + #""at":"2026-11-22T18:00:00.000Z","device":{"name":"\#(Self.secret)","#
                + #""localIdentifier":"strap"},"state":{"connection":"connected"},"person":"\#(person)"}"#
        case .liveWorkout: return nil
        }
    }
}

/// A request of a row, and what its answer has when the row grants it.
struct AccessVisit {
    let name: String
    let request: String
    let answer: String

    init(_ name: String, _ fields: String = "", answer: String) {
        self.name = name
        request = #"{"request":"\#(name)"\#(fields.isEmpty ? "" : ",")\#(fields)}"#
        self.answer = answer
    }
}

extension AccessSubject {
    /// The requests that need access to read the subject.
    var readVisits: [AccessVisit] {
        func query(_ type: String) -> AccessVisit {
            AccessVisit("query", #""type":"\#(type)""#, answer: Self.secret)
        }
        return switch self {
        case .sample:
            [
                query("heartRate"),
                AccessVisit(
                    "statistics",
                    #""type":"heartRate","person":"annaliese","to":"2026-11-23T00:00:00Z""#,
                    answer: #""average":61.25"#),
            ]
        case .category: [query("sleepAnalysis")]
        case .correlation: [query("bloodPressure")]
        case .workout:
            [
                query("workout"), AccessVisit("workouts", answer: Self.secret),
                AccessVisit("workoutDetail", #""id":"\#(storedID)""#, answer: Self.secret),
                AccessVisit(
                    "workoutFile", #""id":"\#(storedID)","format":"csv""#,
                    answer: #"{"file":{"name":"2026-11-2"#),
            ]
        case .event:
            [
                query("deviceEvent"), AccessVisit("status", answer: #""devices":["#),
                AccessVisit("metrics", answer: #"{"metrics":"#),
            ]
        case .liveWorkout:
            [
                AccessVisit("workout", #""action":"status""#, answer: #"{"workouts":["#),
                AccessVisit(
                    "workout", #""action":"watch","person":"annaliese""#, answer: #"{"live":"#),
            ]
        }
    }

    /// What each line of `changes` has when only this subject is granted; nil for several subjects.
    var mark: String? {
        switch self {
        case .sample: #""type":"heartRate""#
        case .category: #""type":"sleepAnalysis""#
        case .correlation: #""type":"bloodPressure"#
        case .workout: #""kind":"workout""#
        case .event: #""kind":"event""#
        case .liveWorkout: nil
        }
    }

    /// The id of the stored record of the subject.
    private var storedID: String {
        let number = AccessSubject.allCases.firstIndex(of: self) ?? 0
        return String(format: "0198f3c2-0000-8000-8000-%012d", number * 10)
    }

    /// The fields of a `tap` of the subject; device events have no type of a tap.
    var tapFields: String? {
        switch self {
        case .sample: #","type":"heartRate""#
        case .category: #","type":"sleepAnalysis""#
        case .correlation: #","type":"bloodPressure""#
        case .workout: #","type":"workout""#
        case .event, .liveWorkout: nil
        }
    }

    /// The requests that need access to store the subject.
    func shareVisits(_ number: Int, person: String) -> [AccessVisit] {
        guard let record = record(number, person: person) else {
            return ["start", "pause", "resume", "lap", "mark", "discard", "start", "stop"].map {
                AccessVisit(
                    "workout", #""action":"\#($0)","person":"\#(person)""#, answer: #"{"live":"#)
            }
        }
        let ingest = AccessVisit("ingest", #""records":[\#(record)]"#, answer: #""accepted":1"#)
        guard self == .sample else { return [ingest] }
        let other = self.record(number + 1, person: person) ?? ""
        return [ingest, AccessVisit("add", #""sample":\#(other)"#, answer: #"{"added":{"id":"#)]
    }
}
