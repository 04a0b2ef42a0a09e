package import Bluetooth

/// One value of the Heart Rate Measurement characteristic, 0x2A37 (Heart Rate Service 1.0, §3.1).
///
/// It keeps nothing of the value, so that parsing neither allocates nor counts references; the RR
/// intervals are read from the value when somebody wants them.
package struct HeartRateMeasurement: Sendable {
    /// What the sensor says about the skin, in two flags of which one says that the other counts.
    package enum Contact: Hashable, Sendable {
        /// The sensor cannot tell.
        case notSupported
        /// The sensor touches no skin.
        case lost
        /// The sensor touches the skin.
        case detected
    }

    /// In beats per minute; 0 when the sensor found none.
    package let heartRate: UInt16
    /// Whether the sensor touches the skin.
    package let contact: Contact
    /// In kilojoules since the sensor's last reset, where the packet says it; it stays at 65535.
    package let energyExpended: UInt16?
    /// Whether the value ends in the middle of an RR interval, which is then left out.
    package let endsInsideRRInterval: Bool
    /// Where the RR intervals begin in the value; `nil` when it has none.
    private let rrOffset: Int?

    /// Reads a value.
    ///
    /// Reserved flags are ignored, and so are bytes that no flag announces.
    ///
    /// - Throws: ``GATTDecodingError/truncated`` when the value ends before a field that its flags
    ///   announce, or before the first RR interval.
    package init(_ value: borrowing [UInt8]) throws(GATTDecodingError) {
        var cursor = ByteCursor(copy value)
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

    /// The RR intervals of the value that this measurement was read from; a packet may have none.
    package func rrIntervals(in value: [UInt8]) -> RRIntervals {
        RRIntervals(value, from: rrOffset ?? value.count)
    }
}

/// The first byte of the value.
private struct Flags: OptionSet {
    static let wideHeartRate = Flags(rawValue: 0x01)
    static let contactDetected = Flags(rawValue: 0x02)
    static let contactSupported = Flags(rawValue: 0x04)
    static let energyExpended = Flags(rawValue: 0x08)
    static let rrIntervals = Flags(rawValue: 0x10)

    let rawValue: UInt8
}
