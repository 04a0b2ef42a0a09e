import JSON

/// The scale of a unit in base units: numerator / denominator · 10^powerOfTen.
///
/// The parts are whole numbers except for angles and molar masses. Stored separately they are
/// exact, so 187 cm are exactly 1.87 m and 72 count/min exactly 1.2 count/s.
struct UnitScale: Sendable {
    /// The limits of the parts, beyond which a conversion could overflow.
    private static let maximumPart = 1e75
    private static let largestPowerOfTen = 75

    private(set) var numerator = 1.0
    private(set) var denominator = 1.0
    private(set) var powerOfTen = 0 {
        didSet { (tenUp, tenDown) = Self.powers(of: powerOfTen) }
    }
    /// 10^powerOfTen if that is above 1, and 10^-powerOfTen if that is; else 1.
    private var (tenUp, tenDown) = (1.0, 1.0)

    init(_ numerator: Double = 1, per denominator: Double = 1, powerOfTen: Int = 0) {
        self.numerator = numerator
        self.denominator = denominator
        self.powerOfTen = powerOfTen
        (tenUp, tenDown) = Self.powers(of: powerOfTen)
    }

    private static func powers(of exponent: Int) -> (Double, Double) {
        let power = Number.powerOfTen(min(abs(exponent), 2 * largestPowerOfTen))
        return exponent < 0 ? (1, power) : (power, 1)
    }

    var isInRange: Bool {
        numerator.isFinite && denominator.isFinite && numerator > 0 && denominator > 0
            && max(numerator, denominator) <= Self.maximumPart
            && min(numerator, denominator) >= 1 / Self.maximumPart
            && abs(powerOfTen) <= Self.largestPowerOfTen
    }

    /// Multiplies by another scale raised to a power.
    mutating func multiply(by other: UnitScale, exponent: Int) {
        for _ in 0..<abs(exponent) {
            numerator *= exponent > 0 ? other.numerator : other.denominator
            denominator *= exponent > 0 ? other.denominator : other.numerator
        }
        powerOfTen += other.powerOfTen * exponent
    }

    /// The factors of a conversion from this scale to another one: multiply first, then divide.
    func ratio(to other: UnitScale) -> (multiplier: Double, divisor: Double) {
        let (numerator, otherNumerator) = Self.reduced(numerator, other.numerator)
        let (denominator, otherDenominator) = Self.reduced(denominator, other.denominator)
        var (multiplier, divisor) = Self.reduced(
            numerator * otherDenominator, denominator * otherNumerator)
        let power = powerOfTen - other.powerOfTen
        // With scales on opposite sides of 1, the powers are already calculated.
        if powerOfTen >= 0, other.powerOfTen <= 0, power <= Number.largestExactPower {
            multiplier *= tenUp * other.tenDown
        } else if powerOfTen <= 0, other.powerOfTen >= 0, power >= -Number.largestExactPower {
            divisor *= tenDown * other.tenUp
        } else if power > 0 {
            multiplier *= Number.powerOfTen(power)
        } else {
            divisor *= Number.powerOfTen(-power)
        }
        return (multiplier, divisor)
    }

    /// Divides two whole numbers by their greatest common divisor; returns other numbers unchanged.
    private static func reduced(_ first: Double, _ second: Double) -> (Double, Double) {
        if first == second { return (1, 1) }
        guard first > 1, second > 1, max(first, second) < Number.exactIntegerLimit,
            var divisor = UInt64(exactly: first), var rest = UInt64(exactly: second)
        else { return (first, second) }
        while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
        return (first / Double(divisor), second / Double(divisor))
    }
}
