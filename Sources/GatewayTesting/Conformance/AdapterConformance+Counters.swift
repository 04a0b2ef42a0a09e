public import HealthModel
public import Readings

extension AdapterConformance {
    /// Feeds messages of which a counter rolls over or is reset in between; the samples of the
    /// converter must add up to the expected quantity.
    ///
    /// - Parameters:
    ///   - messages: Messages of the device, each as one event.
    ///   - type: A cumulative type.
    ///   - total: What the device has counted from the first message to the last one.
    ///   - types: The types of the gateway, with those that the plugin declares.
    public static func findingsForRollOver(
        _ messages: [[UInt8]], on channel: Channel = .stream, of type: QuantityType,
        adding total: Quantity, types: QuantityTypes = .standard,
        makeAdapter: () -> any DeviceAdapter
    ) -> [ConformanceFinding] {
        let run = ConformanceRun()
        var feed = ConvertedFeed(makeAdapter(), types: types, in: run)
        feed.open()
        for message in messages { feed.handle(.received(message, on: channel), afterSeconds: 1) }
        let samples = feed.samples.filter { $0.type == type }
        let sum = samples.reduce(0) { sum, sample in
            sum + ((try? sample.quantity.value(in: total.unit)) ?? .nan)
        }
        run.expect(
            (sum - total.value).magnitude <= 1e-6 * max(total.value.magnitude, 1),
            "the samples of \(type) do not add up to what the device has counted")
        return run.findings
    }
}

extension CounterReading {
    /// Why the reading contradicts its own range; nil when it does not.
    var rangeProblem: String? {
        switch range {
        case .unbounded: nil
        case .rollsOver(let end):
            end.isFinite && end > 0 && value < end
                ? nil : "a counter of \(type) is beyond the value at which it rolls over"
        case .saturates(let end):
            end.isFinite && end > 0 && value <= end
                ? nil : "a counter of \(type) is beyond the value at which it saturates"
        }
    }

    /// The types whose counters change their range, unit or scale from one reading to the next.
    static func contradictions(in readings: [Reading]) -> [String] {
        var first: [QuantityType: CounterReading] = [:]
        var problems: [String] = []
        for case .counter(let counter) in readings {
            let other = first[counter.type] ?? counter
            first[counter.type] = other
            if other.range != counter.range || other.unit != counter.unit
                || other.countsPerUnit != counter.countsPerUnit
            {
                problems.append("the counter of \(counter.type) changes its range, unit or scale")
            }
        }
        return problems
    }
}
