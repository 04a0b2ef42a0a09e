import HealthModel
import JSON

/// Writes InfluxDB's line protocol, version 1: a point for each record, or correlation member.
///
///     heartRate,device=D0:11:22:33:44:55,person=ada,source=straps value=72 1795284900123000000
///     stepCount,device=/dev/ttyUSB0,source=foot value=12,duration=5 1795284905000000000
///     sleepAnalysis,person=ada,source=ring value=4i,duration=1800 1795284905000000000
///     workout,activity=running,person=ada,source=workout seconds=1800,heartRate=141 1795286700000000000
///     deviceState,device=D0:11:22:33:44:55 connection="connected",battery=0.87 1795284900000000000
///
/// - The measurement is the type, the field `value` is in the type's canonical unit: a percentage
///   is a fraction, 0.97 for 97 %. It reads back as the same number.
/// - The tags, where known, are `device` (the local identifier, else the serial number, else the
///   name), `person` and `source`. Ids and versions are not tags: each new value of a tag creates a
///   new series.
/// - The time is the sample's end in nanoseconds. A beat's interval is at its later beat. Cumulative
///   types have a field `duration` with the seconds since the start.
/// - A category is a measurement with the integer `value` (HealthKit's number), and `duration` unless
///   it is instantaneous. Of a correlation only the members are written, with their own tags.
/// - A workout is the measurement `workout` with the tag `activity`. Its fields are `seconds`, without
///   pauses, and for each type the sum or the average; discrete types also have a minimum and maximum,
///   such as `heartRateMinimum`. Laps and pauses are not written.
/// - A device's state is the measurement `deviceState` with the known fields of `battery`,
///   `connection`, `contact` and `reason`. An event without any is not written: a point needs a
///   field.
///
/// **Duplicate points.** InfluxDB stores one value for a measurement, its tags and a time; a later one
/// replaces it. Therefore a retry creates no duplicates. Readings of sensors have distinct times. Two
/// imported samples of one type, device and person with the same end time share a point, and InfluxDB
/// stores the last one. An additional tag would create a series for each id. The JSON formats and FHIR
/// store both.
/// A deletion is not written: a point is deleted by its measurement, tags and time, which a deletion
/// does not have.
///
/// VictoriaMetrics names it `heartRate_value`, stores milliseconds, and converts texts to 0.
struct LineProtocolWriter: RecordWriter {
    private struct Origin: Equatable {
        let device: Device?
        let person: String?
        let source: SourceRevision?
    }

    private static let defaultLineLength = 128
    private static let nanosecondsPerSecond = 1e9

    private var bytes: [UInt8] = []
    private var tags = RecentTextCache<Origin>()

    init(count: Int) {
        bytes.reserveCapacity(count * Self.defaultLineLength)
    }

    mutating func append(_ record: Record) -> Bool {
        switch record {
        case .sample(let sample): append(sample)
        case .category(let sample): append(sample)
        case .correlation(let correlation): append(correlation)
        case .workout(let workout): append(workout)
        case .event(let event): append(event)
        case .deletion: false
        }
    }

    func finish() -> [UInt8] { bytes }

    private mutating func append(_ sample: QuantitySample) -> Bool {
        guard let value = try? sample.quantity.value(in: sample.type.canonicalUnit) else {
            return false
        }
        bytes.append(contentsOf: sample.type.name.utf8)  // ASCII letters and digits
        appendTags(
            Origin(device: sample.device, person: sample.person, source: sample.source))
        bytes.append(" value=")
        Number.append(value, to: &bytes)
        if sample.type.isCumulative { appendDuration(from: sample.start, to: sample.end) }
        appendTime(sample.end)
        return true
    }

    private mutating func append(_ sample: CategorySample) -> Bool {
        bytes.append(contentsOf: sample.type.name.utf8)
        appendTags(
            Origin(device: sample.device, person: sample.person, source: sample.source))
        bytes.append(" value=")
        bytes.append(contentsOf: String(sample.value).utf8)
        bytes.append(UInt8(ascii: "i"))
        if sample.start < sample.end { appendDuration(from: sample.start, to: sample.end) }
        appendTime(sample.end)
        return true
    }

