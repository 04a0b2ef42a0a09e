import ByteDecoding
import GatewayCore
import HealthModel
import Readings

/// The adapter that converts lines of text to readings.
struct LinesAdapter: DeviceAdapter {
    private static let defaultLineLength = 16

    private let reader: LineReader
    private var splitter: DelimitedSplitter

    init(reader: LineReader) {
        self.reader = reader
        splitter = reader.terminator.splitter
    }

    /// Handles an event; opening or closing the link discards an incomplete line.
    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        switch event.kind {
        case .opened, .closed:
            splitter.reset(skippingFirst: reader.discardsFirstLine)
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
            case .bytes(let line): reader.read(line, into: &actions)
            case .tooLong: actions.append(.dropped(.tooLong))
            }
        }
        return actions
    }
}

/// Converts lines to readings.
struct LineReader: Sendable {
    let terminator: LineTerminator
    /// Whether to skip the first line after opening, because it may be truncated undetectably.
    let discardsFirstLine: Bool
    private let templates: [LineTemplate]
    private let counter: StepCounter
    private let distanceUnit: Unit

    init(_ preset: LinePreset, types: QuantityTypes) throws(LineTemplateError) {
        terminator = preset.terminator
        templates = try preset.templates.map { text throws(LineTemplateError) in
            try LineTemplate(text, types: types)
        }
        discardsFirstLine = templates.contains { $0.beginsWithNumber }
        counter = preset.counter
        distanceUnit = preset.distanceUnit
    }

    /// Reads one line: appends its readings or the reason of its drop; a blank line is ignored.
    func read(_ line: ArraySlice<UInt8>, into actions: inout [AdapterAction]) {
        let text = line.span.extracting(line.span.trimmedRange)
        guard !text.isEmpty else { return }
        for template in templates {
            guard let values = template.match(text) else { continue }
            if !append(values, to: &actions) { actions.append(.dropped(.invalid)) }
            return
        }
        actions.append(.dropped(.unknown))
    }

    /// Appends all readings of a line, or none if one is invalid.
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

    /// The largest integer up to which `Double` is exact.
    private static let largestExactCount: Int64 = 1 << 53

    /// A count as a `Double`, if it is not negative and exactly representable.
    private static func exactCount(_ count: Int64) -> Double? {
        (0...largestExactCount).contains(count) ? Double(count) : nil
    }
}

extension Span<UInt8> {
    /// The range without leading and trailing white space.
    fileprivate var trimmedRange: Range<Int> {
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
    /// The readings of quantities; nil if one of them is invalid.
    private static func readings(of values: [LineValues.TypedNumber]) -> [Reading]? {
        var readings: [Reading] = []
        for value in values {
            guard let millionths = value.number.millionths,
                let reading = reading(of: value.quantity, millionths)
            else { return nil }
            readings.append(reading)
        }
        return readings
    }

    /// A counter reading for a cumulative type, which is printed as a running total, else a value.
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
