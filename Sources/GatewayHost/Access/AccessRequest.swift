package import GatewayCore
package import HealthModel
import JSON

/// The types that a request about access names, for each kind.
struct AccessRequest: Equatable, Sendable {
    /// The types by kind; only of a client that asks.
    var types: [AccessKind: Set<String>] = [:]
    /// The purpose in the words of the client.
    var purpose: String?

    /// Reads the request of a client: the value of each kind is a list of names.
    init(_ object: ConfigurationObject) throws(ConfigurationError) {
        purpose = try object["purpose"].flatMap { node throws(ConfigurationError) in
            try AccessEntry.purpose(node)
        }
        for kind in AccessKind.allCases {
            guard let node = object[kind.rawValue] else { continue }
            guard node.value != .string(TypeSelection.allWord), !node.listsAll else {
                throw node.error("name each type: only the owner can grant `all`")
            }
            types[kind] = try kind.names(inListOf: node)
        }
        guard types.contains(where: { !$0.value.isEmpty }) else { throw Self.namesNothing }
    }

    /// The error of a request that names neither a type nor an area.
    static let namesNothing = ConfigurationError(
        path: "", problem: "must have types in `read` or `share`, or areas in `manage`")

    /// Reads the selections of the owner: a list of names, or `"all"`.
    static func selections(
        _ object: ConfigurationObject
    ) throws(ConfigurationError) -> [AccessKind: TypeSelection] {
        var selections: [AccessKind: TypeSelection] = [:]
        for kind in AccessKind.allCases {
            guard let node = object[kind.rawValue] else { continue }
            if case .string(TypeSelection.allWord) = node.value {
                selections[kind] = .all
                continue
            }
            guard !node.listsAll else {
                throw node.error("`all` cannot be in a list; give it alone, or leave it out")
            }
            let names = try kind.names(inListOf: node)
            guard !names.isEmpty else { throw node.error("must not be empty") }
            selections[kind] = .types(names)
        }
        return selections
    }
}

extension ConfigurationNode {
    /// Whether it is a list in which the word for all types is one of the names.
    fileprivate var listsAll: Bool {
        guard case .array(let names) = value else { return false }
        return names.contains(.string(TypeSelection.allWord))
    }
}

extension AccessKind {
    /// The names that a list of a request means.
    fileprivate func names(
        inListOf node: ConfigurationNode
    ) throws(ConfigurationError) -> Set<String> {
        var all: Set<String> = []
        for element in try node.array() { all.formUnion(try names(element)) }
        return all
    }

    /// The names that a value of a request means: of types, or of an area.
    fileprivate func names(_ node: ConfigurationNode) throws(ConfigurationError) -> Set<String> {
        guard self != .manage else { return [try node.choice(of: ManagedArea.names)] }
        let names = try AccessTypes.names(node)
        guard self == .read || names != [AccessTypes.metrics] else {
            throw node.error("`metrics` can only be read, not stored")
        }
        return names
    }
}

/// The names of the types that access is about.
package enum AccessTypes {
    /// The name that stands for the counts of metrics, which no record has as its type.
    package static let metrics = "metrics"

    /// The name that a value of a request means; a correlation means its members.
    static func names(_ node: ConfigurationNode) throws(ConfigurationError) -> Set<String> {
        let name = try node.string()
        if [StoredRecords.eventName, metrics].contains(name), node.types.named(name) == nil {
            return [name]
        }
        let type = try node.recordType(named: name)
        guard case .correlation(let correlation) = type else { return [type.name] }
        guard let members = members(of: correlation) else {
            throw node.error("has members of many types; name each of them instead")
        }
        return members
    }

    /// The types of the members of a correlation; nil when they differ.
    static func members(of type: CorrelationType) -> Set<String>? {
        switch type {
        case .bloodPressure:
            [QuantityType.bloodPressureSystolic.name, QuantityType.bloodPressureDiastolic.name]
        case .food: nil
        }
    }

    /// The types that a query or a tap of a type needs; nil for device events.
    static func needed(for type: RecordType?) -> Set<String> {
        guard let type else { return [StoredRecords.eventName] }
        guard case .correlation(let correlation) = type else { return [type.name] }
        return members(of: correlation) ?? [type.name]
    }

    /// The types that the live values of a workout contain.
    static let liveWorkout: [String] =
        [RecordType.workout.name]
        + [
            QuantityType.heartRate, .rrInterval, .activeEnergyBurned, .stepCount,
            .distanceWalkingRunning, .distanceCycling, .runningSpeed, .runningCadence,
            .runningPower, .cyclingSpeed, .cyclingCadence, .cyclingPower,
        ].map(\.name)
}

extension Record {
    /// The types that a client needs for this record: those of the members, and of the totals of a workout.
    package var accessTypes: [String] {
        switch self {
        case .sample(let sample): [sample.type.name]
        case .category(let sample): [sample.type.name]
        case .correlation(let correlation): correlation.samples.map(\.typeName)
        case .workout(let workout):
            [RecordType.workout.name] + workout.totals.map(\.type.name)
        case .event: [StoredRecords.eventName]
        case .deletion(let deleted): [deleted.typeName ?? StoredRecords.eventName]
        }
    }
}

extension AccessDecisions {
    /// Whether all types of a record are granted.
    package func permits(_ record: Record) -> Bool {
        record.accessTypes.allSatisfy { decision(on: $0) == .granted }
    }
}
