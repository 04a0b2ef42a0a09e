import HealthModel

/// Records that have everything a record can have, and those that have the least.
enum RecordExamples {
    static let id = RecordID(high: 0x0198_F3C2_0123_8ABC, low: 0x9DEF_00FF_1020_3040)
    static let start = Instant(nanosecondsSince1970: 1_795_284_900_123_000_000)
    static let device = Device(
        name: "Polar H10 8A2F", manufacturer: "Polar Electro Oy", model: "H10",
        hardwareVersion: "00760690.03", firmwareVersion: "5.0.0", softwareVersion: "H10 3.1.1",
        localIdentifier: "D0:11:22:33:44:55", serial: "8A2F1234")
    static let source = SourceRevision(name: "straps", version: "1.0.0")

    static func fullSample() throws -> QuantitySample {
        try QuantitySample(
            id: id, type: .heartRate, start: start, end: start,
            quantity: Quantity(72, .countPerMinute), person: "ada", device: device, source: source,
            metadata: Metadata(["HKHeartRateSensorLocation": .number(1)]))
    }

    static func sample(
        _ value: Double = 1.5, metadata: Metadata = Metadata(), device: Device? = nil
    ) throws -> QuantitySample {
        try QuantitySample(
            id: id, type: .stepCount, start: start, end: start.adding(nanoseconds: 1_000_000_001),
            quantity: Quantity(value, .count), device: device, metadata: metadata)
    }

    static func fullEvent() -> DeviceEvent {
        DeviceEvent(
            id: id, at: start, device: Device(name: "Polar H10 8A2F"), source: source,
            person: "ada",
            state: DeviceState(connection: .connected, contact: true, battery: 0.87),
            reason: "found")
    }

    static func metadataOfEveryKind() throws -> Metadata {
        try Metadata([
            "string": .string("é \"\\/\u{8}\u{c}\n\r\t\u{1}\u{1f}\u{7f} 💓"),
            "number": .number(-1.25e-7),
            "boolean": .boolean(false), "quantity": .quantity(Quantity(120, .countPerMinute)),
            "date": .date(start), "key \"\n\"": .string(""),
        ])
    }

    static func all() throws -> [Record] {
        [
            .sample(try fullSample()), .sample(try sample()),
            .sample(try sample(metadata: metadataOfEveryKind(), device: Device())),
            .event(fullEvent()),
            .event(DeviceEvent(id: id, at: start, device: Device(), state: DeviceState())),
            .event(
                DeviceEvent(
                    id: id, at: start, device: Device(), state: DeviceState(),
                    metadata: try metadataOfEveryKind())),
            .event(
                DeviceEvent(
                    id: id, at: start, device: device, state: DeviceState(battery: 1), reason: "")),
        ]
    }

    static func line(_ record: Record) -> [UInt8] {
        var buffer: [UInt8] = []
        RecordEncoder.append(record, to: &buffer)
        return buffer
    }
}