    /// Appends a point for each member; false when no member has a representable value.
    private mutating func append(_ correlation: Correlation) -> Bool {
        var isWritten = false
        for member in correlation.samples {
            switch member {
            case .quantity(let sample): isWritten = append(sample) || isWritten
            case .category(let sample): isWritten = append(sample) || isWritten
            }
        }
        return isWritten
    }

    private mutating func append(_ workout: Workout) -> Bool {
        bytes.append("workout,activity=")
        LineProtocolText.appendTag(workout.activity.name, to: &bytes)
        appendTags(
            Origin(device: workout.device, person: workout.person, source: workout.source))
        bytes.append(" seconds=")
        Number.append(workout.seconds, to: &bytes)
        for total in workout.totals {
            appendField(total.sum ?? total.average, of: total.type)
            appendField(total.minimum, of: total.type, suffix: "Minimum")
            appendField(total.maximum, of: total.type, suffix: "Maximum")
        }
        appendTime(workout.end)
        return true
    }

    /// Appends a value in the canonical unit, if it is representable.
    private mutating func appendField(
        _ quantity: Quantity?, of type: QuantityType, suffix: StaticString = ""
    ) {
        guard let value = try? quantity?.value(in: type.canonicalUnit) else { return }
        bytes.append(",")
        bytes.append(contentsOf: type.name.utf8)
        bytes.append(suffix)
        bytes.append("=")
        Number.append(value, to: &bytes)
    }

    private mutating func appendDuration(from start: Instant, to end: Instant) {
        bytes.append(",duration=")
        let nanoseconds = end.nanoseconds(since: start)
        Number.append(Double(nanoseconds) / Self.nanosecondsPerSecond, to: &bytes)
    }

    private mutating func append(_ event: DeviceEvent) -> Bool {
        let state = event.state
        guard
            state.battery != nil || state.connection != nil || state.contact != nil
                || event.reason != nil
        else { return false }
        bytes.append("deviceState")
        appendTags(Origin(device: event.device, person: event.person, source: event.source))
        var separator = UInt8(ascii: " ")
        if let battery = state.battery {
            appendField("battery", &separator)
            Number.append(battery, to: &bytes)
        }
        if let connection = state.connection {
            appendField("connection", &separator)
            LineProtocolText.appendField(connection.rawValue, to: &bytes)
        }
        if let contact = state.contact {
            appendField("contact", &separator)
            bytes.append(contact ? "true" : "false")
        }
        if let reason = event.reason {
            appendField("reason", &separator)
            LineProtocolText.appendField(reason, to: &bytes)
        }
        appendTime(event.at)
        return true
    }

    private mutating func appendField(_ name: StaticString, _ separator: inout UInt8) {
        bytes.append(separator)
        separator = UInt8(ascii: ",")
        bytes.append(name)
        bytes.append(UInt8(ascii: "="))
    }

    private mutating func appendTime(_ time: Instant) {
        bytes.append(UInt8(ascii: " "))
        bytes.append(contentsOf: String(time.nanosecondsSince1970).utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func appendTags(_ origin: Origin) {
        bytes.append(contentsOf: tags.text(of: origin, orMake: Self.text))
    }

    /// The tags sorted by name, as InfluxDB recommends for performance.
    private static func text(of origin: Origin) -> [UInt8] {
        let device = origin.device
        var text: [UInt8] = []
        for (name, value) in [
            ("device", device?.localIdentifier ?? device?.serial ?? device?.name),
            ("person", origin.person), ("source", origin.source?.name),
        ] {
            guard let value, !value.isEmpty else { continue }
            text.append(UInt8(ascii: ","))
            text.append(contentsOf: name.utf8)
            text.append(UInt8(ascii: "="))
            LineProtocolText.appendTag(value, to: &text)
        }
        return text
    }
}
