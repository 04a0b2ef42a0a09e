import HealthModel

/// Measures parsing units, converting values and making samples.
struct UnitsBenchmark: Benchmark {
    let name = "units"
    let summary =
        "units parsed and converted and samples made, vs. a dictionary, a product, a struct"

    private static let count = 1_000_000
    /// Units of straps, pedometers and scales, and of displays.
    private static let texts = ["count/min", "ms", "count", "m", "kg", "lb", "kcal", "mL/min·kg"]

    /// A sample without any validation.
    private struct BareSample {
        let id: RecordID
        let type: QuantityType
        let start: Instant
        let end: Instant
        let value: Double
        let unit: Unit
        let person: String?
        let device: Device?
        let source: SourceRevision?
        let metadata: Metadata
    }

    func run(_ context: BenchmarkContext) async throws -> [Figure] {
        let cached = try await context.rounds.alternate {
            try lookUp()
        } ours: {
            try parseCached()
        }
        let parsed = try await context.rounds.alternate {
            try lookUp()
        } ours: {
            try parse()
        }
        let converted = try await context.rounds.alternate {
            multiply()
        } ours: {
            try convert()
        }
        let made = try await context.rounds.alternate {
            try make { self.bareSample($0, $1, $2) }
        } ours: {
            try make { try self.sample($0, $1, $2) }
        }
        return [
            Figure("unit's text, known", "ns", cached, goal: .value(.atMost, 100)) {
                $0.nanosecondsEach
            },
            Figure("unit's text, new", "ns", parsed) { $0.nanosecondsEach },
            Figure("value in another unit", "ns", converted, goal: .value(.atMost, 20)) {
                $0.nanosecondsEach
            },
            Figure("sample made", "ns", made, goal: .value(.atMost, 200)) { $0.nanosecondsEach },
        ]
    }

    // MARK: Texts

    /// Makes strings at run time, so that they are not literals.
    private func readTexts() -> [String] {
        Self.texts.map { String(decoding: Array($0.utf8), as: UTF8.self) }
    }

    private func parseCached() throws -> Cost {
        var cache = UnitCache()
        let texts = readTexts()
        return try Meter.cost(of: Self.count) {
            for _ in 0..<Self.count / texts.count {
                for text in texts { blackHole(try cache.unit(parsing: text)) }
            }
        }
    }

    private func parse() throws -> Cost {
        let texts = readTexts()
        return try Meter.cost(of: Self.count / 10) {
            for _ in 0..<Self.count / 10 / texts.count {
                for text in texts { blackHole(try Unit(parsing: text)) }
            }
        }
    }

    private func lookUp() throws -> Cost {
        var units: [String: Unit] = [:]
        for text in Self.texts { units[text] = try Unit(parsing: text) }
        let texts = readTexts()
        return Meter.cost(of: Self.count) {
            for _ in 0..<Self.count / texts.count {
                for text in texts { blackHole(units[text]) }
            }
        }
    }

    // MARK: Values

    private func convert() throws -> Cost {
        let pairs: [(Unit, Unit)] = [
            (.pound, .kilogram), (.countPerMinute, .countPerSecond), (.kilometer, .mile),
            (.kilocalorie, .kilojoule),
        ]
        return try Meter.cost(of: Self.count) {
            // A stream is of one unit: taking it out of an array each time would cost more.
            for (unit, other) in pairs {
                for index in 0..<Self.count / pairs.count {
                    blackHole(try unit.convert(Double(index), to: other))
                }
            }
        }
    }

    private func multiply() -> Cost {
        let factors = [(45_359_237.0, 1e8), (1, 60), (1e6, 1_609_344), (4_184, 1e3)]
        return Meter.cost(of: Self.count) {
            for (multiplier, divisor) in factors {
                for index in 0..<Self.count / factors.count {
                    blackHole(Double(index) * multiplier / divisor)
                }
            }
        }
    }

    // MARK: Samples

    private typealias Origin = (person: String, device: Device, source: SourceRevision)

    private func make<Sample>(
        _ sample: (Int, Double, Origin) throws -> Sample
    ) throws -> Cost {
        let origin = (
            person: "ada",
            device: Device(name: "Polar H10", localIdentifier: "D0:11:22:33:44:55"),
            source: SourceRevision(name: "straps", version: "1.0.0")
        )
        return try Meter.cost(of: Self.count) {
            for index in 0..<Self.count { blackHole(try sample(index, 72, origin)) }
        }
    }

    private func sample(
        _ index: Int, _ value: Double, _ origin: Origin
    ) throws -> QuantitySample {
        let moment = Instant(nanosecondsSince1970: Int64(index))
        return try QuantitySample(
            id: RecordID(high: UInt64(index), low: 1), type: .heartRate, start: moment,
            end: moment, quantity: Quantity(value, .countPerMinute), person: origin.person,
            device: origin.device, source: origin.source)
    }

    private func bareSample(_ index: Int, _ value: Double, _ origin: Origin) -> BareSample {
        let moment = Instant(nanosecondsSince1970: Int64(index))
        return BareSample(
            id: RecordID(high: UInt64(index), low: 1), type: .heartRate, start: moment,
            end: moment, value: value, unit: .countPerMinute, person: origin.person,
            device: origin.device, source: origin.source, metadata: Metadata())
    }
}
