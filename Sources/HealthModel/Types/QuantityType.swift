/// The type of a quantity sample: its name, units, aggregation style and plausible range.
///
/// Types are equal when their names are. A copy costs a reference.
public struct QuantityType: Hashable, Sendable, CustomStringConvertible {
    /// The aggregation of a type's values over time.
    public enum AggregationStyle: String, Sendable, CaseIterable {
        /// Values add up: steps, energy.
        case cumulative
        /// Values are averaged, each with the same weight.
        case discreteArithmetic
        /// Values are averaged, weighted by time.
        case discreteTemporallyWeighted
        /// Levels in decibels are averaged by their energy.
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
        let declaringModule: String?

        init(
            name: String, healthKitIdentifier: String?, aggregationStyle: AggregationStyle,
            canonicalUnit: Unit,
            displayUnit: Unit, plausibleRange: ClosedRange<Double>?, maximumRate: Double?,
            loinc: String?, ucum: String?, isDeclared: Bool, declaringModule: String?
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
            self.declaringModule = declaringModule
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
        isDeclared: Bool = true, declaringModule: String? = nil
    ) {
        storage = Storage(
            name: name, healthKitIdentifier: isInHealthKit ? Self.identifier(of: name) : nil,
            aggregationStyle: aggregationStyle, canonicalUnit: canonicalUnit,
            displayUnit: displayUnit ?? canonicalUnit,
            plausibleRange: plausibleRange, maximumRate: maximumRate, loinc: loinc, ucum: ucum,
            isDeclared: isDeclared, declaringModule: declaringModule)
    }

    private static func identifier(of name: String) -> String {
        // The only name with an upper-case abbreviation.
        let rest = name == "vo2Max" ? "VO2Max" : name.prefix(1).uppercased() + name.dropFirst()
        return "HKQuantityTypeIdentifier" + rest
    }

    /// HealthKit's short name, such as `heartRate`, or a name of Pulsegate, such as `rrInterval`.
    public var name: String { storage.name }
    /// HealthKit's identifier; nil when HealthKit has no such type.
    public var healthKitIdentifier: String? { storage.healthKitIdentifier }
    /// The aggregation of values over time.
    public var aggregationStyle: AggregationStyle { storage.aggregationStyle }
    /// The unit of comparisons, sums, and the range and rate of this type.
    public var canonicalUnit: Unit { storage.canonicalUnit }
    /// The default unit for display.
    public var displayUnit: Unit { storage.displayUnit }
    /// The plausible values of a sample, in the canonical unit; nil when there is no limit.
    public var plausibleRange: ClosedRange<Double>? { storage.plausibleRange }
    /// The maximum growth of a counter, in canonical units per second; nil when there is no limit.
    public var maximumRate: Double? { storage.maximumRate }
    /// The LOINC code; nil when none is published for this type.
    ///
    /// The codes are those of the mapping of Stanford's HealthKitOnFHIR.
    public var loinc: String? { storage.loinc }
    /// The UCUM unit for the code; nil when none is published for this type.
    ///
    /// It may differ from the canonical unit: UCUM's percent ranges to 100, HealthKit's to 1.
    public var ucum: String? { storage.ucum }

    /// Whether the type is declared.
    ///
    /// A stored record may have a type that is no longer declared, see
    /// ``RecordDecoder/init(types:allowingUndeclared:)``: then only its name and the record's unit
    /// are known.
    public var isDeclared: Bool { storage.isDeclared }

    /// The module of the plugin that declares the type; nil for another type.
    package var declaringModule: String? { storage.declaringModule }

    /// The name.
    public var description: String { storage.name }

    /// The name as a JSON string.
    var json: [UInt8] { storage.json }

    /// Whether values add up over time; such samples have a duration.
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
    /// Whether a quantity is plausible for a sample of this type.
    public func isPlausible(_ quantity: Quantity) -> Bool {
        guard let value = try? quantity.value(in: canonicalUnit) else { return false }
        return plausibleRange?.contains(value) ?? true
    }
}
