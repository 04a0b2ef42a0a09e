import HealthModel
import Platform

@testable import GatewayTesting

/// Random records and streams of records.
struct RandomRecords {
    private static let texts = [
        "", "a", "Polar H10 8A2F", "\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}", "💓", "e\u{301}", "é",
        "\u{2028}",
        String(repeating: "x", count: 700), String(repeating: "💓", count: 300),
        String(repeating: "\u{1}", count: 600), "D0:11:22:33:44:55", "\u{0}", "\u{feff}",
        "\u{10ffff}",
    ]

    /// Samples of one stream: the same except for id, times and value.
    static func stream(_ count: Int, _ random: inout SeededGenerator) -> [QuantitySample] {
        let type = random.pick(QuantityType.all)
        let person: String? = random.once(in: 2) ? "ada" : nil
        let device: Device? = random.once(in: 4) ? nil : self.device(&random)
        let source: SourceRevision? =
            random.once(in: 4)
            ? nil
            : SourceRevision(
                name: random.pick(texts), version: random.once(in: 2) ? random.pick(texts) : nil)
        let metadata = random.once(in: 3) ? self.metadata(&random) : Metadata()
        return (0..<count).compactMap { _ in
            let start = instant(&random)
            let end = type.isCumulative ? start.adding(nanoseconds: 1_000) : start
            guard start <= end, let quantity = try? Quantity(number(&random), type.canonicalUnit)
            else { return nil }
            return try? QuantitySample(
                id: id(&random), type: type, start: start, end: end, quantity: quantity,
                person: person, device: device, source: source, metadata: metadata)
        }
    }

    static func event(_ random: inout SeededGenerator) -> DeviceEvent {
        DeviceEvent(
            id: id(&random), at: instant(&random), device: device(&random),
            source: SourceRevision(name: random.pick(texts)),
            person: random.once(in: 2) ? "bob" : nil,
            state: DeviceState(
                connection: random.pick(DeviceState.Connection.allCases),
                contact: random.once(in: 2) ? true : nil, battery: number(&random)),
            reason: random.once(in: 2) ? random.pick(texts) : nil, metadata: metadata(&random))
    }

    /// A category sample, a meal or a workout.
    static func other(_ random: inout SeededGenerator) -> Record? {
        if random.once(in: 3) { return workout(&random).map { .workout($0) } }
        guard random.once(in: 2) else { return category(&random).map { .category($0) } }
        let start = instant(&random)
        var members = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
            category(&random).map { Correlation.Member.category($0) }
        }
        let energy = try? QuantitySample(
            id: id(&random), type: .dietaryEnergyConsumed, start: Instant(nanosecondsSince1970: 0),
            end: Instant(nanosecondsSince1970: 1), quantity: Quantity(number(&random), .kilocalorie)
        )
        if let energy { members.append(.quantity(energy)) }
        // Nil when it is too long.
        let correlation = try? Correlation(
            id: id(&random), type: .food, start: start, end: start, samples: members,
            person: random.once(in: 2) ? "ada" : nil, device: device(&random),
            metadata: metadata(&random))
        return correlation.map { .correlation($0) }
    }

    private static func workout(_ random: inout SeededGenerator) -> Workout? {
        let start = instant(&random)
        let end = start.adding(nanoseconds: 1_000_000_000)
        let activity =
            random.once(in: 3)
            ? WorkoutActivity(customName: "stair-run")
            : WorkoutActivity(number: UInt.random(in: 1...90, using: &random))
        guard start <= end, let activity else { return nil }
        let events = (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
            try? WorkoutEvent(
                random.pick(WorkoutEvent.Kind.allCases), from: start,
                to: random.once(in: 2) ? start : end, metadata: metadata(&random))
        }
        let type = random.pick(QuantityType.all)
        let unit = type.canonicalUnit
        let total: WorkoutTotal?
        if type.isCumulative {
            total = try? WorkoutTotal(
                type, sum: Quantity(number(&random), unit), method: random.pick(texts))
        } else {
            total = try? WorkoutTotal(
                type, average: Quantity(number(&random), unit),
                minimum: Quantity(number(&random), unit), maximum: Quantity(number(&random), unit))
        }
        // Nil when it is too long or not valid.
        return try? Workout(
            id: id(&random), activity: activity, location: random.pick(WorkoutLocation.allCases),
            start: start, end: end, events: events, totals: total.map { [$0] } ?? [],
            person: random.once(in: 2) ? "ada" : nil, device: device(&random),
            metadata: metadata(&random))
    }

    private static func category(_ random: inout SeededGenerator) -> CategorySample? {
        let type = random.pick(CategoryType.all)
        let start = instant(&random)
        return try? CategorySample(
            id: id(&random), type: type, start: start,
            end: random.once(in: 2) ? start : start.adding(nanoseconds: 1_000),
            value: random.pick(type.values).number, person: random.once(in: 2) ? "bob" : nil,
            device: random.once(in: 2) ? device(&random) : nil,
            source: SourceRevision(name: random.pick(texts)), metadata: metadata(&random))
    }

    private static func device(_ random: inout SeededGenerator) -> Device {
        func text(_ random: inout SeededGenerator) -> String? {
            random.once(in: 2) ? random.pick(texts) : nil
        }
        return Device(
            name: text(&random), manufacturer: text(&random), model: text(&random),
            hardwareVersion: text(&random), firmwareVersion: text(&random),
            softwareVersion: text(&random), localIdentifier: text(&random), serial: text(&random))
    }

    private static func metadata(_ random: inout SeededGenerator) -> Metadata {
        var metadata = Metadata()
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            let value: MetadataValue? =
                switch Int.random(in: 0..<5, using: &random) {
                case 0: .string(random.pick(texts))
                case 1: .number(number(&random))
                case 2: .boolean(random.once(in: 2))
                case 3: (try? Quantity(number(&random), .countPerMinute)).map { .quantity($0) }
                default: .date(instant(&random))
                }
            // Entries that do not fit are dropped.
            if let value { try? metadata.set(value, for: random.pick(texts)) }
        }
        return metadata
    }

    private static func id(_ random: inout SeededGenerator) -> RecordID {
        RecordID(high: random.next(), low: random.next())
    }

    private static func instant(_ random: inout SeededGenerator) -> Instant {
        let usual: Int64 = 1_795_284_900_000_000_000
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: Instant(nanosecondsSince1970: Int64(bitPattern: random.next()))
        case 1: Instant(nanosecondsSince1970: random.pick([.min, .max, 0, -1, 1]))
        default:
            Instant(
                nanosecondsSince1970: usual + Int64.random(in: 0...3_000_000_000, using: &random))
        }
    }

    private static func number(_ random: inout SeededGenerator) -> Double {
        let numbers = [
            0, -0.0, 1, 72, 0.1, 1e22, 1e23, 9_007_199_254_740_991, 9_007_199_254_740_992,
            .leastNonzeroMagnitude,
            .leastNormalMagnitude, .greatestFiniteMagnitude, -1.25e-7, 123_456_789_012_345_680,
        ]
        if random.once(in: 2) { return random.pick(numbers) }
        let any = Double(bitPattern: random.next())
        return any.isFinite ? any : 1
    }
}
