/// The dimension of a unit: an exponent for each base dimension.
struct Dimension: Hashable, Sendable {
    private enum Base: Int {
        case length, mass, time, current, temperature, amount, angle, illuminance
        // These are unrelated to the others, so each is its own dimension.
        case soundPressureLevel, hearingLevel, diopter, prismDiopter, internationalUnit, effort
    }

    /// One lane for each base; the sums are small because a unit's text is short.
    private var exponents = SIMD16<Int16>()

    /// Compares all lanes at once; the operator of SIMD vectors compares one after another.
    static func == (left: Dimension, right: Dimension) -> Bool {
        !any(left.exponents .!= right.exponents)
    }

    private init(_ exponents: [Base: Int16]) {
        for (base, exponent) in exponents { self.exponents[base.rawValue] = exponent }
    }

    /// Multiplies by another dimension raised to a power.
    mutating func multiply(by other: Dimension, exponent: Int) {
        exponents &+= other.exponents &* SIMD16(repeating: Int16(truncatingIfNeeded: exponent))
    }

    static let scalar = Dimension([:])
    static let length = Dimension([.length: 1])
    static let volume = Dimension([.length: 3])
    static let mass = Dimension([.mass: 1])
    static let time = Dimension([.time: 1])
    static let frequency = Dimension([.time: -1])
    static let pressure = Dimension([.mass: 1, .length: -1, .time: -2])
    static let energy = Dimension([.mass: 1, .length: 2, .time: -2])
    static let power = Dimension([.mass: 1, .length: 2, .time: -3])
    static let potential = Dimension([.mass: 1, .length: 2, .time: -3, .current: -1])
    static let conductance = Dimension([.mass: -1, .length: -2, .time: 3, .current: 2])
    static let temperature = Dimension([.temperature: 1])
    static let amount = Dimension([.amount: 1])
    static let angle = Dimension([.angle: 1])
    static let illuminance = Dimension([.illuminance: 1])
    static let soundPressureLevel = Dimension([.soundPressureLevel: 1])
    static let hearingLevel = Dimension([.hearingLevel: 1])
    static let diopter = Dimension([.diopter: 1])
    static let prismDiopter = Dimension([.prismDiopter: 1])
    static let internationalUnit = Dimension([.internationalUnit: 1])
    static let effort = Dimension([.effort: 1])
}
