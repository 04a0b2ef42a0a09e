import GatewayCore
import HealthModel
import XCTest

@testable import Terminal
@testable import WorkoutScreens
@testable import Workouts

/// Example workouts for screens and JSON.
enum LiveWorkoutExample {
    /// 2026-11-22T09:30:00Z.
    static let start = Instant(nanosecondsSince1970: 1_795_339_800_000_000_000)

    /// A workout with all values.
    static func full() -> LiveWorkout {
        var live = bare(.running)
        live.heart = .rate(152, zone: 4, device: "Polar H10 8A2F", isBackup: false)
        live.zoneBounds = [94, 113, 131.6, 150.4, 169.2]
        live.measures = measures()
        live.lapNumber = 15
        live.lap = lap()
        live.speed = 3.2
        live.cadence = 172
        live.power = 256
        live.rmssdMilliseconds = 8.4
        live.plot = stride(from: 480.0, through: 0, by: -2).map {
            LiveWorkout.Point(secondsAgo: $0, rate: 165 - $0 / 10)
        }
        live.step = LiveWorkout.Step(
            number: 3, count: 8, name: "threshold", progress: 0.25, remaining: "1:20",
            advice: .faster)
        live.gapCount = 2
        return live
    }

    /// A workout without values.
    static func bare(_ state: WorkoutState) -> LiveWorkout {
        LiveWorkout(
            id: RecordID(high: 1, low: 2), person: "ada", activity: WorkoutActivity(.running),
            location: .outdoor, state: state, at: start.adding(nanoseconds: 5_025_000_000_000),
            start: start)
    }

    static func measures() -> WorkoutMeasures {
        var measures = WorkoutMeasures()
        measures.elapsedSeconds = 5_025
        measures.activeSeconds = 4_811.9
        measures.heartRate = WorkoutMeasures.Spread(average: 147.6, minimum: 88, maximum: 178)
        measures.zoneSeconds = [31, 122, 610, 1_802, 2_043, 203]
        measures.energyKilocalories = 912.4
        measures.energyMethods = [.heartRate, .counter]
        measures.distanceMeters = 14_320
        measures.stepCount = 12_934
        measures.cadence = WorkoutMeasures.Spread(average: 170, minimum: 90, maximum: 190)
        measures.speed = WorkoutMeasures.Spread(average: 3, minimum: 0, maximum: 4.5)
        measures.power = WorkoutMeasures.Spread(average: 243.6, minimum: 0, maximum: 512)
        measures.workKilojoules = 1_172.5
        measures.rmssdMilliseconds = 9.25
        return measures
    }

    private static func lap() -> WorkoutMeasures {
        var lap = WorkoutMeasures()
        lap.elapsedSeconds = 260
        lap.activeSeconds = 250
        lap.heartRate = WorkoutMeasures.Spread(average: 151, minimum: 140, maximum: 160)
        lap.distanceMeters = 722
        return lap
    }
}

extension ScreenStyle {
    static func plain(
        _ characters: TerminalCharacters = .unicode, width: TerminalWidth? = nil
    ) -> ScreenStyle {
        style(.plain, characters, width: width)
    }

    static func style(
        _ painter: Painter, _ characters: TerminalCharacters = .unicode,
        width: TerminalWidth? = nil
    ) -> ScreenStyle {
        ScreenStyle(
            painter: painter, characters: characters,
            format: QuantityFormat(unit: nil, people: People(), decimalSign: "."), calendar: .utc,
            width: width)
    }
}
