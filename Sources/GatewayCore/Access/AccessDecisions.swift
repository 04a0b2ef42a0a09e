package import JSON

/// What a client does with records of a type, or with what the gateway knows.
package enum AccessKind: String, CaseIterable, Sendable {
    /// It gets records.
    case read
    /// It stores records.
    case share
    /// It sees and changes what the gateway knows, by ``ManagedArea`` in place of types.
    case manage
}

/// What the gateway knows beside records, which the owner can let others change.
package enum ManagedArea: String, CaseIterable, Sendable {
    /// The devices that are adopted.
    case devices
    /// The people and the facts about them.
    case people

    /// The names of all areas.
    package static let names = allCases.map(\.rawValue)
}

/// The decision of the owner about one type.
package enum AccessDecision: String, CaseIterable, Sendable {
    case granted, denied
    /// The client has asked, and the owner has not decided yet.
    case undecided
    /// The client has not asked.
    case notAsked
}

/// Some types by name, or all of them.
package enum TypeSelection: Hashable, Sendable {
    case all
    case types(Set<String>)

    /// The word for all types.
    package static let allWord = "all"
}

/// The decisions about types for one client and one kind of access.
///
/// A decision about one type wins over the decision about all others.
package struct AccessDecisions: Hashable, Sendable {
    /// The maximum number of types with a decision of their own.
    package static let limit = 512
    private static let nameLimit = 128
    private static let othersKey = "others"

    /// The decision about types without one of their own; nil when there is none.
    package private(set) var others: AccessDecision?
    private var byType: [String: AccessDecision] = [:]

    /// Makes decisions about nothing.
    package init() {}

    /// Whether there is no decision and no question.
    package var isEmpty: Bool { others == nil && byType.isEmpty }

    /// Whether the client waits for a decision.
    package var isWaiting: Bool { byType.values.contains(.undecided) }

    /// Whether one type is granted, and nothing else is or may be soon.
    package func isOnly(_ type: String) -> Bool {
        others != .granted && !isWaiting && types(.granted) == [type]
    }

    /// Whether every type is granted.
    package var isEverything: Bool { others == .granted && !byType.values.contains(.denied) }

    /// The decision about a type.
    package func decision(on type: String) -> AccessDecision {
        switch byType[type] {
        case .granted?: .granted
        case .denied?: .denied
        case let asked: others ?? asked ?? .notAsked
        }
    }

    /// The names of the types with this decision, sorted.
    package func types(_ decision: AccessDecision) -> [String] {
        byType.filter { $0.value == decision }.map(\.key).sorted()
    }

    /// Notes that the client asks for types; those with a decision keep it.
    package mutating func ask(_ types: Set<String>) {
        for type in types where decision(on: type) == .notAsked { byType[type] = .undecided }
    }

    /// Decides about types.
    package mutating func decide(_ selection: TypeSelection, _ decision: AccessDecision) {
        switch selection {
        case .all:
            byType = [:]
            others = decision
        case .types(let types):
            for type in types { byType[type] = decision }
        }
    }

    /// Grants the types without a decision of their own.
    package mutating func grantOthers() { others = .granted }

    /// Whether there are too many types.
    package var isTooLarge: Bool { byType.count > Self.limit }
}

extension AccessDecisions {
    private static let stored: [AccessDecision] = [.granted, .denied, .undecided]

    /// Reads the value of a file.
    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        self.init()
        let object = try node.object(keys: Self.stored.map(\.rawValue) + [Self.othersKey])
        if let others = object[Self.othersKey] {
            let word = try others.choice(of: ["granted", "denied"])
            self.others = AccessDecision(rawValue: word)
        }
        for decision in Self.stored {
            for type in try object[decision.rawValue]?.array() ?? [] {
                let name = try type.string()
                guard !name.isEmpty, name.utf8.count <= Self.nameLimit,
                    name.unicodeScalars.allSatisfy({
                        $0.isASCII && $0.properties.isAlphabetic
                            || ("0"..."9").contains($0) || $0 == "_" || $0 == "-" || $0 == "."
                    })
                else { throw type.error("is not the name of a type") }
                guard byType.updateValue(decision, forKey: name) == nil else {
                    throw type.error("the type is given twice")
                }
            }
        }
        guard !isTooLarge else {
            throw node.error("must not have more than \(Self.limit) types")
        }
    }

    /// The value in a file.
    package var value: JSONValue {
        var object: [String: JSONValue] = [:]
        for decision in Self.stored {
            let names = types(decision)
            guard !names.isEmpty else { continue }
            object[decision.rawValue] = .array(names.map(JSONValue.string))
        }
        object[Self.othersKey] = others.map { .string($0.rawValue) }
        return .object(object)
    }

    /// Writes the decisions into an answer.
    package func write(to json: inout JSONWriter) {
        for decision in Self.stored { json.strings(decision.rawValue, types(decision)) }
        json.field(Self.othersKey, others?.rawValue)
    }
}
