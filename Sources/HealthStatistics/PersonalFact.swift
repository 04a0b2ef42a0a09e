package import HealthModel

/// A fact about a person that an equation of physiology needs.
public enum PersonalFact: String, Sendable, CaseIterable {
    /// The day of birth.
    case birthDate
    /// The biological sex.
    case sex
    /// The mass of the body.
    case bodyMass
    /// The height of the body.
    case height

    /// What it is called in a sentence.
    var words: String {
        switch self {
        case .birthDate: "birth date"
        case .sex: "sex"
        case .bodyMass: "body mass"
        case .height: "height"
        }
    }
}

/// An equation cannot be used for a person; nothing is assumed in the place of what is not known.
public enum PersonalFactError: Error, Equatable, CustomStringConvertible {
    /// Nobody has said it.
    case missing(PersonalFact, equation: String)
    /// It cannot be true, or its unit does not fit.
    case implausible(PersonalFact, equation: String)
    /// The equation was made for female and male bodies only.
    case sexNotCovered(equation: String)
    /// What comes out for these facts is nothing that a body can have.
    case noResult(equation: String)

    /// The message, without any value.
    public var description: String {
        switch self {
        case .missing(let fact, let equation):
            "\(equation) needs the person's \(fact.words), which is not known; tell it"
        case .implausible(let fact, let equation):
            "\(equation) cannot be used: the person's \(fact.words) is not plausible; correct it"
        case .sexNotCovered(let equation):
            "\(equation) is published for female and male bodies only; enter the value by hand"
        case .noResult(let equation):
            "\(equation) has no result for this body; correct its birth date, mass and height"
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

    /// Whether the body is female; else it is male.
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
    /// A measure of the body in the canonical unit of its type, when it is given and plausible.
    package func value(
        of quantity: Quantity?, _ type: QuantityType, equation: String
    ) throws(PersonalFactError) -> Double {
        guard let quantity else { throw .missing(self, equation: equation) }
        guard let value = try? quantity.value(in: type.canonicalUnit), type.isPlausible(quantity)
        else { throw .implausible(self, equation: equation) }
        return value
    }
}
