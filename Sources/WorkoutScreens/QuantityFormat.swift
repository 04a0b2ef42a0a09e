package import GatewayCore
import Glibc
package import HealthModel

/// A format for quantities in tables: preferred units, rounded, with the local decimal separator.
///
/// Output for programs does not use it, because it depends on the person and the locale.
package struct QuantityFormat {
    /// The unit of all quantities; nil for each person's preferred unit.
    package let unit: Unit?
    private let preferred: [String: [QuantityType: Unit]]
    private let decimalSign: String

    package init(unit: Unit?, people: People, decimalSign: String = Self.localDecimalSign) {
        self.unit = unit
        preferred = Dictionary(
            people.people.map { ($0.name, $0.preferredUnits) }, uniquingKeysWith: { $1 })
        self.decimalSign = decimalSign
    }

    /// The value and the unit of a quantity as text.
    ///
    /// - Parameter usual: The unit if the person has no preference; the quantity's own if nil.
    package func parts(
        of quantity: Quantity, _ type: QuantityType, of person: String?, usual: Unit? = nil
    ) -> (value: String, unit: String) {
        let wanted = unit ?? person.flatMap { preferred[$0]?[type] } ?? usual ?? quantity.unit
        let shown = quantity.converted(to: wanted) ?? quantity
        return (localized(HumanQuantity.value(shown, type)), shown.unit.string)
    }

    /// A number with the local decimal separator.
    package func localized(_ number: String) -> String {
        guard decimalSign != "." else { return number }
        return number.map { $0 == "." ? decimalSign : String($0) }.joined()
    }

    /// The decimal separator of the environment's locale (`$LC_ALL`, `$LC_NUMERIC`, `$LANG`; locale(7)).
    private static let localDecimalSign: String = {
        guard let locale = newlocale(LC_NUMERIC_MASK, "", nil) else { return "." }
        defer { freelocale(locale) }
        guard let sign = nl_langinfo_l(nl_item(RADIXCHAR), locale) else { return "." }
        let text = String(cString: sign)
        return text.count == 1 ? text : "."
    }()
}

extension Quantity {
    /// The same quantity in another unit; nil if the units are not compatible.
    package func converted(to unit: Unit) -> Quantity? {
        if unit == self.unit { return self }
        return (try? value(in: unit)).flatMap { try? Quantity($0, unit) }
    }
}
