/// The unit symbols, in their order in the canonical text.
///
/// The order gives HealthKit's spelling of common units, such as `mL/min·kg` and `kcal/hr·kg`.
enum UnitSymbol: Int, CaseIterable, Sendable {
    case meter, inch, foot, yard, mile
    case liter, fluidOunceUS, fluidOunceImperial, cupUS, cupImperial, pintUS, pintImperial
    case pascal, millimeterOfMercury, inchOfMercury, centimeterOfWater, atmosphere
    case soundPressureLevel, hearingLevel
    case second, minute, hour, day
    case gram, ounce, pound, stone, mole
    case joule, calorie, kilocalorie, largeCalorie
    case watt, volt, siemens, hertz, kelvin, degreeCelsius, degreeFahrenheit
    case radian, degree, lux, diopter, prismDiopter, internationalUnit, effortScore
    case count, percent

    /// The definition of each symbol.
    ///
    /// Base units are m, kg, s, A, K, mol, rad and lx.
    ///
    /// The factors are the legal definitions where there is one (international yard and pound of
    /// 1959, US and imperial gallon, thermochemical calorie, conventional mmHg).
    var definition: UnitDefinition {
        switch self {
        case .meter: .prefixable("m", .length)
        case .inch: .fixed("in", .length, 254, powerOfTen: -4)
        case .foot: .fixed("ft", .length, 3_048, powerOfTen: -4)
        case .yard: .fixed("yd", .length, 9_144, powerOfTen: -4)
        case .mile: .fixed("mi", .length, 1_609_344, powerOfTen: -3)
        case .liter: .prefixable("L", .volume, powerOfTen: -3)
        case .fluidOunceUS: .fixed("fl_oz_us", .volume, 295_735_295_625, powerOfTen: -16)
        case .fluidOunceImperial: .fixed("fl_oz_imp", .volume, 284_130_625, powerOfTen: -13)
        case .cupUS: .fixed("cup_us", .volume, 2_365_882_365, powerOfTen: -13)
        case .cupImperial: .fixed("cup_imp", .volume, 284_130_625, powerOfTen: -12)
        case .pintUS: .fixed("pt_us", .volume, 473_176_473, powerOfTen: -12)
        case .pintImperial: .fixed("pt_imp", .volume, 56_826_125, powerOfTen: -11)
        case .pascal: .prefixable("Pa", .pressure)
        case .millimeterOfMercury: .fixed("mmHg", .pressure, 133_322_387_415, powerOfTen: -9)
        case .inchOfMercury: .fixed("inHg", .pressure, 338_638_816, powerOfTen: -5)
        case .centimeterOfWater: .fixed("cmAq", .pressure, 980_665, powerOfTen: -4)
        case .atmosphere: .fixed("atm", .pressure, 101_325)
        case .soundPressureLevel: .fixed("dBASPL", .soundPressureLevel)
        case .hearingLevel: .fixed("dBHL", .hearingLevel)
        case .second: .prefixable("s", .time)
        case .minute: .fixed("min", .time, 6, powerOfTen: 1)
        case .hour: .fixed("hr", .time, 36, powerOfTen: 2)
        case .day: .fixed("d", .time, 864, powerOfTen: 2)
        case .gram: .prefixable("g", .mass, powerOfTen: -3)
        case .ounce: .fixed("oz", .mass, 28_349_523_125, powerOfTen: -12)
        case .pound: .fixed("lb", .mass, 45_359_237, powerOfTen: -8)
        case .stone: .fixed("st", .mass, 635_029_318, powerOfTen: -8)
        case .mole: .prefixable("mol", .amount)
        case .joule: .prefixable("J", .energy)
        case .calorie: .fixed("cal", .energy, 4_184, powerOfTen: -3)
        case .kilocalorie: .fixed("kcal", .energy, 4_184)
        case .largeCalorie: .fixed("Cal", .energy, 4_184)
        case .watt: .prefixable("W", .power)
        case .volt: .prefixable("V", .potential)
        case .siemens: .prefixable("S", .conductance)
        case .hertz: .prefixable("Hz", .frequency)
        case .kelvin: .prefixable("K", .temperature)
        case .degreeCelsius: .temperature("degC", UnitScale(), zeroInHundredths: 27_315)
        case .degreeFahrenheit:
            .temperature("degF", UnitScale(5, per: 9), zeroInHundredths: 45_967)
        case .radian: .prefixable("rad", .angle)
        case .degree: .fixed("deg", .angle, .pi, per: 180)
        case .lux: .prefixable("lx", .illuminance)
        case .diopter: .fixed("D", .diopter)
        case .prismDiopter: .fixed("pD", .prismDiopter)
        case .internationalUnit: .fixed("IU", .internationalUnit)
        case .effortScore: .fixed("appleEffortScore", .effort)
        case .count: .fixed("count", .scalar)
        case .percent: .fixed("%", .scalar)  // HealthKit's percent is a fraction: 0.97 is 97 %
        }
    }
}

/// The definition of a unit symbol.
struct UnitDefinition: Sendable {
    let text: String
    let dimension: Dimension
    let scale: UnitScale
    var isPrefixable = false
    /// The distance of the scale's zero from absolute zero, in hundredths of this degree.
    var zeroInHundredths = 0.0

    static func prefixable(
        _ text: String, _ dimension: Dimension, powerOfTen: Int = 0
    ) -> UnitDefinition {
        UnitDefinition(
            text: text, dimension: dimension, scale: UnitScale(powerOfTen: powerOfTen),
            isPrefixable: true)
    }

    static func fixed(
        _ text: String, _ dimension: Dimension, _ numerator: Double = 1,
        per denominator: Double = 1, powerOfTen: Int = 0
    ) -> UnitDefinition {
        UnitDefinition(
            text: text, dimension: dimension,
            scale: UnitScale(numerator, per: denominator, powerOfTen: powerOfTen))
    }

    static func temperature(
        _ text: String, _ scale: UnitScale, zeroInHundredths: Double
    ) -> UnitDefinition {
        UnitDefinition(
            text: text, dimension: .temperature, scale: scale, zeroInHundredths: zeroInHundredths)
    }
}

/// A metric prefix; the raw value is its power of ten.
enum MetricPrefix: Int, CaseIterable, Sendable {
    case femto = -15
    case pico = -12
    case nano = -9
    case micro = -6
    case milli = -3
    case centi = -2
    case deci = -1
    case none = 0
    case deca = 1
    case hecto = 2
    case kilo = 3
    case mega = 6
    case giga = 9
    case tera = 12

    var text: String {
        switch self {
        case .femto: "f"
        case .pico: "p"
        case .nano: "n"
        case .micro: "mc"  // HealthKit has no µ
        case .milli: "m"
        case .centi: "c"
        case .deci: "d"
        case .none: ""
        case .deca: "da"
        case .hecto: "h"
        case .kilo: "k"
        case .mega: "M"
        case .giga: "G"
        case .tera: "T"
        }
    }
}
