import HealthModel
import Readings

/// The fields of a reading in a line, whose keys may be in any order.
struct ReadingDraft {
    private(set) var device: String?
    private(set) var id: RecordID?
    var type: QuantityType?
    /// The `type` of values measured together.
    var correlation: CorrelationType?
    /// The values measured together.
    var members: [CorrelationReading.Member]?
    var unit: Unit?
    private var kind: ReadingLine.Kind?
    private var dropped: DropReason?
    private var channel: String?
    private var bytes: [UInt8]?
    private var value: Double?
    private var modulus: Double?
    private var saturates: Double?
    private var countsPerUnit: Double?
    private var ticks: [UInt32]?
    private var perSecond: Double?
    private var values: [Double]?
    private var deviceTime: UInt64?
    private var contact: Bool?
    private var battery: Double?
    private var metadata: Metadata?
    private var properties: [ReadingLine.Key: String] = [:]
    private var clock: MeasurementTime.Clock?
    private var hasAge = false
    private var sequence: UInt64?
    private var line: UInt64?
    private var session: String?
    private var seen: UInt32 = 0

    /// The number of the line.
    var number: ReadingLineNumber? {
        line.map { ReadingLineNumber(session: session, sequence: $0) }
    }

    /// Notes a key; false for a duplicate.
    mutating func note(_ key: ReadingLine.Key) -> Bool {
        let bit: UInt32 = 1 << UInt32(key.rawValue)
        defer { seen |= bit }
        return seen & bit == 0
    }

    /// Reads the value of a key other than `type`, `unit` and `members`.
    mutating func read(
        _ key: ReadingLine.Key, from cursor: inout JSONCursor
    ) throws(RecordDecodingError) {
        switch key {
        case .reading: kind = try cursor.readKind()
        case .discarded: dropped = try cursor.readDropReason()
        case .value: value = try cursor.readNumber(for: "value")
        case .modulus: modulus = try cursor.readPositive(for: "modulus")
        case .saturates: saturates = try cursor.readPositive(for: "saturates")
        case .countsPerUnit: countsPerUnit = try cursor.readPositive(for: "countsPerUnit")
        case .perSecond: perSecond = try cursor.readPositive(for: "perSecond")
        case .ticks: ticks = try cursor.readTicks()
        case .values: values = try cursor.readValues()
        case .deviceTime: deviceTime = try cursor.readDeviceTime()
        case .contact:
            if !cursor.take(literal: "null") { contact = try cursor.readBoolean(for: "contact") }
        case .battery: battery = try cursor.readFraction(for: "battery")
        case .metadata: metadata = try cursor.readMetadata()
        case .time:
            try checkClock(key, cursor)
            clock = try cursor.readMeasurementTime()
        case .age:
            try checkClock(key, cursor)
            clock = .age(nanoseconds: try cursor.readAge())
        case .sequence: sequence = try cursor.readWholeNumber(for: "sequence")
        case .seq: line = try cursor.readWholeNumber(for: "seq")
        case .session: session = try cursor.readName(for: "session")
        case .device: device = try cursor.readName(for: "device")
        case .id: id = try cursor.readID()
        case .write: channel = try cursor.readName(for: "write")
        case .bytes: bytes = try cursor.readBytes()
        case .name, .manufacturer, .model, .serial, .hardwareVersion, .firmwareVersion,
            .softwareVersion:
            properties[key] = try cursor.readProperty(for: key.name)
        case .type, .unit, .members: return
        }
    }

    private func checkClock(
        _ key: ReadingLine.Key, _ cursor: JSONCursor
    ) throws(RecordDecodingError) {
        guard clock == nil else { throw cursor.invalid(key.name, "the only one of time and age") }
    }

