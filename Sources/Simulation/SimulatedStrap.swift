public import Bluetooth
import Glibc

/// A chest strap around a ``SimulatedHeart``: the values that it sends and the ones it answers with.
///
/// It speaks as a real strap does (Heart Rate Service 1.0): once a second a measurement with the beats
/// since the one before, every tenth with the energy that it believes was spent. When its battery has
/// fallen by a percent it says that too.
public struct SimulatedStrap: Sendable {
    /// A value that the strap sends by itself.
    public struct Notification: Hashable, Sendable {
        /// When it is sent, in seconds since the strap was put on.
        public let atSeconds: Double
        /// What it is a value of.
        public let characteristic: BluetoothUUID
        /// The value.
        public let value: [UInt8]
    }

    private static let measurement = BluetoothUUID(0x2A37)
    private static let bodySensorLocation = BluetoothUUID(0x2A38)
    private static let chest: UInt8 = 1
    private static let contactFlags: UInt8 = 0x06
    private static let energyFlag: UInt8 = 0x08
    private static let rrFlag: UInt8 = 0x10
    private static let ticksPerSecond = 1024.0
    private static let packetsPerEnergy = 10
    /// How many intervals the shown rate is the mean of.
    private static let shownIntervals = 8
    private static let secondsPerBatteryPercent = 1200.0

    private var heart: SimulatedHeart
    private var nextBeatSeconds: Double
    private var lastBeatTicks = 0.0
    private var recentIntervals: [Double] = []
    private var energyKilojoules = 0.0
    private var packets = 0
    private var batteryNotification: Notification?

    /// Puts the strap on the heart of this seed.
    public init(seed: UInt64) {
        heart = SimulatedHeart(seed: seed)
        nextBeatSeconds = heart.nextInterval()
    }

    /// The strap's battery after so many seconds, in percent; it loses one in twenty minutes.
    public static func batteryPercent(afterSeconds seconds: Double) -> UInt8 {
        UInt8(max(100 - (max(seconds, 0) / secondsPerBatteryPercent).rounded(.down), 1))
    }

    /// What the strap answers when a characteristic is read; `nil` when it does not have it.
    public func value(of characteristic: BluetoothUUID) -> [UInt8]? {
        switch characteristic {
        case Self.bodySensorLocation: [Self.chest]
        case .batteryLevel: [Self.batteryPercent(afterSeconds: Double(packets))]
        case .manufacturerName: Array("Pulsegate".utf8)
        case .modelNumber: Array("Simulated Strap".utf8)
        case .hardwareRevision, .firmwareRevision: Array("1".utf8)
        default: nil
        }
    }

    /// The next value that the strap sends by itself.
    public mutating func nextNotification() -> Notification {
        if let notification = batteryNotification.take() { return notification }
        let percent = Self.batteryPercent(afterSeconds: Double(packets))
        packets += 1
        let second = Double(packets)
        let newPercent = Self.batteryPercent(afterSeconds: second)
        if newPercent != percent {
            batteryNotification = Notification(
                atSeconds: second, characteristic: .batteryLevel, value: [newPercent])
        }
        return Notification(
            atSeconds: second, characteristic: Self.measurement, value: measurement(upTo: second))
    }

    private mutating func measurement(upTo seconds: Double) -> [UInt8] {
        let ticks = beats(upTo: seconds)
        let hasEnergy = packets.isMultiple(of: Self.packetsPerEnergy)
        var flags = Self.contactFlags
        if hasEnergy { flags |= Self.energyFlag }
        if !ticks.isEmpty { flags |= Self.rrFlag }
        let rate = shownRate()
        energyKilojoules += Self.kilojoulesPerMinute(at: rate) / 60
        var value = [flags, UInt8(rate)]
        if hasEnergy { value += Self.bytes(of: UInt16(min(energyKilojoules, 65535))) }
        return value + ticks.flatMap(Self.bytes)
    }

    /// The intervals that ended by this time, with rounding carried on, so that their sum stays true.
    private mutating func beats(upTo seconds: Double) -> [UInt16] {
        var result: [UInt16] = []
        while nextBeatSeconds <= seconds {
            let ticks = (nextBeatSeconds * Self.ticksPerSecond).rounded()
            result.append(UInt16(ticks - lastBeatTicks))
            recentIntervals.append((ticks - lastBeatTicks) / Self.ticksPerSecond)
            lastBeatTicks = ticks
            nextBeatSeconds += heart.nextInterval()
        }
        recentIntervals = recentIntervals.suffix(Self.shownIntervals)
        return result
    }

    /// The mean rate of the last intervals in beats per minute; 0 before the first beat.
    private func shownRate() -> Double {
        guard !recentIntervals.isEmpty else { return 0 }
        return (60 * Double(recentIntervals.count) / recentIntervals.reduce(0, +)).rounded()
    }

    /// The energy that a man of 35 years and 70 kg spends at a heart rate.
    ///
    /// Keytel et al., "Prediction of energy expenditure from heart rate monitoring during submaximal
    /// exercise" (2005). Below about 54 beats per minute the formula has no meaning.
    private static func kilojoulesPerMinute(at rate: Double) -> Double {
        max(0, -55.0969 + 0.6309 * rate + 0.1988 * 70 + 0.2017 * 35)
    }

    private static func bytes(of number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}
