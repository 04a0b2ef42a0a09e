import GatewayCore
import GatewayHost
import HealthModel
import JSON

extension RequestHandler {
    /// `types`: answered with the types of records, which are the same for everybody.
    static let types = RequestHandler("types", for: .everyone) { request, service, channel in
        _ = try request.node.object(keys: ["request"])
        let types = TypeList.all(await service.types())
        channel.send(JSONLine.make { $0.objects("types", types) { $0.write(to: &$1) } })
        return nil
    }
}

/// A type of records in the list of all types.
private enum TypeList {
    case type(RecordType)
    case deviceEvent

    /// Quantities with those of plugins and of the configuration, categories, correlations and the rest.
    static func all(_ types: QuantityTypes) -> [TypeList] {
        let all =
            types.all.map(RecordType.quantity) + CategoryType.all.map(RecordType.category)
            + CorrelationType.allCases.map(RecordType.correlation) + [.workout]
        return all.map(TypeList.type) + [.deviceEvent]
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .type(let type):
            json.field("name", type.name)
            type.writeKind(to: &json)
        case .deviceEvent:
            json.field("name", StoredRecords.eventName)
            json.field("kind", "event")
        }
    }
}

extension RecordType {
    /// Writes the kind, and the facts of a type of this kind.
    fileprivate func writeKind(to json: inout JSONWriter) {
        switch self {
        case .quantity(let type):
            json.field("kind", "quantity")
            json.field("unit", type.canonicalUnit.string)
            json.field("aggregationStyle", type.aggregationStyle.rawValue)
        case .category(let type):
            json.field("kind", "category")
            json.objects("values", type.values) { value, json in
                json.field("value", Int64(value.number))
                json.field("name", value.name)
            }
        case .correlation: json.field("kind", "correlation")
        case .workout: json.field("kind", "workout")
        }
    }
}
