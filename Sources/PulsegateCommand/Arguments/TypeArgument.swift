import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform

/// Types, units and times as a user types them.
enum TypeArgument {
    /// The type of this name.
    static func type(
        _ name: String, among types: QuantityTypes, option: String? = nil
    ) throws(HostError) -> QuantityType {
        guard let type = types.named(name) else {
            throw unknown(name, among: types.all.map(\.name), option: option)
        }
        return type
    }

    /// The type of this name, of a quantity, a category, a correlation or a workout.
    ///
    /// - Parameter others: What else the user could have meant.
    static func recordType(
        _ name: String, among types: QuantityTypes, or others: [String] = [],
        option: String? = nil
    ) throws(HostError) -> RecordType {
        if let type = types.named(name) { return .quantity(type) }
        guard let type = RecordType.other(named: name) else {
            throw unknown(
                name, among: types.all.map(\.name) + RecordType.otherNames + others,
                option: option)
        }
        return type
    }

    private static func unknown(
        _ name: String, among known: [String], option: String?
    ) -> HostError {
        HostError(
            .usage,
            "\(option.map { "\($0): " } ?? "")unknown type `\(LogFormat.escaped(name))`; "
                + Suggestion.message(unknown: name, known: known))
    }

    /// A unit that the type can have.
    static func unit(
        _ text: String, for type: QuantityType, option: String
    ) throws(HostError) -> Unit {
        let unit: Unit
        do {
            unit = try Unit(parsing: text)
        } catch {
            throw HostError(.usage, "\(option): `\(text)` is \(error)")
        }
        guard unit.isCompatible(with: type.canonicalUnit) else {
            throw HostError(
                .usage,
                "\(option): `\(text)` does not measure \(type.name); "
                    + "`\(type.displayUnit.string)` does")
        }
        return unit
    }
}

extension ParsedArguments {
    /// The unit that an option names, nil when it was not given.
    func unit(of option: String, for type: QuantityType) throws(HostError) -> Unit? {
        guard let text = value(of: option) else { return nil }
        return try TypeArgument.unit(text, for: type, option: option)
    }

    /// The time that an option names, nil when it was not given.
    func time(
        of option: String, now: Instant, calendar: LocalCalendar = .system
    ) throws(HostError) -> Instant? {
        guard let text = value(of: option) else { return nil }
        guard let instant = TimeArgument.instant(text, now: now, calendar: calendar) else {
            throw HostError(
                .usage,
                "\(option): `\(text)` is neither a time such as 2026-11-21T18:15 nor a span "
                    + "such as 15m")
        }
        return instant
    }
}