    /// Makes what the line states.
    func finish() throws(RecordDecodingError) -> ReadingLine.Content {
        if let dropped, kind == nil { return .dropped(dropped) }
        if let channel, kind == nil { return .write(try require(bytes, "bytes"), on: channel) }
        switch kind {
        case .instant: return .readings([try instant()])
        case .counter: return .readings([.counter(try counter())])
        case .beats:
            return .readings([
                .beats(
                    BeatsReading(
                        ticks: try require(ticks, "ticks"),
                        perSecond: try require(perSecond, "perSecond"), measured: measured))
            ])
        case .waveform: return .readings([.waveform(try waveform())])
        case .correlation: return .readings([.correlation(try membersReading())])
        case .state: return .readings(try state())
        case .identity: return .readings([.identity(identity)])
        case .metadata:
            return .readings([
                .metadata(try require(metadata, "metadata"), for: try quantityType())
            ])
        case nil: throw .missingKey("reading")
        }
    }

    private var measured: MeasurementTime? {
        clock.map { MeasurementTime($0, sequence: sequence) }
    }

    private func quantityType() throws(RecordDecodingError) -> QuantityType {
        guard correlation == nil else {
            throw .invalidValue(key: "type", expected: "a quantity type", offset: 0)
        }
        return try require(type, "type")
    }

    private func membersReading() throws(RecordDecodingError) -> CorrelationReading {
        guard type == nil else {
            let names = CorrelationType.allCases.map(\.name).joined(separator: ", ")
            throw .invalidValue(key: "type", expected: "one of \(names)", offset: 0)
        }
        return CorrelationReading(
            try require(correlation, "type"), try require(members, "members"), measured: measured)
    }

    private func instant() throws(RecordDecodingError) -> Reading {
        let type = try quantityType()
        let value = try require(value, "value")
        guard let quantity = try? Quantity(value, unit ?? type.canonicalUnit) else {
            throw .invalidValue(key: "value", expected: "a finite number", offset: 0)
        }
        return .instant(type, quantity, measured: measured)
    }

    private func counter() throws(RecordDecodingError) -> CounterReading {
        let type = try quantityType()
        let range: CounterReading.Range
        switch (modulus, saturates) {
        case (nil, nil): range = .unbounded
        case (let modulus?, nil): range = .rollsOver(at: modulus)
        case (nil, let limit?): range = .saturates(at: limit)
        case (_?, _?):
            throw .invalidValue(
                key: "saturates", expected: "the only one of modulus and saturates", offset: 0)
        }
        return CounterReading(
            type, value: try require(value, "value"), range: range,
            unit: unit ?? type.canonicalUnit, countsPerUnit: countsPerUnit ?? 1,
            measured: measured)
    }

    private func waveform() throws(RecordDecodingError) -> WaveformReading {
        let type = try quantityType()
        guard clock == nil || deviceTime == nil else {
            throw .invalidValue(
                key: "deviceTime", expected: "the only one of time, age and deviceTime", offset: 0)
        }
        return WaveformReading(
            type, values: try require(values, "values"), unit: unit ?? type.canonicalUnit,
            perSecond: try require(perSecond, "perSecond"), deviceTime: deviceTime,
            measured: measured)
    }

    private func state() throws(RecordDecodingError) -> [Reading] {
        var readings: [Reading] = []
        if seen & 1 << UInt32(ReadingLine.Key.contact.rawValue) != 0 {
            readings.append(.state(.contact(contact)))
        }
        if let battery { readings.append(.state(.battery(battery))) }
        guard !readings.isEmpty else { throw .missingKey("contact") }
        return readings
    }

    private var identity: Device {
        Device(
            name: properties[.name], manufacturer: properties[.manufacturer],
            model: properties[.model], hardwareVersion: properties[.hardwareVersion],
            firmwareVersion: properties[.firmwareVersion],
            softwareVersion: properties[.softwareVersion], serial: properties[.serial])
    }

    private func require<Value>(
        _ value: Value?, _ key: String
    ) throws(RecordDecodingError) -> Value {
        guard let value else { throw .missingKey(key) }
        return value
    }
}
