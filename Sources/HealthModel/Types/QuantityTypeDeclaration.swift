/// The declaration of a custom type, which a plugin adds to a build.
///
/// It is a plain value. ``makeType()`` checks it when the build starts, so that an invalid
/// declaration is an error with a message.
public struct QuantityTypeDeclaration: Hashable, Sendable {
    /// The name, which starts with a lower-case letter and has ASCII letters and digits.
    public var name: String
    /// How values are combined.
    public var aggregationStyle: QuantityType.AggregationStyle
    /// The canonical unit.
    public var unit: Unit { didSet { unitError = nil } }
    /// The unit that is shown to people; nil for the canonical one.
    public var displayUnit: Unit?
    /// The plausible values in the canonical unit; nil for all.
    public var plausibleRange: ClosedRange<Double>?
    /// The maximum growth of a cumulative type in canonical units per second; nil for any.
    public var maximumRate: Double?
    /// The LOINC code, for FHIR.
    public var loinc: String?
    /// The UCUM unit, for FHIR.
    public var ucum: String?

    /// The module of the file that makes the declaration, for messages.
    package let module: String
    /// Why the text of the unit is none.
    private var unitError: UnitParseError?

    /// Makes a declaration.
    ///
    /// - Parameter file: The file that makes it; its module stands for the plugin in messages.
    public init(
        _ name: String, _ aggregationStyle: QuantityType.AggregationStyle, _ unit: Unit,
        display displayUnit: Unit? = nil, plausible plausibleRange: ClosedRange<Double>? = nil,
        maximumRate: Double? = nil, loinc: String? = nil, ucum: String? = nil,
        file: String = #fileID
    ) {
        self.name = name
        self.aggregationStyle = aggregationStyle
        self.unit = unit
        self.displayUnit = displayUnit
        self.plausibleRange = plausibleRange
        self.maximumRate = maximumRate
        self.loinc = loinc
        self.ucum = ucum
        module = String(file.prefix { $0 != "/" })
    }

    /// Makes a declaration with the text of a unit, such as `m·kg/s^2` for newtons, which has no constant.
    ///
    /// ``makeType()`` reports a text that is not a unit.
    public init(
        _ name: String, _ aggregationStyle: QuantityType.AggregationStyle, unit text: String,
        display displayUnit: Unit? = nil, plausible plausibleRange: ClosedRange<Double>? = nil,
        maximumRate: Double? = nil, loinc: String? = nil, ucum: String? = nil,
        file: String = #fileID
    ) {
        self.init(
            name, aggregationStyle, .null, display: displayUnit, plausible: plausibleRange,
            maximumRate: maximumRate, loinc: loinc, ucum: ucum, file: file)
        do throws(UnitParseError) {
            unit = try Unit(parsing: text)
        } catch {
            unitError = error
        }
    }

    /// Makes the type.
    ///
    /// - Throws: ``QuantityTypeError`` when a value is invalid.
    public func makeType() throws(QuantityTypeError) -> QuantityType {
        if let unitError { throw .unit(unitError) }
        return try QuantityType(
            custom: name, aggregationStyle: aggregationStyle, unit: unit, display: displayUnit,
            plausible: plausibleRange, maximumRate: maximumRate, loinc: loinc, ucum: ucum
        ).declared(by: module)
    }
}
