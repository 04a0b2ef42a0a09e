package import HealthModel
package import Workouts

/// A formatter for the figures of a workout.
///
/// Every number has a text, including numbers outside the plausible range.
package struct WorkoutFigures {
    package let format: QuantityFormat

    /// `4:10`, `1:23:45`.
    package static func clock(_ seconds: Double) -> String {
        let whole = max(whole(seconds.rounded(.down)), 0)
        let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
        let end = twoDigits(rest)
        return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(end)" : "\(minutes):\(end)"
    }

    /// A number without its fraction.
    package static func whole(_ value: Double) -> Int {
        guard value.isFinite else { return 0 }
        return Int(min(max(value.rounded(), -999_999_999), 999_999_999))
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// `152`.
    package func rate(_ value: Double) -> String { "\(Self.whole(value))" }

    /// `148 (121 to 178)`.
    package func spread(_ spread: WorkoutMeasures.Spread) -> String {
        "\(rate(spread.average)) (\(rate(spread.minimum)) to \(rate(spread.maximum)))"
    }

    /// `231 W`.
    package func power(_ watts: Double) -> String { "\(Self.whole(watts)) W" }

    /// `412 kcal`.
    package func energy(_ kilocalories: Double) -> String { "\(Self.whole(kilocalories)) kcal" }

    /// `850 m`, `12.34 km`.
    package func distance(_ meters: Double) -> String {
        guard meters.rounded() >= 1_000 else { return "\(max(Self.whole(meters), 0)) m" }
        return "\(decimal(meters / 1_000, digits: 2)) km"
    }

    /// A pace for walking and running, `5:12 min/km`; otherwise a speed, `27.4 km/h`.
    package func speed(_ metersPerSecond: Double, of activity: WorkoutActivity) -> String {
        guard Self.hasPace(activity) else {
            return "\(decimal(metersPerSecond * 3.6, digits: 1)) km/h"
        }
        // Slower than one hour per kilometre counts as standing still.
        guard metersPerSecond > 1_000 / 3_600 else { return "– min/km" }
        return "\(Self.clock((1_000 / metersPerSecond).rounded())) min/km"
    }

    /// `42 ms`.
    package func milliseconds(_ value: Double) -> String { "\(Self.whole(value)) ms" }

    /// Whether speed is shown as pace.
    package static func hasPace(_ activity: WorkoutActivity) -> Bool {
        switch activity.type {
        case .running, .walking, .hiking: true
        default: false
        }
    }

    /// The label of `speed(_:of:)`.
    package static func speedLabel(of activity: WorkoutActivity) -> String {
        hasPace(activity) ? "pace" : "speed"
    }

    /// The methods of an energy calculation: `counted + by heart rate`.
    package static func methods(_ methods: Set<EnergyMethod>) -> String {
        methods.sorted().map { method in
            switch method {
            case .counter: "counted"
            case .heartRate: "by heart rate"
            case .heartRateWithRest: "by heart rate, with rest"
            case .ratePerHour: "by activity"
            }
        }.joined(separator: " + ")
    }

    /// A number with one or two decimals.
    private func decimal(_ value: Double, digits: Int) -> String {
        let scale = digits == 1 ? 10 : 100
        let whole = Self.whole(value * Double(scale))
        let (front, rest) = (whole.magnitude / UInt(scale), whole.magnitude % UInt(scale))
        let fraction = "\(rest)"
        let zeros = String(repeating: "0", count: digits - fraction.count)
        return format.localized("\(whole < 0 ? "-" : "")\(front).\(zeros)\(fraction)")
    }
}
