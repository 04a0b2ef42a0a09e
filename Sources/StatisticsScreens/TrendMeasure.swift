package import GatewayHost
import JSON
import Platform
import WorkoutScreens

/// A measure of weeks that can be plotted.
package enum TrendMeasure: String, CaseIterable, Sendable {
    case workouts, time, distance, energy, zones, restingHeartRate, heartRateVariability

    /// Parses the name of a measure.
    package init(_ text: String, option: String) throws(HostError) {
        guard let measure = Self.allCases.first(where: { $0.rawValue == text }) else {
            throw HostError(
                .usage,
                "\(option): unknown measure `\(LogFormat.escaped(text))`; "
                    + Suggestion.message(unknown: text, known: Self.allCases.map(\.rawValue)))
        }
        self = measure
    }

    /// Whether it is an average, whose plot does not begin at zero.
    var isAverage: Bool { self == .restingHeartRate || self == .heartRateVariability }

    /// The heading of its plot, with its unit where its values have none.
    var title: String {
        switch self {
        case .workouts: "workouts by week"
        case .time: "active time of workouts by week"
        case .distance: "distance of workouts by week"
        case .energy: "active energy of workouts by week"
        case .zones: "time in heart rate zones by week, a digit for each zone"
        case .restingHeartRate: "resting heart rate by week, count/min"
        case .heartRateVariability: "heart rate variability (SDNN) by week, ms"
        }
    }

    /// The value of a week; nil when it is not known.
    func value(of week: TrendWeek) -> Double? {
        switch self {
        case .workouts: Double(week.workouts)
        case .time: week.seconds
        case .distance: week.meters
        case .energy: week.kilocalories
        case .zones: week.zoneSeconds.isEmpty ? nil : week.zoneSeconds.reduce(0, +)
        case .restingHeartRate: week.restingHeartRate
        case .heartRateVariability: week.variability
        }
    }

    /// The value of a week as text.
    func text(of week: TrendWeek, _ figures: WorkoutFigures) -> String {
        guard let value = value(of: week) else { return "-" }
        return switch self {
        case .workouts: "\(week.workouts)"
        case .time, .zones: value > 0 ? WorkoutFigures.clock(value) : "-"
        case .distance: figures.distance(value)
        case .energy: figures.energy(value)
        case .restingHeartRate: figures.rate(value)
        case .heartRateVariability: figures.milliseconds(value)
        }
    }
}
