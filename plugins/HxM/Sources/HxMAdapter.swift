import ByteDecoding
import GatewayCore
import HealthModel
import Readings

/// The adapter that converts packets of an HxM to readings.
struct HxMAdapter: DeviceAdapter {
    /// The device properties of every HxM.
    static let device = Device(manufacturer: "Zephyr", model: "HxM BT")
    /// Body Sensor Location (0x2A38): the chest.
    private static let chest: Double = 1

    private var splitter = FrameSplitter(HxMPacket.layout)
    private var identity: Device?
    private var batteryPercent: UInt8?
    private var hasReportedLocation = false

    /// Handles an event; opening or closing the link resets the adapter.
    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        switch event.kind {
        case .opened, .closed:
            self = HxMAdapter()
            return []
        case .timer: return []
        case .received(let bytes, _):
            var pieces: [FrameSplitter.Piece] = []
            splitter.split(bytes) { pieces.append($0) }
            return pieces.flatMap { actions(for: $0) }
        }
    }

    private mutating func actions(for piece: FrameSplitter.Piece) -> [AdapterAction] {
        guard case .frame(let bytes) = piece else { return [.dropped(.damaged)] }
        guard let packet = try? HxMPacket(bytes) else { return [.dropped(.invalid)] }
        let readings = changes(in: packet) + Self.measurements(in: packet)
        return readings.map { .reading($0) }
    }

    /// The readings that are reported once and after a change.
    private mutating func changes(in packet: HxMPacket) -> [Reading] {
        var readings: [Reading] = []
        if identity != packet.identity {
            identity = packet.identity
            readings.append(.identity(packet.identity))
        }
        if !hasReportedLocation, let location = try? Self.location() {
            hasReportedLocation = true
            readings.append(.metadata(location, for: .heartRate))
        }
        if batteryPercent != packet.batteryPercent {
            batteryPercent = packet.batteryPercent
            readings.append(.state(.battery(Double(packet.batteryPercent) / 100)))
        }
        return readings
    }

    private static func location() throws(MetadataError) -> Metadata {
        var metadata = Metadata()
        try metadata.set(chest, for: .heartRateSensorLocation)
        return metadata
    }

    /// The readings of every packet; a heart rate of 0 means no contact.
    private static func measurements(in packet: HxMPacket) -> [Reading] {
        var readings: [Reading] = []
        readings.append(.state(.contact(packet.heartRate > 0)))
        if packet.heartRate > 0,
            let rate = try? Quantity(Double(packet.heartRate), .countPerMinute)
        {
            readings.append(.instant(.heartRate, rate))
            readings.append(.beats(packet.beats))
        }
        readings.append(
            .counter(
                CounterReading(
                    .stepCount, value: Double(packet.strides), range: .rollsOver(at: 128),
                    unit: .count, countsPerUnit: 0.5)))
        readings.append(
            .counter(
                CounterReading(
                    .distanceWalkingRunning, value: Double(packet.distance),
                    range: .rollsOver(at: 4096), unit: .meter, countsPerUnit: 16)))
        if let speed = try? Quantity(Double(packet.speed) / 256, .meterPerSecond) {
            readings.append(.instant(.runningSpeed, speed))
        }
        return readings
    }
}

extension HxMPacket {
    /// The device with the versions of the packet in the format of the manufacturer.
    fileprivate var identity: Device {
        Device(
            manufacturer: HxMAdapter.device.manufacturer, model: HxMAdapter.device.model,
            hardwareVersion: "9800.\(Self.padded(hardwareIdentifier)).V\(hardwareVersion)",
            firmwareVersion: "9500.\(Self.padded(firmwareIdentifier)).V\(firmwareVersion)")
    }

    fileprivate var beats: BeatsReading {
        BeatsReading(
            ticks: intervals, perSecond: 1000,
            history: BeatsReading.History(
                newestBeat: UInt32(beatNumber), beatModulus: 256,
                newestTime: UInt32(beatTimes.first ?? 0), timeModulus: 65_536))
    }

    private static func padded(_ number: UInt16) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
