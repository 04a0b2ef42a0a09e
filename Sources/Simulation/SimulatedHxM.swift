import ByteDecoding

/// A simulated Zephyr HxM BT with a ``SimulatedHeart``, which sends a packet of 60 bytes once a second.
///
/// The layout is that of the HxM Bluetooth API Guide, 9700.0031 rev. 1.7. The same seed gives the
/// same packets.
public struct SimulatedHxM: Sendable {
    private static let start: [UInt8] = [0x02, 0x26, 0x37]
    private static let end: UInt8 = 0x03
    /// Firmware 9500.0100.V1a and hardware 9800.0100.V1a.
    private static let versions: [UInt8] = [100, 0, 0x31, 0x61, 100, 0, 0x31, 0x61]
    private static let beatTimeCount = 15
    private static let reservedAfterBeats = 6
    private static let reservedAtEnd = 3
    private static let secondsPerBatteryPercent = 1200

    /// Whether it touches the skin; without contact the heart rate is 0.
    public var hasContact = true
    private let curve: HeartRateCurve?
    private var heart: SimulatedHeart
    private var walk: SimulatedWalk
    private var nextBeatSeconds: Double
    /// The times of the last beats in milliseconds, newest first.
    private var beatTimes: [UInt16]
    private var beatNumber: UInt8 = 0
    private var rate = 0.0
    private var packets = 0
    /// The number of packets at the last change of the battery.
    private var batteryStart = 0

    /// Makes a strap with the heart and the steps of this seed; the heart may follow a curve.
    public init(seed: UInt64, curve: HeartRateCurve? = nil) {
        self.curve = curve
        heart = SimulatedHeart(seed: seed, curve: curve)
        walk = SimulatedWalk(seed: seed)
        nextBeatSeconds = heart.nextInterval()
        rate = 60 / nextBeatSeconds
        beatTimes = (0..<Self.beatTimeCount).map { UInt16(truncatingIfNeeded: -1_000 * $0) }
    }

    /// Puts in a full battery.
    public mutating func replaceBattery() {
        batteryStart = packets
    }

    /// Returns the packet of the next second.
    public mutating func nextPacket() -> [UInt8] {
        packets += 1
        walk.walkOneSecond(until: Double(packets))
        advanceHeart(to: Double(packets))
        let percent = max(100 - (packets - batteryStart) / Self.secondsPerBatteryPercent, 1)
        return packet(batteryPercent: UInt8(percent))
    }

    /// Returns a packet of an empty battery with the last values.
    public func emptyBatteryPacket() -> [UInt8] { packet(batteryPercent: 0) }

    private mutating func advanceHeart(to seconds: Double) {
        while nextBeatSeconds <= seconds {
            let milliseconds = Int((nextBeatSeconds * 1_000).rounded())
            beatTimes.insert(UInt16(truncatingIfNeeded: milliseconds), at: 0)
            beatTimes.removeLast()
            beatNumber &+= 1
            let interval = heart.nextInterval()
            rate = 60 / interval
            nextBeatSeconds += interval
        }
        if let curve { rate = curve.rate(at: seconds) }
    }

    private func packet(batteryPercent: UInt8) -> [UInt8] {
        var payload = Self.versions
        payload += [batteryPercent, hasContact ? UInt8(rate.rounded()) : 0, beatNumber]
        for time in beatTimes { payload += Self.bytes(of: time) }
        payload += [UInt8](repeating: 0, count: Self.reservedAfterBeats)
        payload += Self.bytes(of: UInt16(Int(walk.steps * SimulatedWalk.metresPerStep * 16) % 4096))
        payload += Self.bytes(of: UInt16(walk.speed * 256))
        payload.append(UInt8(Int(walk.steps / 2) % 128))
        payload += [UInt8](repeating: 0, count: Self.reservedAtEnd)
        return Self.start + payload + [UInt8(CRC.crc8Maxim.checksum(payload)), Self.end]
    }

    private static func bytes(of number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}
