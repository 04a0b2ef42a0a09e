import Bluetooth
package import ByteDecoding

/// One value of the Heart Rate Measurement characteristic, 0x2A37 (Heart Rate Service 1.0, §3.1).
///
/// It does not retain the value, so that parsing needs no allocation or reference counting; RR intervals
/// are read from the value on demand.
package struct HeartRateMeasurement: Sendable {
    /// The sensor contact status, from two flags.
    package enum Contact: Hashable, Sendable {
        /// The sensor does not support contact detection.
        case notSupported
        /// The sensor has no skin contact.
        case lost
        /// The sensor has skin contact.
        case detected
    }

    /// The heart rate in beats per minute; 0 if none was detected.
    package let heartRate: UInt16
    /// The skin contact status.
    package let contact: Contact
    /// The energy expended in kilojoules since the last reset, if present; it saturates at 65535.
    package let energyExpended: UInt16?
    /// Whether the value ends inside an RR interval, which is then ignored.
    package let endsInsideRRInterval: Bool
    /// The offset of the RR intervals in the value; `nil` without any.
    private let rrOffset: Int?

    /// Parses a value.
    ///
    /// Reserved flags are ignored, and so are bytes that no flag announces.
    ///
    /// - Throws: ``ByteDecodingError/truncated`` when the value ends before a field that its flags
    ///   announce, or before the first RR interval.
    package init(_ value: borrowing [UInt8]) throws(ByteDecodingError) {
        var cursor = ByteReader(copy value)
        let flags = Flags(rawValue: try cursor.uint8())
        heartRate =
            flags.contains(.wideHeartRate) ? try cursor.uint16() : UInt16(try cursor.uint8())
        contact =
            if flags.contains(.contactSupported) {
                flags.contains(.contactDetected) ? .detected : .lost
            } else {
                .notSupported
            }
        energyExpended = flags.contains(.energyExpended) ? try cursor.uint16() : nil
        guard flags.contains(.rrIntervals) else {
            rrOffset = nil
            endsInsideRRInterval = false
            return
        }
        guard cursor.remainingCount >= RRIntervals.width else { throw .truncated }
        rrOffset = value.count - cursor.remainingCount
        endsInsideRRInterval = cursor.remainingCount % RRIntervals.width != 0
    }

    /// The RR intervals of the value that this measurement was parsed from; may be empty.
    package func rrIntervals(in value: [UInt8]) -> RRIntervals {
        RRIntervals(value, from: rrOffset ?? value.count)
    }
}

/// The flags in the first byte of the value.
private struct Flags: OptionSet {
    static let wideHeartRate = Flags(rawValue: 0x01)
    static let contactDetected = Flags(rawValue: 0x02)
    static let contactSupported = Flags(rawValue: 0x04)
    static let energyExpended = Flags(rawValue: 0x08)
    static let rrIntervals = Flags(rawValue: 0x10)

    let rawValue: UInt8
}

/// The RR intervals at the end of a heart rate measurement, oldest first.
///
/// They are in 1/1024 s, unless a ``HeartRateQuirk`` applies.
package struct RRIntervals: RandomAccessCollection, Sendable {
    /// The size of an interval in bytes.
    static let width = 2

    private let bytes: ArraySlice<UInt8>

    /// The complete intervals from an offset; none if the value ends before it.
    init(_ value: [UInt8], from offset: Int) {
        bytes = value.dropFirst(offset)
    }

    /// The first position.
    package var startIndex: Int { 0 }
    /// The position after the last.
    package var endIndex: Int { bytes.count / Self.width }

    /// The interval at a position.
    package subscript(position: Int) -> UInt16 {
        precondition(indices.contains(position), "RR interval index is out of range")
        let index = bytes.startIndex + position * Self.width
        return UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
    }
}
