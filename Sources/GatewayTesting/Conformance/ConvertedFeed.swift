import HealthModel
import Platform
import Readings

/// An adapter with the converter behind it: events in, samples out.
struct ConvertedFeed {
    /// The UTC time of the first event, unless a test says another one.
    static let standardStart = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)

    /// All samples so far.
    private(set) var samples: [QuantitySample] = []
    /// All faults so far.
    private(set) var faults = ReadingFaults()
    /// The number of readings so far of each counter.
    private(set) var counterReadings: [QuantityType: Int] = [:]

    private var feed: AdapterFeed
    private var converter: Converter
    private var receipts = ReceiptSequence()
    private let epoch: ClockEpoch

    init(
        _ adapter: any DeviceAdapter, types: QuantityTypes, in run: ConformanceRun,
        startingAt start: Instant = standardStart
    ) {
        feed = AdapterFeed(adapter, in: run, keepsActions: false)
        converter = Converter(
            device: "conformance", source: SourceRevision(name: "conformance"), person: nil,
            types: types)
        let offset = start.adding(nanoseconds: -feed.now.nanoseconds)
        epoch = ClockEpoch(number: 0, offsetNanoseconds: offset.nanosecondsSince1970)
    }

    /// Opens the link.
    mutating func open() {
        handle(.opened)
        _ = converter.linkOpened(Device(), at: feed.now, in: epoch)
    }

    /// Passes an event a while after the last one, and converts the readings that `isWanted` keeps.
    ///
    /// - Returns: These readings.
    @discardableResult
    mutating func handle(
        _ kind: AdapterEvent.Kind, afterSeconds seconds: Double = 0.001,
        keeping isWanted: (Reading) -> Bool = { _ in true }
    ) -> [Reading] {
        feed.wait(seconds: seconds)
        let readings = feed.handle(kind, at: feed.now).compactMap(\.asReading).filter(isWanted)
        let timed = readings.map { TimedReading($0, at: receipts.next(feed.now, for: $0)) }
        for case .counter(let counter) in readings {
            counterReadings[counter.type, default: 0] += 1
        }
        let conversion = converter.convert(timed, in: epoch)
        for case .sample(let sample) in conversion.records { samples.append(sample) }
        for (key, count) in conversion.faults.counts {
            faults.add(key.fault, of: key.stream, count: count)
        }
        return readings
    }
}

/// What the samples of a stream add up to, however it was divided among events.
struct SampleSummary {
    private var totals: [QuantityType: Double] = [:]
    private var values: [QuantityType: [Double]] = [:]
    private var faults: [ReadingFaults.Key: Int] = [:]

    init(_ feed: ConvertedFeed) {
        for sample in feed.samples {
            let value = (try? sample.quantity.value(in: sample.type.canonicalUnit)) ?? .nan
            if sample.type.isCumulative {
                totals[sample.type, default: 0] += value
            } else {
                values[sample.type, default: []].append(value)
            }
        }
        for (key, count) in feed.faults.counts { faults[key] = count }
    }

    /// The types whose samples differ, and the types of faults that differ, by name.
    ///
    /// A total is compared only if the adapter reports it once for each message.
    func differences(from other: SampleSummary, comparing counters: Set<QuantityType>) -> [String] {
        var names: Set<String> = []
        for type in Set(totals.keys).union(other.totals.keys) where counters.contains(type) {
            let (left, right) = (totals[type] ?? 0, other.totals[type] ?? 0)
            if (left - right).magnitude > 1e-6 * max(left.magnitude, 1) { names.insert(type.name) }
        }
        for type in Set(values.keys).union(other.values.keys)
        where values[type] != other.values[type] {
            names.insert(type.name)
        }
        for key in Set(faults.keys).union(other.faults.keys) where faults[key] != other.faults[key]
        {
            names.insert(key.stream)
        }
        return names.sorted()
    }
}
