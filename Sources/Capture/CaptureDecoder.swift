import ByteDecoding
import HealthModel
import JSON
import Platform
import Readings

/// Reads the lines of a capture, which is not trusted.
///
/// The first key of a line says what it is. A line of a link has `at` as its second key, so that
/// the nanoseconds are exact.
struct CaptureDecoder {
    /// Why a line is invalid.
    struct Problem: Error, Hashable {
        let text: String

        init(_ text: String) {
            self.text = text
        }

        static let syntax = Problem("not a line of a capture")
        static let incomplete = Problem("a key is missing or has an invalid value")
    }

    /// The events of a link.
    private enum Kind {
        case opened, received, stale, closed, forgotten
    }

    private static let maximumChannels = 64
    /// The maximum length of the name of a source, as in a configuration.
    private static let maximumSourceLength = 64
    /// The channels seen so far, with the bytes of their names.
    private var channels: [(name: [UInt8], channel: Channel)] = []

    /// Reads the first line; nil if it is not the header of a capture.
    static func header(
        _ line: UnsafeRawBufferPointer
    ) throws(Problem) -> (version: Int64, header: CaptureHeader?)? {
        var cursor = CaptureCursor(line)
        guard cursor.take("{"), cursor.take(key: "capture"), let version = cursor.number()
        else { return nil }
        guard version == CaptureFormat.version else { return (version, nil) }
        let start = try time(&cursor)
        let fields = try fields(&cursor)
        guard let text = fields["version"]?.text, let clockOffset = offset(fields["clock"]),
            let earliest = fields["earliest"]?.text.flatMap({ Instant(iso8601: $0) }),
            case .number(let offset)? = fields["utcOffset"], let seconds = Int(exactly: offset),
            (-86_400...86_400).contains(seconds)
        else { throw .incomplete }
        let header = CaptureHeader(
            version: text, earliest: earliest, utcOffsetSeconds: seconds, start: start,
            clockOffset: clockOffset)
        return (version, header)
    }

    /// Reads the line of an event; nil for a note.
    mutating func event(_ line: UnsafeRawBufferPointer) throws(Problem) -> CaptureEvent? {
        var cursor = CaptureCursor(line)
        guard cursor.take("{"), let key = cursor.text(), cursor.take(":") else { throw .syntax }
        let kind: Kind
        if key == "received" {
            kind = .received
        } else if key == "opened" {
            kind = .opened
        } else if key == "stale" {
            kind = .stale
        } else if key == "closed" {
            kind = .closed
        } else if key == "forgotten" {
            kind = .forgotten
        } else {
            return try Self.property(key, of: line)
        }
        let device = try Self.device(cursor.number())
        let moment = try Self.time(&cursor)
        if kind == .received { return try received(device, moment, &cursor) }
        let fields = try Self.fields(&cursor)
        switch (kind, fields["reason"]?.text, fields["adapter"]) {
        case (.opened, _, let adapter?): return .opened(device, at: moment, adapter: adapter)
        case (.stale, let reason?, _): return .stale(device, at: moment, reason: reason)
        case (.closed, let reason?, _): return .closed(device, at: moment, reason: reason)
        case (.forgotten, _, _): return .forgotten(device, at: moment)
        default: throw .incomplete
        }
    }

    /// Reads the rest of a `received` line, which is the most frequent one.
    private mutating func received(
        _ device: Int, _ moment: BootInstant, _ cursor: inout CaptureCursor
    ) throws(Problem) -> CaptureEvent {
        guard cursor.take(","), cursor.take(key: "channel"), let name = cursor.text(),
            cursor.take(","), cursor.take(key: "bytes"), let digits = cursor.text(),
            cursor.take("}"), cursor.isAtEnd()
        else { throw Problem("`channel` and `bytes` must follow `at`") }
        guard let bytes = Hexadecimal.bytes(of: digits) else {
            throw Problem("`bytes` must be pairs of hexadecimal digits")
        }
        return .received(device, at: moment, bytes, on: try channel(name))
    }

    private mutating func channel(_ name: UnsafeRawBufferPointer) throws(Problem) -> Channel {
        for known in channels where known.name.elementsEqual(name) { return known.channel }
        guard let text = String(validating: name, as: UTF8.self) else { throw .syntax }
        let channel = Channel(text)
        if channels.count < Self.maximumChannels { channels.append((Array(name), channel)) }
        return channel
    }

    private static func property(
        _ key: UnsafeRawBufferPointer, of line: UnsafeRawBufferPointer
    ) throws(Problem) -> CaptureEvent? {
        let fields = try object(Array(line))
        if key == "note" { return nil }
        if key == "clock" {
            guard let offset = offset(fields["clock"]) else { throw .incomplete }
            return .clock(offset: offset)
        }
        guard key == "device" else { throw Problem("unknown event") }
        guard case .number(let number)? = fields["device"], let source = fields["source"]?.text,
            (1...maximumSourceLength).contains(source.utf8.count),
            let identifier = fields["localIdentifier"]?.text, !identifier.isEmpty
        else { throw .incomplete }
        let device = Device(
            name: fields["name"]?.text, manufacturer: fields["manufacturer"]?.text,
            model: fields["model"]?.text, hardwareVersion: fields["hardwareVersion"]?.text,
            firmwareVersion: fields["firmwareVersion"]?.text,
            softwareVersion: fields["softwareVersion"]?.text, localIdentifier: identifier,
            serial: fields["serial"]?.text)
        return .device(try Self.device(Int64(exactly: number)), source: source, device)
    }

    /// Reads the second key, the time since boot.
    private static func time(_ cursor: inout CaptureCursor) throws(Problem) -> BootInstant {
        guard cursor.take(","), cursor.take(key: "at"), let time = cursor.number(),
            time <= CaptureFormat.maximumTime
        else { throw Problem("`at` must be the second key, in nanoseconds since boot") }
        return BootInstant(nanoseconds: time)
    }

    private static func offset(_ value: JSONValue?) -> Int64? {
        guard let offset = value?.text.flatMap({ Int64($0) }),
            (-CaptureFormat.maximumTime...CaptureFormat.maximumTime).contains(offset)
        else { return nil }
        return offset
    }

    private static func device(_ number: Int64?) throws(Problem) -> Int {
        guard let number, (1...Int64(CaptureFormat.maximumDevices)).contains(number) else {
            throw Problem("a device must have a number from 1 to \(CaptureFormat.maximumDevices)")
        }
        return Int(number)
    }

    /// Reads the keys that are left in an object.
    private static func fields(
        _ cursor: inout CaptureCursor
    ) throws(Problem) -> [String: JSONValue] {
        _ = cursor.take(",")
        return try object([UInt8(ascii: "{")] + cursor.rest)
    }

    private static func object(_ bytes: [UInt8]) throws(Problem) -> [String: JSONValue] {
        guard let text = String(validating: bytes, as: UTF8.self),
            case .object(let fields)? = try? JSONValue(json5: text)
        else { throw .syntax }
        return fields
    }
}

extension JSONValue {
    /// The text of a string.
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
