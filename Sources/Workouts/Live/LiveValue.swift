package import HealthModel
package import JSON

/// The newest value of one type and device.
package struct LiveValue: Hashable, Sendable {
    /// The type.
    package let type: QuantityType
    /// The value, in the unit of the sample.
    package let quantity: Quantity
    /// The end of the sample.
    package let time: Instant
    /// The name of the device, or its identifier; nil when both are unknown.
    package let device: String?
    let deviceIdentifier: String

    init(_ sample: QuantitySample) {
        type = sample.type
        quantity = sample.quantity
        time = sample.end
        deviceIdentifier = DeviceRanking.identifier(of: sample.device)
        device = sample.device?.name ?? (deviceIdentifier.isEmpty ? nil : deviceIdentifier)
    }

    /// Whether the value may still be shown: a speed, a cadence and a power only for as long as in a
    /// workout.
    func isFresh(at now: Instant) -> Bool {
        let limit =
            WorkoutActivity.momentaryTypes.contains(type)
            ? WorkoutTally.otherLimitSeconds : LivePerson.valueSeconds
        return abs(now.seconds(since: time)) < limit
    }

    var order: (String, String) { (type.name, deviceIdentifier) }
    /// The order by age; values of the same time have a fixed order.
    var age: (Instant, String, String) { (time, type.name, deviceIdentifier) }

    /// Writes the fields.
    package func write(to json: inout JSONWriter) {
        json.field("type", type.name)
        json.field("value", quantity.value)
        json.field("unit", quantity.unit.string)
        json.field("time", time.description)
        json.field("device", device)
    }
}
