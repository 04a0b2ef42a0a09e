/// The modules of a code while it is made (ISO/IEC 18004, 6.3, 7.7 to 7.10).
struct QRMatrix {
    private let version: QRVersion
    /// The modules by row; true is dark.
    private(set) var modules: [[Bool]]
    /// The modules that have no data.
    private var isFixed: [[Bool]]

    private var size: Int { version.size }

    /// Draws the patterns that every code of a version has.
    init(_ version: QRVersion) {
        self.version = version
        let row = [Bool](repeating: false, count: version.size)
        modules = [[Bool]](repeating: row, count: version.size)
        isFixed = modules
        for index in 0..<size {
            set(6, index, index % 2 == 0)
            set(index, 6, index % 2 == 0)
        }
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        for x in version.alignment {
            for y in version.alignment where !isInFinder(x, y) { drawAlignment(x, y) }
        }
        drawFormat(mask: 0)
        drawVersion()
    }

    private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
        modules[y][x] = isDark
        isFixed[y][x] = true
    }

    private func isInFinder(_ x: Int, _ y: Int) -> Bool {
        let end = size - 7
        return (x == 6 && y == 6) || (x == 6 && y == end) || (x == end && y == 6)
    }

    /// A finder pattern with its separator, around a centre.
    private mutating func drawFinder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 {
                guard (0..<size).contains(x + dx), (0..<size).contains(y + dy) else { continue }
                let distance = max(abs(dx), abs(dy))
                set(x + dx, y + dy, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignment(_ x: Int, _ y: Int) {
        for dy in -2...2 {
            for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
    }

    /// The level and the mask, twice, with a BCH code (7.9).
    mutating func drawFormat(mask: Int) {
        let levelL = 1
        let data = levelL << 3 | mask
        let bits = (data << 10 | Self.remainder(data, degree: 10, generator: 0x537)) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 != 0 }
        for index in 0..<6 { set(8, index, bit(index)) }
        set(8, 7, bit(6))
        set(8, 8, bit(7))
        set(7, 8, bit(8))
        for index in 9..<15 { set(14 - index, 8, bit(index)) }
        for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
        set(8, size - 8, true)
    }

    /// The number of the version, twice, from version 7 (7.10).
    private mutating func drawVersion() {
        guard version.number >= 7 else { return }
        let bits =
            version.number << 12
            | Self.remainder(version.number, degree: 12, generator: 0x1F25)
        for index in 0..<18 {
            let (far, near) = (size - 11 + index % 3, index / 3)
            set(far, near, bits >> index & 1 != 0)
            set(near, far, bits >> index & 1 != 0)
        }
    }

    private static func remainder(_ data: Int, degree: Int, generator: Int) -> Int {
        var rest = data
        for _ in 0..<degree { rest = (rest << 1) ^ ((rest >> (degree - 1)) * generator) }
        return rest
    }

    /// Places the codewords in columns of two, from the lower right corner up and down, with a mask.
    mutating func place(_ codewords: [UInt8], mask: Int) {
        var index = 0
        var right = size - 1
        while right >= 1 {
            // The vertical timing pattern has a column of its own.
            if right == 6 { right = 5 }
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !isFixed[y][x] {
                    let bit =
                        index < codewords.count * 8
                        && codewords[index / 8] >> UInt8(7 - index % 8) & 1 != 0
                    modules[y][x] = bit != Self.isMasked(x, y, mask)
                    index += 1
                }
            }
            right -= 2
        }
    }

    private static func isMasked(_ x: Int, _ y: Int, _ mask: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }
}
