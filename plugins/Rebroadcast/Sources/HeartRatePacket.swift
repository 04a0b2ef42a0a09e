/// A value of the Heart Rate Measurement characteristic, 0x2A37, that this machine sends (Heart Rate
/// Service 1.0, §3.1).
///
/// It always has the flag of a sensor that detects contact: whoever reads it must see when the heart
/// rate is not known any more.
enum HeartRatePacket: Hashable, Sendable {
    /// A heart rate in beats per minute, and the RR intervals since the last one in 1/1024 s, the
    /// oldest first.
    case heart(rate: UInt16, intervals: [UInt16])
    /// There is no contact with the skin, or no heart rate for another reason.
    case noContact

    private static let contactSupported: UInt8 = 0x04
    private static let contactDetected: UInt8 = 0x02
    private static let wideRate: UInt8 = 0x01
    private static let hasIntervals: UInt8 = 0x10
    /// The bytes of a notification with the smallest ATT_MTU (Core Specification 5.4, Vol 3, Part F,
    /// §5.2.1).
    private static let maximumLength = 20

    /// The bytes of the value; of too many intervals the newest ones.
    var bytes: [UInt8] {
        guard case .heart(let rate, let intervals) = self else {
            return [Self.contactSupported, 0]
        }
        var bytes = [Self.contactSupported | Self.contactDetected, UInt8(rate & 0xFF)]
        if rate > UInt8.max {
            bytes[0] |= Self.wideRate
            bytes.append(UInt8(rate >> 8))
        }
        let newest = intervals.suffix((Self.maximumLength - bytes.count) / 2)
        if !newest.isEmpty { bytes[0] |= Self.hasIntervals }
        return bytes + newest.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
}
