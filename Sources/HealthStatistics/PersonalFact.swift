package import HealthModel

/// A fact about a person that an equation of physiology requires.
public enum PersonalFact: String, Sendable, CaseIterable {
    /// The day of birth.
    case birthDate
    /// The biological sex.
    case sex
    /// The mass of the body.
    case bodyMass
    /// The height of the body.
    case height

    /// The name in messages.
    var label: String {
        switch self {
        case .birthDate: "birth date"
        case .sex: "sex"
        case .bodyMass: "body mass"
        case .height: "height"
        }
    }

    /// How to set it.
    var remedy: String {
        switch self {
        case .birthDate: "set it with `pulsegate people set NAME --birth-date DATE`"
        case .sex: "set it with `pulsegate people set NAME --sex SEX`"
        case .bodyMass: "add it with `pulsegate add bodyMass VALUE kg`"
        case .height: "add it with `pulsegate add height VALUE cm`"
        }
    }
}

/// An error of an equation that cannot be used for a person; no default replaces an unknown fact.
public enum PersonalFactError: Error, Equatable, CustomStringConvertible {
    /// The fact is not set.
    case missing(PersonalFact, equation: String)
    /// The value is not plausible, or its unit is not compatible.
    case implausible(PersonalFact, equation: String)
    /// The equation is defined only for female and male bodies.
    case sexNotCovered(equation: String)
    /// The result for these facts is not plausible.
    case noResult(equation: String)

    /// The message, without any value.
    public var description: String {
        switch self {
        case .missing(let fact, let equation):
            "\(equation) requires the person's \(fact.label); \(fact.remedy)"
        case .implausible(let fact, let equation):
            "\(equation) cannot be calculated: the person's \(fact.label) is not plausible; correct it"
        case .sexNotCovered(let equation):
            "\(equation) is defined only for female and male bodies; enter the value manually"
        case .noResult(let equation):
            "\(equation) has no plausible result; correct the birth date, body mass and height"
        }
    }
}

extension Person {
    private static let ages = 0...120

    /// The age in whole years on a day.
    package func age(
        on day: CalendarDate, equation: String
    ) throws(PersonalFactError) -> Double {
        guard birthDate != nil else { throw .missing(.birthDate, equation: equation) }
        guard let age = age(on: day), Self.ages.contains(age) else {
            throw .implausible(.birthDate, equation: equation)
        }
        return Double(age)
    }

    /// Whether the biological sex is female; otherwise it is male.
    package func isFemale(equation: String) throws(PersonalFactError) -> Bool {
        switch sex {
        case .female: return true
        case .male: return false
        case .other: throw .sexNotCovered(equation: equation)
        case .notSet, nil: throw .missing(.sex, equation: equation)
        }
    }
}

extension PersonalFact {
    /// A body measurement in the canonical unit of its type, if it is set and plausible.
    package func value(
        of quantity: Quantity?, _ type: QuantityType, equation: String
    ) throws(PersonalFactError) -> Double {
        guard let quantity else { throw .missing(self, equation: equation) }
        guard let value = try? quantity.value(in: type.canonicalUnit), type.isPlausible(quantity)
        else { throw .implausible(self, equation: equation) }
        return value
    }
}
