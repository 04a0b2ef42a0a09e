import GatewayCore
package import GatewayHost
package import HealthModel
import JSON
import Platform

/// A type on the command line.
package enum TypeArgument {
    /// Finds a quantity type by name.
    package static func type(
        _ name: String, among types: QuantityTypes, option: String? = nil
    ) throws(HostError) -> QuantityType {
        if let type = types.named(name) { return type }
        guard RecordType.other(named: name) == nil else {
            throw HostError(
                .usage,
                "\(option.map { "\($0): " } ?? "")\(name) is not a quantity type; expected one such as "
                    + "heartRate (`pulsegate query \(name)` prints its records)")
        }
        throw unknown(name, among: types.all.map(\.name), option: option)
    }

    /// Finds a record type by name: a quantity, a category, a correlation or a workout.
    ///
    /// - Parameter others: Further words to suggest in the error message.
    package static func recordType(
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
}
