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
            let known = types.all.map(\.name)
            throw HostError(
                .usage,
                "\(option.map { "\($0): " } ?? "")unknown type `\(LogFormat.escaped(name))`; "
                    + Suggestion.message(unknown: name, known: known))
        }
        return type
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
