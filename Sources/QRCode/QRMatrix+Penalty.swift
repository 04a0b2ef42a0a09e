/// How hard a code is to read (ISO/IEC 18004, 7.8.3).
extension QRMatrix {
    private static let finder = [true, false, true, true, true, false, true]
    private static let light = [Bool](repeating: false, count: 4)
    private static let lookalikes = [finder + light, light + finder]

    /// The penalty; the mask with the lowest is used.
    var penalty: Int {
        let columns = modules.indices.map { x in modules.map { $0[x] } }
        return (modules + columns).map { Self.runs($0) + Self.finders($0) }.reduce(0, +)
            + blocks + imbalance
    }

    /// Long runs of one colour.
    private static func runs(_ line: [Bool]) -> Int {
        var (penalty, length) = (0, 0)
        for index in line.indices {
            length = index > 0 && line[index] == line[index - 1] ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    /// What looks like a finder pattern.
    private static func finders(_ line: [Bool]) -> Int {
        let starts = 0...(line.count - 11)
        return starts.count { lookalikes.contains(Array(line[$0..<($0 + 11)])) } * 40
    }

    /// Blocks of two by two modules of one colour.
    private var blocks: Int {
        var count = 0
        for y in modules.indices.dropLast() {
            for x in modules.indices.dropLast() {
                let isDark = modules[y][x]
                if modules[y][x + 1] == isDark, modules[y + 1][x] == isDark,
                    modules[y + 1][x + 1] == isDark
                {
                    count += 1
                }
            }
        }
        return count * 3
    }

    /// How far the share of dark modules is from a half, in steps of 5 %.
    private var imbalance: Int {
        let dark = modules.joined().count { $0 }
        let total = modules.count * modules.count
        return abs(dark * 20 - total * 10) / total * 10
    }
}
