import ByteDecoding
import HealthModel
import Readings

/// Reads the values of the keys of a reading. An error names the key.
extension JSONCursor {
    mutating func readKind() throws(RecordDecodingError) -> ReadingLine.Kind {
        skipSpace()
        let start = position
        guard let kind = ReadingLine.Kind(rawValue: try readString(for: "reading")) else {
            throw .invalidValue(
                key: "reading", expected: "one of \(ReadingLine.Kind.names)", offset: start)
        }
        return kind
    }

    mutating func readDropReason() throws(RecordDecodingError) -> DropReason {
        skipSpace()
        let start = position
        guard let reason = DropReason(rawValue: try readString(for: "discarded")) else {
            let names = DropReason.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidValue(key: "discarded", expected: "one of \(names)", offset: start)
        }
        return reason
    }

    mutating func readPositive(for key: String) throws(RecordDecodingError) -> Double {
        skipSpace()
        let start = position
        let number = try readNumber(for: key)
        guard number > 0 else {
            throw .invalidValue(key: key, expected: "a number above 0", offset: start)
        }
        return number
    }

    mutating func readFraction(for key: String) throws(RecordDecodingError) -> Double {
        skipSpace()
        let start = position
        let number = try readNumber(for: key)
        guard (0...1).contains(number) else {
            throw .invalidValue(key: key, expected: "from 0 to 1", offset: start)
        }
        return number
    }

    mutating func readWholeNumber(for key: String) throws(RecordDecodingError) -> UInt64 {
        skipSpace()
        let start = position
        let number = try readNumber(for: key)
        guard number <= ReadingLine.maximumSequence, let whole = UInt64(exactly: number) else {
            throw .invalidValue(
                key: key, expected: "a whole number from 0 to 9007199254740991", offset: start)
        }
        return whole
    }

    /// Reads an age in seconds, as nanoseconds.
    mutating func readAge() throws(RecordDecodingError) -> Int64 {
        skipSpace()
        let start = position
        let seconds = try readNumber(for: "age")
        guard (0...Double(MeasurementTime.maximumAgeSeconds)).contains(seconds) else {
            throw .invalidValue(
                key: "age", expected: "seconds from 0 to \(MeasurementTime.maximumAgeSeconds)",
                offset: start)
        }
        return Int64((seconds * 1e9).rounded())
    }

    /// Reads a time, which is local without a time zone.
    mutating func readMeasurementTime() throws(RecordDecodingError) -> MeasurementTime.Clock {
        try readText(
            for: "time", expected: "a time such as 2026-11-21T18:15:00Z, from 1678 to 2261",
            fromBytes: { bytes in
                // A date alone has no time of day.
                guard bytes.count > 10 else { return nil }
                if let instant = Instant(iso8601Bytes: bytes) { return .utc(instant) }
                let local = Array(bytes) + [UInt8(ascii: "Z")]
                return local.withUnsafeBytes { Instant(iso8601Bytes: $0) }.map { .local($0) }
            })
    }

    /// Reads the name of a device or a session.
    mutating func readName(for key: String) throws(RecordDecodingError) -> String {
        skipSpace()
        let start = position
        let name = try readString(for: key)
        let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard !name.isEmpty, name.utf8.count <= ReadingLine.nameLimit, !hasControls else {
            throw .invalidValue(
                key: key,
                expected:
                    "a string of 1 to \(ReadingLine.nameLimit) bytes without control characters",
                offset: start)
        }
        return name
    }

    /// Reads a property of a device; nil for `null`.
    mutating func readProperty(for key: String) throws(RecordDecodingError) -> String? {
        skipSpace()
        let start = position
        let text = try readOptionalString(for: key)
        guard (text?.utf8.count ?? 0) <= ReadingLine.textLimit else {
            throw .invalidValue(
                key: key, expected: "a string of up to \(ReadingLine.textLimit) bytes",
                offset: start)
        }
        return text
    }

    /// Reads bytes for the device, in hexadecimal digits.
    mutating func readBytes() throws(RecordDecodingError) -> [UInt8] {
        skipSpace()
        let start = position
        var digits = try readString(for: "bytes")
        let bytes = digits.withUTF8 { Hexadecimal.bytes(of: UnsafeRawBufferPointer($0)) }
        guard let bytes, (1...ReadingLine.writeLimit).contains(bytes.count) else {
            throw .invalidValue(
                key: "bytes",
                expected: "1 to \(ReadingLine.writeLimit) bytes as pairs of hexadecimal digits",
                offset: start)
        }
        return bytes
    }

    /// Reads the intervals between beats.
    mutating func readTicks() throws(RecordDecodingError) -> [UInt32] {
        try readList(
            for: "ticks", limit: ReadingLine.tickLimit, of: "whole numbers below 4294967296"
        ) { UInt32(exactly: $0) }
    }

    /// Reads the values of a waveform.
    mutating func readValues() throws(RecordDecodingError) -> [Double] {
        try readList(for: "values", limit: ReadingLine.valueLimit, of: "numbers") { $0 }
    }

    /// Reads the time of a device's clock in seconds; returns nanoseconds.
    mutating func readDeviceTime() throws(RecordDecodingError) -> UInt64 {
        skipSpace()
        let start = position
        let seconds = try readNumber(for: "deviceTime")
        guard (0...ReadingLine.maximumDeviceTime).contains(seconds) else {
            throw .invalidValue(
                key: "deviceTime", expected: "a number of seconds from 0 to 10000000000",
                offset: start)
        }
        return UInt64((seconds * 1e9).rounded())
    }

    private mutating func readList<Element>(
        for key: String, limit: Int, of elements: String, _ element: (Double) -> Element?
    ) throws(RecordDecodingError) -> [Element] {
        skipSpace()
        let start = position
        let expected = "a list of 1 to \(limit) \(elements)"
        var list: [Element] = []
        guard take("["), !take("]") else {
            throw .invalidValue(key: key, expected: expected, offset: start)
        }
        repeat {
            guard list.count < limit, let next = element(try readNumber(for: key)) else {
                throw .invalidValue(key: key, expected: expected, offset: start)
            }
            list.append(next)
        } while take(",")
        try expect("]")
        return list
    }
}
