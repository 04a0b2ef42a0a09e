import HealthModel
import JSON

/// Writes InfluxDB's line protocol, version 1: a point for each record, of a correlation for each member.
///
///     heartRate,device=D0:11:22:33:44:55,person=ada,source=straps value=72 1795284900123000000
///     stepCount,device=/dev/ttyUSB0,source=foot value=12,duration=5 1795284905000000000
///     sleepAnalysis,person=ada,source=ring value=4i,duration=1800 1795284905000000000
///     workout,activity=running,person=ada,source=workout seconds=1800,heartRate=141 1795286700000000000
///     deviceState,device=D0:11:22:33:44:55 connection="connected",battery=0.87 1795284900000000000
///
/// - The measurement is the type, the field `value` is in the type's canonical unit: a percentage
///   is a fraction, 0.97 for 97 %. It reads back as the same number.
/// - A tag is there when its fact is known: `device` (the local identifier, else the serial number,
///   else the name), `person`, `source`. Ids and versions are no tags: each new value of a tag is a
///   new series.
/// - The time is the sample's end in nanoseconds: when the value was complete. A beat's interval
///   is at its later beat. For what adds up the field `duration` has the seconds up to there, so the
///   beginning is not lost.
/// - A category is the measurement of its type; `value` is HealthKit's number, an integer, and `duration`
///   is there when it lasted. A correlation itself is not written, but each of its members is, with the
///   tags that the member itself has.
/// - A workout is the measurement `workout` with the tag `activity`. Its fields are `seconds`, without the
///   pauses, and for each of its types the sum or the average; `heartRateMinimum` and `heartRateMaximum` are the
///   lowest and highest value of what is not counted. Its laps and pauses are not written.
/// - A device's state is the measurement `deviceState` with the fields that are known: `battery`,
///   `connection`, `contact`, `reason`. One of which nothing is known is left out: a point needs a
///   field.
///
/// **Two samples of one point.** InfluxDB keeps one value for a measurement, its tags and a time; the
/// later one replaces the earlier. That is why a retry stores nothing twice. Readings do not meet
/// there: receipts differ by nanoseconds, and each beat and each count ends at its own time. Only a
/// program or a file that gives two values of one type, device and person the very same end does; of
/// these InfluxDB has the last one. A tag that told them apart would be a series for each id, and
/// a time moved by a nanosecond would be a lie. The JSON formats and FHIR keep both.
///
/// VictoriaMetrics reads the same lines as `heartRate_value`, with milliseconds; it takes texts for 0.
struct LineProtocolWriter: RecordWriter {
    private struct Origin: Equatable {
        let device: Device?
        let person: String?
        let source: SourceRevision?
    }

    private static let defaultLineLength = 128
    private static let nanosecondsPerSecond = 1e9

    private var bytes: [UInt8] = []
    private var tags = RecentTexts<Origin>()

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

    /// A point for each member; false when none of them has a value that can be written.
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

    /// Appends a value in the canonical unit, if it can be expressed there.
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

    /// The tags in the order of their names, which InfluxDB asks for: it is what it sorts them to.
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
