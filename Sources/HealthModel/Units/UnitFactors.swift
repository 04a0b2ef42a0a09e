import JSON

/// A unit symbol with its prefix and, for a mole of a substance, its molar mass.
struct UnitAtom: Hashable, Comparable, Sendable {
    let symbol: UnitSymbol
    let prefix: MetricPrefix
    /// The molar mass in g/mol, for `mol<M>`; nil for all others.
    let molarMass: Double?

    init(_ symbol: UnitSymbol, prefix: MetricPrefix = .none, molarMass: Double? = nil) {
        self.symbol = symbol
        self.prefix = prefix
        self.molarMass = molarMass
    }

    /// A mole of a known substance is a mass.
    var dimension: Dimension { molarMass == nil ? symbol.definition.dimension : .mass }

    var scale: UnitScale {
        var scale = molarMass.map { UnitScale($0, powerOfTen: -3) } ?? symbol.definition.scale
        scale.multiply(by: UnitScale(powerOfTen: prefix.rawValue), exponent: 1)
        return scale
    }

    var text: String {
        prefix.text + symbol.definition.text + (molarMass.map { "<\(Number.string($0))>" } ?? "")
    }

    static func < (left: UnitAtom, right: UnitAtom) -> Bool {
        (left.symbol.rawValue, right.prefix.rawValue, left.molarMass ?? 0)
            < (right.symbol.rawValue, left.prefix.rawValue, right.molarMass ?? 0)
    }
}

/// A product of atoms with exponents: sorted, without duplicates, and without exponents of zero.
struct UnitFactors: Sendable {
    /// The largest exponent, far above that of any real unit; it keeps scales and sums in range.
    static let maximumExponent = 20

    private(set) var factors: [(atom: UnitAtom, exponent: Int)] = []

    /// Multiplies by an atom raised to a power; false when an exponent becomes too large.
    mutating func multiply(by atom: UnitAtom, exponent: Int) -> Bool {
        let index = factors.firstIndex { $0.atom >= atom } ?? factors.endIndex
        var sum = exponent
        if index < factors.endIndex, factors[index].atom == atom {
            sum += factors.remove(at: index).exponent
        }
        guard abs(sum) <= Self.maximumExponent else { return false }
        if sum != 0 { factors.insert((atom, sum), at: index) }
        return true
    }

    /// Multiplies by a product raised to a power; false when an exponent becomes too large.
    mutating func multiply(by other: UnitFactors, exponent: Int) -> Bool {
        for factor in other.factors {
            guard multiply(by: factor.atom, exponent: factor.exponent * exponent) else {
                return false
            }
        }
        return true
    }

    var dimension: Dimension {
        factors.reduce(into: Dimension.scalar) {
            $0.multiply(by: $1.atom.dimension, exponent: $1.exponent)
        }
    }

    var scale: UnitScale {
        factors.reduce(into: UnitScale()) {
            $0.multiply(by: $1.atom.scale, exponent: $1.exponent)
        }
    }

    /// The offset of the zero: degrees have it only alone, as a degree in a product is a
    /// difference.
    var zeroInHundredths: Double {
        guard factors.count == 1, let only = factors.first, only.exponent == 1 else { return 0 }
        return only.atom.symbol.definition.zeroInHundredths
    }

    /// HealthKit's spelling: positive powers, then `/`, then negative ones without parentheses.
    var text: String {
        if factors.isEmpty { return "()" }
        let above = Self.text(of: factors.filter { $0.exponent > 0 })
        let below = Self.text(of: factors.filter { $0.exponent < 0 })
        if below.isEmpty { return above }
        return (above.isEmpty ? "1" : above) + "/" + below
    }

    private static func text(of factors: [(atom: UnitAtom, exponent: Int)]) -> String {
        factors.map {
            $0.atom.text + (abs($0.exponent) == 1 ? "" : "^\(abs($0.exponent))")
        }.joined(separator: "·")
    }
}
