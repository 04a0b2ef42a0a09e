/// What a sample measures: its name, unit, how values combine, and what is plausible.
///
/// Types are equal when their names are. A copy costs a reference.
public struct QuantityType: Hashable, Sendable, CustomStringConvertible {
    /// How the values of a type combine over time.
    public enum AggregationStyle: String, Sendable, CaseIterable {
        /// Values add up: steps, energy.
        case cumulative
        /// Values are averaged, each with the same weight.
        case discreteArithmetic
        /// Values are averaged by how long each one held.
        case discreteTemporallyWeighted
        /// Levels in decibel are averaged by their energy.
        case discreteEquivalentContinuousLevel
    }

    private let storage: Storage

    private final class Storage: Sendable {
        let name: String
        let json: [UInt8]
        let healthKitIdentifier: String?
        let aggregationStyle: AggregationStyle
        let canonicalUnit: Unit
        let displayUnit: Unit
        let plausibleRange: ClosedRange<Double>?
        let maximumRate: Double?
        let loinc: String?
        let ucum: String?
        let isDeclared: Bool

        init(
            name: String, healthKitIdentifier: String?, aggregationStyle: AggregationStyle,
            canonicalUnit: Unit,
            displayUnit: Unit, plausibleRange: ClosedRange<Double>?, maximumRate: Double?,
            loinc: String?, ucum: String?, isDeclared: Bool
        ) {
            self.name = name
            json = Array("\"\(name)\"".utf8)  // names are ASCII letters and digits
            self.healthKitIdentifier = healthKitIdentifier
            self.aggregationStyle = aggregationStyle
            self.canonicalUnit = canonicalUnit
            self.displayUnit = displayUnit
            self.plausibleRange = plausibleRange
            self.maximumRate = maximumRate
            self.loinc = loinc
            self.ucum = ucum
            self.isDeclared = isDeclared
        }
    }

    /// Makes a type.
    ///
    /// Its HealthKit identifier follows from its name.
    init(
        _ name: String, _ aggregationStyle: AggregationStyle, _ canonicalUnit: Unit,
        display displayUnit: Unit? = nil,
        plausible plausibleRange: ClosedRange<Double>? = nil, maximumRate: Double? = nil,
        loinc: String? = nil, ucum: String? = nil, isInHealthKit: Bool = true,
        isDeclared: Bool = true
    ) {
        storage = Storage(
            name: name, healthKitIdentifier: isInHealthKit ? Self.identifier(of: name) : nil,
            aggregationStyle: aggregationStyle, canonicalUnit: canonicalUnit,
            displayUnit: displayUnit ?? canonicalUnit,
            plausibleRange: plausibleRange, maximumRate: maximumRate, loinc: loinc, ucum: ucum,
            isDeclared: isDeclared)
    }

    private static func identifier(of name: String) -> String {
        // The one name whose abbreviation stays upper-case.
        let rest = name == "vo2Max" ? "VO2Max" : name.prefix(1).uppercased() + name.dropFirst()
        return "HKQuantityTypeIdentifier" + rest
    }

    /// HealthKit's short name, as `heartRate`, or one of ours, as `rrInterval`.
    public var name: String { storage.name }
    /// HealthKit's identifier; nil when HealthKit has no such type.
    public var healthKitIdentifier: String? { storage.healthKitIdentifier }
    /// How values of this type combine.
    public var aggregationStyle: AggregationStyle { storage.aggregationStyle }
    /// The unit of comparisons, sums and the other numbers here.
    public var canonicalUnit: Unit { storage.canonicalUnit }
    /// The unit to show to people who have chosen none.
    public var displayUnit: Unit { storage.displayUnit }
    /// The values one sample can have, in the canonical unit; nil when there is no bound.
    public var plausibleRange: ClosedRange<Double>? { storage.plausibleRange }
    /// How fast a counter can grow, in canonical units each second; nil when there is no bound.
    public var maximumRate: Double? { storage.maximumRate }
    /// The LOINC code; nil when none is published for this type.
    ///
    /// The codes are those of the mapping of Stanford's HealthKitOnFHIR; none is made up.
    public var loinc: String? { storage.loinc }
    /// The UCUM unit that goes with the code; nil when none is published for this type.
    ///
    /// It may differ from the canonical unit, and UCUM's percent counts to 100 where HealthKit's
    /// counts to 1.
    public var ucum: String? { storage.ucum }

    /// Whether anybody says what this type is.
    ///
    /// A record may name a type that nothing declares any more, see
    /// ``RecordDecoder/init(types:keepingUndeclared:)``: then only its name and the record's unit are known.
    public var isDeclared: Bool { storage.isDeclared }

    /// The name.
    public var description: String { storage.name }

    /// The name as a JSON string.
    var json: [UInt8] { storage.json }

    /// Whether values add up over time; such samples cover a time, they have no single instant.
    public var isCumulative: Bool { aggregationStyle == .cumulative }

    /// Whether two types have the same name.
    public static func == (left: QuantityType, right: QuantityType) -> Bool {
        left.storage === right.storage || left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.name)
    }
}

extension QuantityType {
    /// Whether a quantity is one that a sample of this type can have.
    public func isPlausible(_ quantity: Quantity) -> Bool {
        guard let value = try? quantity.value(in: canonicalUnit) else { return false }
        return plausibleRange?.contains(value) ?? true
    }
}
