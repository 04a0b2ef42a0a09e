import JSON

/// An encoder for records as JSON, one object on one line each.
///
/// The limits of the values ensure that a line is at most `RecordDecoder.maximumLineLength` long.
public enum RecordEncoder {
    /// Appends a record, without a newline.
    public static func append(_ record: Record, to buffer: inout [UInt8]) {
        switch record {
        case .sample(let sample): append(sample, to: &buffer)
        case .category(let sample): append(sample, to: &buffer)
        case .correlation(let correlation): append(correlation, to: &buffer)
        case .workout(let workout): append(workout, to: &buffer)
        case .event(let event): append(event, to: &buffer)
        case .deletion(let deleted): append(deleted, to: &buffer)
        }
    }

    private static func append(_ sample: QuantitySample, to buffer: inout [UInt8]) {
        buffer.append("{\"id\":\"")
        sample.id.append(to: &buffer)
        buffer.append("\",\"type\":")
        buffer.append(contentsOf: sample.type.json)
        buffer.append(",\"start\":\"")
        sample.start.appendISO8601(to: &buffer)
        buffer.append("\",\"end\":\"")
        sample.end.appendISO8601(to: &buffer)
        buffer.append("\",\"value\":")
        Number.append(sample.quantity.value, to: &buffer)
        appendEnd(of: sample, to: &buffer)
    }

    /// Appends the fields after the value, which are the same for all samples of a stream.
    static func appendEnd(of sample: QuantitySample, to buffer: inout [UInt8]) {
        buffer.append(",\"unit\":")
        buffer.append(contentsOf: sample.quantity.unit.json)
        appendOrigin(
            person: sample.person, device: sample.device, source: sample.source, to: &buffer)
        appendField(sample.metadata, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    /// The length of a correlation as JSON, in bytes.
    static func length(of correlation: Correlation) -> Int {
        var buffer: [UInt8] = []
        append(correlation, to: &buffer)
        return buffer.count
    }

    private static func append(_ sample: CategorySample, to buffer: inout [UInt8]) {
        buffer.append("{\"kind\":\"category\",\"id\":\"")
        sample.id.append(to: &buffer)
        appendHead(sample.type.name, sample.start, sample.end, to: &buffer)
        buffer.append(",\"value\":")
        buffer.append(contentsOf: String(sample.value).utf8)
        appendOrigin(
            person: sample.person, device: sample.device, source: sample.source, to: &buffer)
        appendField(sample.metadata, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    private static func append(_ correlation: Correlation, to buffer: inout [UInt8]) {
        buffer.append("{\"kind\":\"correlation\",\"id\":\"")
        correlation.id.append(to: &buffer)
        appendHead(correlation.type.name, correlation.start, correlation.end, to: &buffer)
        buffer.append(",\"samples\":")
        var separator = UInt8(ascii: "[")
        for member in correlation.samples {
            buffer.append(separator)
            switch member {
            case .quantity(let sample): append(sample, to: &buffer)
            case .category(let sample): append(sample, to: &buffer)
            }
            separator = UInt8(ascii: ",")
        }
        buffer.append(UInt8(ascii: "]"))
        appendOrigin(
            person: correlation.person, device: correlation.device, source: correlation.source,
            to: &buffer)
        appendField(correlation.metadata, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    /// Appends the fields after the id: type and times.
    ///
    /// Type names are ASCII letters and need no escapes.
    private static func appendHead(
        _ type: String, _ start: Instant, _ end: Instant, to buffer: inout [UInt8]
    ) {
        buffer.append("\",\"type\":\"")
        buffer.append(contentsOf: type.utf8)
        buffer.append("\",\"start\":\"")
        start.appendISO8601(to: &buffer)
        buffer.append("\",\"end\":\"")
        end.appendISO8601(to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    private static func append(_ event: DeviceEvent, to buffer: inout [UInt8]) {
        buffer.append("{\"kind\":\"event\",\"id\":\"")
        event.id.append(to: &buffer)
        buffer.append("\",\"event\":\"device\",\"at\":\"")
        event.at.appendISO8601(to: &buffer)
        buffer.append(UInt8(ascii: "\""))
        appendOrigin(person: event.person, device: event.device, source: event.source, to: &buffer)
        buffer.append(",\"state\":")
        append(event.state, to: &buffer)
        if let reason = event.reason {
            buffer.append(",\"reason\":")
            buffer.appendJSONString(reason)
        }
        appendField(event.metadata, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    static func appendField(_ metadata: Metadata, to buffer: inout [UInt8]) {
        guard !metadata.isEmpty else { return }
        buffer.append(",\"metadata\":")
        append(metadata, to: &buffer)
    }

    static func appendOrigin(
        person: String?, device: Device?, source: SourceRevision?, to buffer: inout [UInt8]
    ) {
        if let person {
            buffer.append(",\"person\":")
            buffer.appendJSONString(person)
        }
        if let device {
            buffer.append(",\"device\":")
            buffer.append(contentsOf: device.json)
        }
        if let source {
            buffer.append(",\"source\":")
            buffer.append(contentsOf: source.json)
        }
    }

    private static func append(_ state: DeviceState, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "{"))
        if let connection = state.connection {
            buffer.append("\"connection\":")
            buffer.appendJSONString(connection.rawValue)
        }
        if let contact = state.contact {
            if state.connection != nil { buffer.append(UInt8(ascii: ",")) }
            buffer.append("\"contact\":")
            buffer.append(contact ? "true" : "false")
        }
        if let battery = state.battery {
            if state.connection != nil || state.contact != nil {
                buffer.append(UInt8(ascii: ","))
            }
            buffer.append("\"battery\":")
            Number.append(battery, to: &buffer)
        }
        buffer.append(UInt8(ascii: "}"))
    }

    static func append(_ metadata: Metadata, to buffer: inout [UInt8]) {
        var separator = UInt8(ascii: "{")
        for entry in metadata {
            buffer.append(separator)
            buffer.appendJSONString(entry.key)
            buffer.append(UInt8(ascii: ":"))
            append(entry.value, to: &buffer)
            separator = UInt8(ascii: ",")
        }
        buffer.append(UInt8(ascii: "}"))
    }

    /// Appends a metadata value.
    ///
    /// JSON has no dates and no quantities, so these are objects: `{"date":"…"}` and
    /// `{"value":72,"unit":"count/min"}`.
    private static func append(_ value: MetadataValue, to buffer: inout [UInt8]) {
        switch value {
        case .string(let string): buffer.appendJSONString(string)
        case .number(let number): Number.append(number, to: &buffer)
        case .boolean(let boolean): buffer.append(boolean ? "true" : "false")
        case .quantity(let quantity):
            buffer.append(UInt8(ascii: "{"))
            appendFields(of: quantity, to: &buffer)
            buffer.append(UInt8(ascii: "}"))
        case .date(let date):
            buffer.append("{\"date\":\"")
            date.appendISO8601(to: &buffer)
            buffer.append("\"}")
        }
    }

    private static func appendFields(of quantity: Quantity, to buffer: inout [UInt8]) {
        buffer.append("\"value\":")
        Number.append(quantity.value, to: &buffer)
        buffer.append(",\"unit\":")
        buffer.append(contentsOf: quantity.unit.json)
    }
}
