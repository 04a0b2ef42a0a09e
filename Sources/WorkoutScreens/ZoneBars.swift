package import Terminal

/// Bars of the time in each heart rate zone.
package struct ZoneBars {
    /// The time in zone 0, 1 and so on.
    package let seconds: [Double]
    /// The current zone; nil if unknown.
    package let present: Int?
    package let zones: ZonePalette

    /// The number of rows, one per zone.
    package var rowCount: Int { seconds.count }

    /// One row per zone, the highest first: `▶ 4  152–169  ██████▌    10:03`.
    package func lines(columns: Int) -> [StyledLine] {
        let longest = seconds.max() ?? 0
        let times = seconds.map(WorkoutFigures.clock)
        let ranges = seconds.indices.map(zones.range)
        let timeWidth = times.map(\.count).max() ?? 0
        let rangeWidth = ranges.map { TextWidth.columns(of: $0) }.max() ?? 0
        return seconds.indices.reversed().map { zone in
            let style = zones.style(zone)
            var line = StyledLine(zone == present ? "▶ " : "  ", .heading)
            line.append("\(zone)", style == .plain ? .plain : style)
            line.pad(to: seconds.count > 10 ? 6 : 5)
            line.append(ranges[zone], .dim)
            line.pad(to: line.width + rangeWidth - TextWidth.columns(of: ranges[zone]) + 2)
            let room = columns - line.width - 2 - timeWidth
            if room > 2, longest > 0 {
                line.append(ShareBar.text(seconds[zone] / longest, columns: room), style)
            }
            return line.justified(StyledLine(times[zone]), columns: columns)
        }
    }

    /// One row divided among the zones, drawn with their numbers: `1122222333▶44445`.
    package func line(columns: Int) -> StyledLine {
        var line = StyledLine("zones ", .dim)
        let mark = present == nil ? 0 : 1
        let counts = ShareBar.columns(seconds, among: columns - line.width - mark)
        for (zone, count) in counts.enumerated() {
            if zone == present { line.append("▶", .heading) }
            line.append(String(repeating: "\(zone % 10)", count: count), zones.style(zone))
        }
        return line.cut(to: columns)
    }
}
