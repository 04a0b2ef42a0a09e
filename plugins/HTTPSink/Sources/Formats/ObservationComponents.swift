import HealthModel

/// The members of a correlation as the components of one Observation.
enum ObservationComponents {
    /// The member `component`, with a comma before it; nil when a value cannot be expressed.
    static func json(
        of correlation: Correlation, _ kinds: inout [QuantityType: ObservationKind]
    ) -> [UInt8]? {
        var json: [UInt8] = []
        json.append(",\"component\":[")
        for (index, member) in correlation.samples.enumerated() {
            json.append(index == 0 ? "{" : ",{")
            switch member {
            case .quantity(let sample):
                let kind = ObservationKind.of(sample.type, &kinds)
                guard let value = kind.unit.value(of: sample.quantity) else { return nil }
                json.append(contentsOf: kind.component)
                json.append(",")
                ObservationBundleWriter.append(value, in: kind.unit, to: &json)
            case .category(let sample):
                json.append(contentsOf: ObservationKind.component(of: sample.type))
                ObservationBundleWriter.append(valueOf: sample, to: &json)
            }
            json.append("}")
        }
        json.append("]")
        return json
    }
}
