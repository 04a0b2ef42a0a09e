public import Bluetooth
import Glibc

/// A simulated chest strap with a ``SimulatedHeart``.
///
/// It sends notifications of the Heart Rate Service 1.0: once a second a measurement with the beats
/// since the previous one, every tenth with the energy expended. It also notifies each change of the
/// battery level. Its rate is the mean of the last beats, or that of the ``HeartRateCurve``.
public struct SimulatedStrap: Sendable {
    /// A notification of the strap.
    public struct Notification: Hashable, Sendable {
        /// The time in seconds since the start.
        public let atSeconds: Double
        /// The characteristic.
        public let characteristic: BluetoothUUID
        /// The value.
        public let value: [UInt8]
    }

    /// The characteristic of the measurements, Heart Rate Measurement.
    public static let measurement = BluetoothUUID(0x2A37)
    /// The manufacturer and model in the strap's Device Information.
    public static let manufacturer = "Pulsegate"
    /// The model in the strap's Device Information.
    public static let model = "Simulated Strap"

    private static let bodySensorLocation = BluetoothUUID(0x2A38)
    private static let chest: UInt8 = 1
    private static let contactFlags: UInt8 = 0x06
    private static let noContactFlags: UInt8 = 0x04
    private static let energyFlag: UInt8 = 0x08
    private static let rrFlag: UInt8 = 0x10
    private static let ticksPerSecond = 1024.0
    private static let packetsPerEnergy = 10
    /// The number of intervals averaged for the heart rate.
    private static let displayedIntervals = 8
    private static let secondsPerBatteryPercent = 1200.0

    /// Whether it touches the skin; without contact it measures nothing.
    public var hasContact = true
    private let curve: HeartRateCurve?
    private var heart: SimulatedHeart
    private var nextBeatSeconds: Double
    private var lastBeatTicks = 0.0
    private var recentIntervals: [Double] = []
    private var energyKilojoules = 0.0
    private var packets = 0
    /// The number of packets at the last change of the battery.
    private var batteryStart = 0
    private var batteryNotification: Notification?

    /// Makes a strap with the heart of this seed, which may follow a curve.
    public init(seed: UInt64, curve: HeartRateCurve? = nil) {
        self.curve = curve
        heart = SimulatedHeart(seed: seed, curve: curve)
        nextBeatSeconds = heart.nextInterval()
    }

    /// The battery level in percent after a time; it decreases by one in 20 minutes.
    public static func batteryPercent(afterSeconds seconds: Double) -> UInt8 {
        UInt8(max(100 - (max(seconds, 0) / secondsPerBatteryPercent).rounded(.down), 1))
    }

    /// Puts in a full battery.
    public mutating func replaceBattery() {
        batteryStart = packets
        batteryNotification = nil
    }

    private var batteryPercent: UInt8 {
        Self.batteryPercent(afterSeconds: Double(packets - batteryStart))
    }

    /// The value of a characteristic; `nil` if the strap does not have it.
    public func value(of characteristic: BluetoothUUID) -> [UInt8]? {
        switch characteristic {
        case Self.bodySensorLocation: [Self.chest]
        case .batteryLevel: [batteryPercent]
        case .manufacturerName: Array(Self.manufacturer.utf8)
        case .modelNumber: Array(Self.model.utf8)
        case .hardwareRevision, .firmwareRevision: Array("1".utf8)
        default: nil
        }
    }

    /// The time of the next notification, in seconds since the start.
    public var nextSeconds: Double { batteryNotification?.atSeconds ?? Double(packets + 1) }

    /// Returns the next notification.
    public mutating func nextNotification() -> Notification {
        if let notification = batteryNotification.take() { return notification }
        let percent = batteryPercent
        packets += 1
        let second = Double(packets)
        let newPercent = batteryPercent
        if newPercent != percent {
            batteryNotification = Notification(
                atSeconds: second, characteristic: .batteryLevel, value: [newPercent])
        }
        return Notification(
            atSeconds: second, characteristic: Self.measurement, value: measurement(upTo: second))
    }

    private mutating func measurement(upTo seconds: Double) -> [UInt8] {
        let ticks = beats(upTo: seconds)
        guard hasContact else { return [Self.noContactFlags, 0] }
        let hasEnergy = packets.isMultiple(of: Self.packetsPerEnergy)
        var flags = Self.contactFlags
        if hasEnergy { flags |= Self.energyFlag }
        if !ticks.isEmpty { flags |= Self.rrFlag }
        let rate = curve?.rate(at: seconds).rounded() ?? displayedRate()
        energyKilojoules += Self.kilojoulesPerMinute(at: rate) / 60
        var value = [flags, UInt8(rate)]
        if hasEnergy { value += Self.bytes(of: UInt16(min(energyKilojoules, 65535))) }
        return value + ticks.flatMap(Self.bytes)
    }

    /// The intervals that ended by this time, rounded without accumulating errors.
    private mutating func beats(upTo seconds: Double) -> [UInt16] {
        var result: [UInt16] = []
        while nextBeatSeconds <= seconds {
            let ticks = (nextBeatSeconds * Self.ticksPerSecond).rounded()
            result.append(UInt16(ticks - lastBeatTicks))
            recentIntervals.append((ticks - lastBeatTicks) / Self.ticksPerSecond)
            lastBeatTicks = ticks
            nextBeatSeconds += heart.nextInterval()
        }
        recentIntervals = recentIntervals.suffix(Self.displayedIntervals)
        return result
    }

    /// The mean rate of the last intervals in beats per minute; 0 before the first beat.
    private func displayedRate() -> Double {
        guard !recentIntervals.isEmpty else { return 0 }
        return (60 * Double(recentIntervals.count) / recentIntervals.reduce(0, +)).rounded()
    }

    /// The energy expenditure at a heart rate of a man of 35 years and 70 kg.
    ///
    /// Keytel et al., "Prediction of energy expenditure from heart rate monitoring during submaximal
    /// exercise" (2005). Below about 54 beats per minute the formula is not valid.
    private static func kilojoulesPerMinute(at rate: Double) -> Double {
        max(0, -55.0969 + 0.6309 * rate + 0.1988 * 70 + 0.2017 * 35)
    }

    private static func bytes(of number: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}
