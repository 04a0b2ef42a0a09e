import Glibc  // links libm, which rounding needs
import HealthModel
import JSON

/// The UCUM unit of the values of a type in FHIR.
struct UCUMUnit: Sendable {
    /// The UCUM code; nil when UCUM has no such unit.
    let code: String?
    /// The equivalent Pulsegate unit.
    let unit: Unit
    /// The factor from the Pulsegate unit to UCUM: 100 for percent, which HealthKit stores as 0 to 1.
    let factor: Double
    /// The members of a Quantity after its value, with a comma before each.
    let json: [UInt8]

    /// Seconds.
    static let second = UCUMUnit(code: "s", unit: .second)

    static func of(_ type: QuantityType) -> UCUMUnit {
        // A custom type may have an invalid or incompatible code.
        guard let code = type.ucum ?? codeOfUnit(type), let unit = units[code],
            unit.isCompatible(with: type.canonicalUnit)
        else { return UCUMUnit(code: nil, unit: type.canonicalUnit) }
        return UCUMUnit(code: code, unit: unit)
    }

    /// The value in this unit; nil when it overflows.
    func value(of quantity: Quantity) -> Double? {
        guard let value = try? quantity.value(in: unit) else { return nil }
        guard factor != 1 else { return value }
        let product = value * factor
        guard product.isFinite else { return nil }
        // 0.57 · 100 is 56.99999999999999 in binary; 57 divides back to 0.57 and is used instead.
        let rounded = (product * 1e9).rounded() / 1e9
        return rounded / factor == value ? rounded : product
    }

    /// The Pulsegate unit for each UCUM code (ucum.org, "The Unified Code for Units of Measure").
    private static let units: [String: Unit] = [
        "/min": .countPerMinute, "ms": .millisecond, "min": .minute, "%": .percent, "m": .meter,
        "cm": .centimeter, "m/s": .meterPerSecond, "m/s2": .meterPerSecondSquared,
        "kg": .kilogram, "kg/m2": .count,
        "kcal": .kilocalorie, "kcal/h/kg": .kilocaloriePerHourAndKilogram, "W": .watt,
        "mL/kg/min": .milliliterPerMinuteAndKilogram, "mg/dL": .milligramPerDeciliter,
        "mm[Hg]": .millimeterOfMercury, "Cel": .degreeCelsius, "1": .count, "{steps}": .count,
        "dB[SPL]": .decibelSoundPressureLevel, "uV": .microvolt,
    ]

    /// The UCUM code of the canonical unit of a type without a published code.
    private static func codeOfUnit(_ type: QuantityType) -> String? {
        switch type.canonicalUnit {
        case .count: type == .stepCount ? "{steps}" : "1"
        case .countPerMinute: "/min"
        case .millisecond: "ms"
        case .decibelSoundPressureLevel: "dB[SPL]"
        case let unit: units.filter { $0.value == unit }.keys.min()
        }
    }

    private init(code: String?, unit: Unit) {
        self.code = code
        self.unit = unit
        factor = code == "%" ? 100 : 1
        var json: [UInt8] = []
        json.append(",\"unit\":")
        json.appendJSONString(code ?? unit.string)
        if let code {
            json.append(",\"system\":")
            json.appendJSONString(FHIRSystem.ucum)
            json.append(",\"code\":")
            json.appendJSONString(code)
        }
        self.json = json
    }
}
