extension QuantityType {
    /// The maximum length of a custom type's name, in characters.
    public static let maximumNameLength = 64
    /// The maximum length of a custom type's code, in characters.
    public static let maximumCodeLength = 64

    /// Makes a custom type: a type that the standard table does not have.
    ///
    /// Pass it on in ``QuantityTypes``. Range and rate are in the canonical unit; values are shown
    /// to people in the display unit.
    ///
    /// - Throws: ``QuantityTypeError`` for an invalid value; ``QuantityTypes`` checks that the name
    /// is not
    ///   taken.
    public init(
        custom name: String, aggregationStyle: AggregationStyle, unit: Unit, display: Unit? = nil,
        plausible: ClosedRange<Double>? = nil, maximumRate: Double? = nil, loinc: String? = nil,
        ucum: String? = nil
    ) throws(QuantityTypeError) {
        guard Self.isValidName(name) else { throw .name }
        let isLevel = aggregationStyle == .discreteEquivalentContinuousLevel
        guard aggregationStyle != .cumulative || !unit.hasOffsetZero,
            !isLevel || unit.isCompatible(with: .decibelSoundPressureLevel)
        else { throw .aggregationStyle(unit: unit.string) }
        if let display, !display.isCompatible(with: unit) {
            throw .displayUnit(display: display.string, canonical: unit.string)
        }
        if let plausible, !plausible.lowerBound.isFinite || !plausible.upperBound.isFinite {
            throw .plausibleRange
        }
        if let maximumRate,
            !maximumRate.isFinite || maximumRate <= 0 || aggregationStyle != .cumulative
        {
            throw .maximumRate
        }
        for (key, code) in [("loinc", loinc), ("ucum", ucum)] {
            if let code, !Self.isValidCode(code) { throw .code(key: key) }
        }
        self.init(
            name, aggregationStyle, unit, display: display, plausible: plausible,
            maximumRate: maximumRate,
            loinc: loinc, ucum: ucum, isInHealthKit: false)
    }

    /// Makes an undeclared type, for a record with this unit.
    package init(undeclared name: String, unit: Unit) {
        self.init(name, .discreteArithmetic, unit, isInHealthKit: false, isDeclared: false)
    }

    /// Returns the same custom type as one that a plugin declares.
    func declared(by module: String) -> QuantityType {
        QuantityType(
            name, aggregationStyle, canonicalUnit, display: displayUnit, plausible: plausibleRange,
            maximumRate: maximumRate, loinc: loinc, ucum: ucum, isInHealthKit: false,
            declaringModule: module)
    }

    /// Whether a name starts with a lower-case letter and has up to 64 ASCII letters and digits.
    public static func isValidName(_ name: String) -> Bool {
        guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
        else { return false }
        return name.utf8.count <= maximumNameLength && name.utf8.allSatisfy(isNameByte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isValidCode(_ code: String) -> Bool {
        (1...maximumCodeLength).contains(code.utf8.count)
            && code.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Whether a sample with this unit and time can have this type.
    func fits(_ unit: Unit, from start: Instant, to end: Instant) -> Bool {
        isDeclared && canonicalUnit.isCompatible(with: unit) && (!isCumulative || start < end)
    }

    /// Whether two types have the same definition, and not only the same name.
    package func isDefined(as other: QuantityType) -> Bool {
        name == other.name && aggregationStyle == other.aggregationStyle
            && canonicalUnit == other.canonicalUnit
            && displayUnit == other.displayUnit && plausibleRange == other.plausibleRange
            && maximumRate == other.maximumRate && loinc == other.loinc && ucum == other.ucum
    }
}
