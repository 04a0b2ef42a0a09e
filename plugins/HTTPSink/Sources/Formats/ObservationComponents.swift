import HealthModel
import JSON

/// The members of a correlation, or the totals of a workout, as components of an Observation.
enum ObservationComponents {
    /// The member `component`, with a comma before it; nil when a value is not representable.
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

    /// The member `component`, with a comma before it; a value that is not representable is omitted.
    static func json(of workout: Workout) -> [UInt8] {
        var json: [UInt8] = []
        json.append(",\"component\":[{")
        json.append(contentsOf: ObservationKind.component(named: "duration"))
        json.append(",")
        ObservationBundleWriter.append(workout.seconds, in: .second, to: &json)
        json.append("}")
        var kinds: [QuantityType: ObservationKind] = [:]
        for total in workout.totals {
            let kind = ObservationKind.of(total.type, &kinds)
            append(total.sum, kind.component, kind.unit, to: &json)
            // The code of the type itself is for single values.
            for (name, quantity) in [
                ("Average", total.average), ("Minimum", total.minimum), ("Maximum", total.maximum),
            ] {
                let code = ObservationKind.component(named: total.type.name + name)
                append(quantity, code, kind.unit, to: &json)
            }
        }
        json.append("]")
        return json
    }

    private static func append(
        _ quantity: Quantity?, _ code: [UInt8], _ unit: UCUMUnit, to json: inout [UInt8]
    ) {
        guard let quantity, let value = unit.value(of: quantity) else { return }
        json.append(",{")
        json.append(contentsOf: code)
        json.append(",")
        ObservationBundleWriter.append(value, in: unit, to: &json)
        json.append("}")
    }
}
