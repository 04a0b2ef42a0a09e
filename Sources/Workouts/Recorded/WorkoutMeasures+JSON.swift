package import JSON

extension WorkoutMeasures {
    /// Writes the fields of an object; unknown values are omitted.
    package func write(to json: inout JSONWriter) {
        json.field("elapsedSeconds", elapsedSeconds)
        json.field("activeSeconds", activeSeconds)
        Self.write("heartRate", heartRate, to: &json)
        json.numbers("zoneSeconds", zoneSeconds)
        json.field("energyKilocalories", energyKilocalories)
        json.strings("energyMethods", energyMethods.sorted().map(\.rawValue))
        json.field("distanceMeters", distanceMeters)
        json.field("stepCount", stepCount)
        Self.write("cadence", cadence, to: &json)
        Self.write("speed", speed, to: &json)
        Self.write("power", power, to: &json)
        json.field("workKilojoules", workKilojoules)
        json.field("rmssdMilliseconds", rmssdMilliseconds)
    }

    private static func write(_ key: String, _ spread: Spread?, to json: inout JSONWriter) {
        guard let spread else { return }
        json.object(key) { json in
            json.field("average", spread.average)
            json.field("minimum", spread.minimum)
            json.field("maximum", spread.maximum)
        }
    }
}
