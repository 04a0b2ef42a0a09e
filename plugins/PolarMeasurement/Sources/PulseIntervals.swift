import Bluetooth
import ByteDecoding
import GatewayCore
import JSON
import Readings

/// The pulse intervals of an optical sensor, oldest first.
enum PulseIntervals {
    /// The length of an interval with its quality.
    private static let length = 6
    /// The longest time that an unusable interval counts as, in ms, because it may have any value.
    private static let longestInterval: UInt16 = 3_000

    /// Decodes the intervals of a frame.
    ///
    /// Its time is not used: some sensors send 0.
    static func decode(
        _ frame: PolarFrame, _ quality: PulseQuality
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard frame.form == .plain(0) else { throw .unknown }
        var reader = frame.values
        guard reader.remainingCount >= length else { throw .truncated }
        var ticks: [UInt32] = []
        var unusable: Set<Int> = []
        while reader.remainingCount >= length {
            try reader.skip(1)  // heart rate, which the Heart Rate Service has too
            let (interval, error) = (try reader.uint16(), try reader.uint16())
            let isUsable = quality.accepts(error: error, BitFlags(try reader.uint8()))
            if !isUsable { unusable.insert(ticks.count) }
            ticks.append(UInt32(isUsable ? interval : min(interval, longestInterval)))
        }
        var drops = unusable.map { _ in DropReason.empty }
        if reader.remainingCount > 0 { drops.append(.damaged) }
        let beats = BeatsReading(ticks: ticks, perSecond: 1_000, unusable: unusable)
        return GATTDecoding([.beats(beats)], drops: drops)
    }
}

/// The quality that a pulse interval must have.
package struct PulseQuality: Hashable, Sendable {
    /// The error above which an interval is probably disturbed by movement or a loose band, in ms.
    static let usualError = 30

    private let maximumError: Int

    /// Makes the usual quality.
    package init() {
        maximumError = Self.usualError
    }

    /// Reads the setting `maximumError`, 0 to 1,000 ms.
    init(_ node: ConfigurationNode?) throws(ConfigurationError) {
        maximumError = try node?.integer(in: 0...1_000) ?? Self.usualError
    }

    /// Whether to use an interval with an error in ms and the sensor's flags: movement, skin contact,
    /// and whether the sensor knows the contact.
    func accepts(error: UInt16, _ flags: BitFlags<UInt8>) -> Bool {
        let (isMoving, hasContact, knowsContact) = (flags[0], flags[1], flags[2])
        return !isMoving && (hasContact || !knowsContact) && Int(error) <= maximumError
    }
}
