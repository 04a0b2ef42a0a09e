import GatewayCore
import HealthModel

/// Turns the bytes of a text pedometer into readings.
struct LinesAdapter: DeviceAdapter {
    private static let defaultLineLength = 16

    private let reader: LineReader
    private var splitter: LineSplitter

    init(reader: LineReader) {
        self.reader = reader
        splitter = LineSplitter(terminator: reader.terminator)
    }

    /// Takes bytes, and forgets the beginning of a line when the link is opened or closed.
    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        switch event.kind {
        case .opened, .closed:
            splitter.reset(skippingFirstLine: reader.distrustsFirstLine)
            return []
        case .timer: return []
        case .received(let bytes, _): return actions(for: bytes)
        }
    }

    private mutating func actions(for bytes: [UInt8]) -> [AdapterAction] {
        var actions: [AdapterAction] = []
        actions.reserveCapacity(bytes.count / Self.defaultLineLength)
        let reader = reader
        splitter.split(bytes) { piece in
            switch piece {
            case .line(let line): reader.read(line, into: &actions)
            case .tooLong: actions.append(.dropped(.tooLong))
            }
        }
        return actions
    }
}

/// Turns whole lines into readings.
struct LineReader: Sendable {
    let terminator: LineTerminator
    /// Whether the first line after opening may be torn so that nobody can see it.
    let distrustsFirstLine: Bool
    private let templates: [LineTemplate]
    private let counter: StepCounter
    private let distanceUnit: Unit

    init(_ preset: LinePreset, types: QuantityTypes) throws(LineTemplateError) {
        terminator = preset.terminator
        templates = try preset.templates.map { text throws(LineTemplateError) in
            try LineTemplate(text, types: types)
        }
        distrustsFirstLine = templates.contains { $0.beginsWithNumber }
        counter = preset.counter
        distanceUnit = preset.distanceUnit
    }

    /// Reads one line: its readings, or why it has none; a blank line says nothing.
    func read(_ line: ArraySlice<UInt8>, into actions: inout [AdapterAction]) {
        let text = line.span.extracting(line.span.rangeWithoutBlanks)
        guard !text.isEmpty else { return }
        for template in templates {
            guard let values = template.match(text) else { continue }
            if !append(values, to: &actions) { actions.append(.dropped(.invalid)) }
            return
        }
        actions.append(.dropped(.unknown))
    }

    /// Appends the readings of a line, all or none.
    private func append(_ values: LineValues, to actions: inout [AdapterAction]) -> Bool {
        let steps = values.steps.flatMap(\.whole).flatMap(counter.steps)
        let distance = values.distance.flatMap(\.millionths).flatMap(Self.exactCount)
        guard (steps == nil) == (values.steps == nil),
            (distance == nil) == (values.distance == nil),
            let readings = Self.readings(of: values.quantities)
        else { return false }
        if let steps = steps.flatMap(Self.exactCount) {
            actions.append(
                .reading(
                    .counter(
                        CounterReading(
                            .stepCount, value: steps, range: counter.range, unit: .count))))
        }
        if let distance {
            actions.append(
                .reading(
                    .counter(
                        CounterReading(
                            .distanceWalkingRunning, value: distance, unit: distanceUnit,
                            countsPerUnit: Double(DecimalNumber.millionthsPerOne)))))
        }
        for reading in readings { actions.append(.reading(reading)) }
        return true
    }

    /// Up to here a `Double` holds every whole number.
    private static let largestExactCount: Int64 = 1 << 53

    /// A count as a `Double`, where it is not negative and no digit is lost.
    private static func exactCount(_ count: Int64) -> Double? {
        (0...largestExactCount).contains(count) ? Double(count) : nil
    }
}

extension Span<UInt8> {
    /// What is left without blanks and line ends around it.
    fileprivate var rangeWithoutBlanks: Range<Int> {
        var start = 0
        var end = count
        while start < end, self[start].isBlankOrLineEnd { start += 1 }
        while end > start, self[end - 1].isBlankOrLineEnd { end -= 1 }
        return start..<end
    }
}

extension UInt8 {
    fileprivate var isBlankOrLineEnd: Bool {
        isBlank || self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n")
    }
}

extension LineReader {
    /// The readings of quantities; nil when one of them is impossible.
    private static func readings(of values: [LineValues.Measured]) -> [Reading]? {
        var readings: [Reading] = []
        for value in values {
            guard let millionths = value.number.millionths,
                let reading = reading(of: value.quantity, millionths)
            else { return nil }
            readings.append(reading)
        }
        return readings
    }

    /// What adds up is printed as a running total; anything else holds when it comes.
    private static func reading(of quantity: LineQuantity, _ millionths: Int64) -> Reading? {
        let perOne = Double(DecimalNumber.millionthsPerOne)
        guard quantity.type.isCumulative else {
            // Both numbers are exact, so the quotient is the `Double` nearest to the decimal.
            guard millionths.magnitude <= UInt64(largestExactCount),
                let value = try? Quantity(Double(millionths) / perOne, quantity.unit)
            else { return nil }
            return .instant(quantity.type, value)
        }
        return exactCount(millionths).map { count in
            .counter(
                CounterReading(
                    quantity.type, value: count, unit: quantity.unit, countsPerUnit: perOne))
        }
    }
}
