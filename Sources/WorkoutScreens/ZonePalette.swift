package import Terminal

/// The names, ranges and colours of heart rate zones.
package struct ZonePalette {
    /// The lower bounds of zones 1, 2, … in count/min; empty if zones are unknown.
    package let bounds: [Double]

    /// Creates a palette.
    package init(bounds: [Double]) {
        self.bounds = bounds
    }

    /// The number of zones without zone 0.
    package var count: Int { bounds.count }

    private static let fiveNames = ["very light", "light", "moderate", "hard", "maximum"]

    package func zone(of rate: Double) -> Int {
        (bounds.lastIndex { $0 <= rate } ?? -1) + 1
    }

    /// `zone 4 of 5, hard`; the five usual zones have names.
    package func title(_ zone: Int) -> String {
        if zone == 0 { return "below zone 1" }
        guard count > 0 else { return "zone \(zone)" }
        let title = "zone \(zone) of \(count)"
        return name(zone).map { "\(title), \($0)" } ?? title
    }

    /// `hard`; nil if zones have no names.
    package func name(_ zone: Int) -> String? {
        guard count == Self.fiveNames.count, (1...count).contains(zone) else { return nil }
        return Self.fiveNames[zone - 1]
    }

    /// `152–169`: the whole numbers in a zone in count/min; empty if unknown.
    package func range(_ zone: Int) -> String {
        guard (0...count).contains(zone), count > 0 else { return "" }
        if zone == 0 { return "<\(Self.first(bounds[0]))" }
        let low = Self.first(bounds[zone - 1])
        return zone == count ? "≥\(low)" : "\(low)–\(Self.first(bounds[zone]) - 1)"
    }

    /// The colour of a zone, from cool to hot.
    package func style(_ zone: Int) -> Painter.Style {
        guard zone > 0, count > 0 else { return .plain }
        switch (min(zone, count) * 5 + count - 1) / count {
        case 1: return .calm
        case 2: return .easy
        case 3: return .good
        case 4: return .warning
        default: return .bad
        }
    }

    /// The first whole number at or above a bound.
    private static func first(_ bound: Double) -> Int { WorkoutFigures.whole(bound.rounded(.up)) }
}
