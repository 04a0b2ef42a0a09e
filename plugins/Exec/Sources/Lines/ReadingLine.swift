package import HealthModel
package import Readings

/// A line of a program: readings of a device, a record, a piece of input that it has discarded, or a
/// value for the device.
package struct ReadingLine: Sendable {
    /// What a line states.
    package enum Content: Hashable, Sendable {
        /// Readings, of which a state may have two.
        case readings([Reading])
        /// A complete record.
        case record(Record)
        /// The program could not use a piece of its own input.
        case dropped(DropReason)
        /// Bytes for the device, on the channel with this name.
        case write([UInt8], on: String)
    }

    /// What it states.
    package let content: Content
    /// The device; nil for the program's only one.
    package let device: String?
    /// The number of the line, if the program wants an answer.
    package let number: ReadingLineNumber?
    /// The id of its record, if the program has chosen it.
    package let id: RecordID?
}

/// The number of a line.
package struct ReadingLineNumber: Hashable, Sendable {
    /// The session in which ``sequence`` ascends; nil for this run of the program.
    package let session: String?
    /// The number.
    package let sequence: UInt64
}

/// The reason why a line cannot be used.
package struct ReadingLineError: Error, Equatable, CustomStringConvertible {
    /// The problem, which names the key and never a value.
    package let problem: RecordDecodingError
    /// The number of the line, if it could be read.
    package let sequence: UInt64?

    /// The problem.
    package var description: String { problem.description }

    /// The reason under which the line is counted.
    var dropReason: DropReason {
        switch problem {
        case .lineTooLong: .tooLong
        case .notUTF8, .syntax, .tooDeep: .damaged
        case .unknownType, .unsupportedKind: .unknown
        case .duplicateKey, .missingKey, .invalidValue, .unsupportedMember, .invalidSample,
            .invalidWorkout:
            .invalid
        }
    }
}

extension ReadingLine {
    /// The kinds of readings, the values of the key `reading`.
    enum Kind: String, CaseIterable {
        case instant, counter, beats, waveform, correlation, state, identity, metadata

        static let names = allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// The keys of a reading.
    enum Key: Int, CaseIterable {
        case reading, type, value, unit, device, time, age, sequence
        case modulus, saturates, countsPerUnit, ticks, perSecond, contact, battery, metadata
        case name, manufacturer, model, serial, hardwareVersion, firmwareVersion, softwareVersion
        case seq, session, id, discarded, write, bytes, members, values, deviceTime

        private static let names: [StaticString] = [
            "reading", "type", "value", "unit", "device", "time", "age", "sequence",
            "modulus", "saturates", "countsPerUnit", "ticks", "perSecond", "contact", "battery",
            "metadata",
            "name", "manufacturer", "model", "serial", "hardwareVersion", "firmwareVersion",
            "softwareVersion",
            "seq", "session", "id", "discarded", "write", "bytes", "members", "values",
            "deviceTime",
        ]

        /// The key as in a line.
        var name: String { "\(Self.names[rawValue])" }

        /// Finds a key by its bytes; nil for an unknown one.
        init?(_ bytes: UnsafeRawBufferPointer) {
            let index = Self.names.firstIndex {
                $0.utf8CodeUnitCount == bytes.count
                    && bytes.hasBytes(UnsafeRawBufferPointer($0.buffer), at: 0)
            }
            guard let index, let key = Self(rawValue: index) else { return nil }
            self = key
        }
    }

    /// The greatest number of a line or a measurement: whole numbers of JSON are exact up to it.
    static let maximumSequence = 9_007_199_254_740_991.0
    /// The maximum length of the names of a device and a session, in bytes.
    static let nameLimit = 128
    /// The maximum number of intervals between beats in a line.
    static let tickLimit = 1_024
    /// The maximum number of values of a waveform in a line.
    static let valueLimit = 1_024
    /// The maximum time of a device's clock in seconds, 300 years.
    static let maximumDeviceTime = 1e10
    /// The maximum number of bytes for the device in a line: an attribute of Bluetooth has at most 512.
    static let writeLimit = 512
    /// The maximum length of a property of a device in bytes of JSON.
    static let textLimit = 4_096
}
