public import GatewayCore
import HealthModel
import Platform

/// The device adapter of a Bluetooth device: its profiles, and what every device may have.
///
/// When the link is opened it asks for the make of the device, its battery, and what the profiles
/// want to read. Whoever owns the link carries these reads out in their order, before it subscribes to
/// anything, and leaves out what the device does not offer. Each characteristic goes to the first
/// profile that names it.
///
/// What a profile wants written becomes ``AdapterAction/send(_:on:)``: the value is written with
/// response, or left out where the device does not offer the characteristic.
public struct GATTAdapter: DeviceAdapter {
    /// The same value is not written to the same characteristic again before so many seconds.
    static let writePauseSeconds = 60.0

    /// The characteristics to subscribe to, each once; a device may lack any of them.
    public let subscriptions: [BluetoothUUID]
    private let reads: [BluetoothUUID]
    private let profiles: [BluetoothUUID: any GATTProfile]
    /// What the device has said about itself since the link was opened.
    private var device = Device()
    private var recentWrites = RecentWrites(pauseSeconds: Self.writePauseSeconds)

    /// Makes an adapter from the profiles that a device is to be read with.
    public init(profiles: [any GATTProfile]) {
        subscriptions = Self.distinct(profiles.flatMap(\.subscriptions) + [.batteryLevel])
        reads = Self.distinct(
            DeviceInformation.characteristics + profiles.flatMap(\.reads) + [.batteryLevel])
        self.profiles = Dictionary(
            profiles.flatMap { profile in
                (profile.subscriptions + profile.reads).map { ($0, profile) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes one event and answers with what is to be done, in order.
    public mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        switch event.kind {
        case .opened:
            return open().map { .read(Channel($0)) }
        case .received(let value, let channel):
            guard let characteristic = BluetoothUUID(channel.name) else {
                return [.dropped(GATTDecodingError.unknownCharacteristic.dropReason)]
            }
            let decoding = decode(value, of: characteristic, at: event.receipt)
            return decoding.readings.map { .reading($0) } + decoding.drops.map { .dropped($0) }
                + decoding.writes.map { .send($0.bytes, on: Channel($0.characteristic)) }
        case .timer, .closed:
            return []
        }
    }

    /// Begins with a link that was opened; returns the characteristics to read, in order.
    mutating func open() -> [BluetoothUUID] {
        // The firmware may be another one since the last time, and may have forgotten what was written.
        device = Device()
        recentWrites.forget()
        return reads
    }

    /// Decodes a value of a characteristic; what cannot be decoded is a drop.
    ///
    /// Of the writes only those are returned that were not made a short while ago.
    mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, at receipt: BootInstant
    ) -> GATTDecoding {
        do throws(GATTDecodingError) {
            var decoding = try decode(value, of: characteristic)
            if !decoding.writes.isEmpty {
                decoding.writes.removeAll { !recentWrites.admit($0, at: receipt) }
            }
            return decoding
        } catch {
            return GATTDecoding(drops: [error.dropReason])
        }
    }

    private mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID
    ) throws(GATTDecodingError) -> GATTDecoding {
        if characteristic == .batteryLevel {
            return GATTDecoding([.state(.battery(try BatteryLevel.decode(value)))])
        }
        if DeviceInformation.characteristics.contains(characteristic) {
            guard let said = try DeviceInformation.decode(value, of: characteristic)
            else { return GATTDecoding() }
            device = device.merging(said)
            return GATTDecoding([.identity(said)])
        }
        guard let profile = profiles[characteristic] else { throw .unknownCharacteristic }
        return try profile.decode(value, of: characteristic, from: device)
    }

    private static func distinct(_ characteristics: [BluetoothUUID]) -> [BluetoothUUID] {
        var seen: Set<BluetoothUUID> = []
        return characteristics.filter { seen.insert($0).inserted }
    }
}

extension Channel {
    /// The channel of a characteristic.
    public init(_ characteristic: BluetoothUUID) {
        self.init(characteristic.description)
    }
}
