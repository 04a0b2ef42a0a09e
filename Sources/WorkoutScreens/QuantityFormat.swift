package import GatewayCore
import Glibc
package import HealthModel

/// Quantities for people: in the units that they prefer, rounded, with the decimal sign of their language.
///
/// Programs get the same text whoever reads it: this is for tables.
package struct QuantityFormat {
    /// The unit for everything; nil when each person's own count.
    package let unit: Unit?
    private let preferred: [String: [QuantityType: Unit]]
    private let decimalSign: String

    package init(unit: Unit?, people: People, decimalSign: String = Self.localDecimalSign) {
        self.unit = unit
        preferred = Dictionary(
            people.people.map { ($0.name, $0.preferredUnits) }, uniquingKeysWith: { $1 })
        self.decimalSign = decimalSign
    }

    /// The value and the unit of a quantity, in words.
    ///
    /// - Parameter usual: The unit when nobody prefers another one; the quantity's own when nil.
    package func parts(
        of quantity: Quantity, _ type: QuantityType, of person: String?, usual: Unit? = nil
    ) -> (value: String, unit: String) {
        let wanted = unit ?? person.flatMap { preferred[$0]?[type] } ?? usual ?? quantity.unit
        let shown = quantity.converted(to: wanted) ?? quantity
        return (localized(HumanQuantity.value(shown)), shown.unit.string)
    }

    /// A number with the decimal sign of the language.
    package func localized(_ number: String) -> String {
        guard decimalSign != "." else { return number }
        return number.map { $0 == "." ? decimalSign : String($0) }.joined()
    }

    /// The decimal sign that the environment asks for (`$LC_ALL`, `$LC_NUMERIC`, `$LANG`; locale(7)).
    private static let localDecimalSign: String = {
        guard let locale = newlocale(LC_NUMERIC_MASK, "", nil) else { return "." }
        defer { freelocale(locale) }
        guard let sign = nl_langinfo_l(nl_item(RADIXCHAR), locale) else { return "." }
        let text = String(cString: sign)
        return text.count == 1 ? text : "."
    }()
}

extension Quantity {
    /// The same quantity in another unit; nil when that measures something else.
    package func converted(to unit: Unit) -> Quantity? {
        if unit == self.unit { return self }
        return (try? value(in: unit)).flatMap { try? Quantity($0, unit) }
    }
}
