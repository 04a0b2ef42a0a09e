public import GatewayCore

/// The device adapter of a Bluetooth device: its profiles, and what every device may have.
///
/// When the link is opened it asks for the make of the device, its battery, and what the profiles
/// want to read. A transport leaves out what the device does not offer. Each characteristic goes to
/// the first profile that names it.
public struct GATTAdapter: DeviceAdapter {
    /// The characteristics to subscribe to, each once; a device may lack any of them.
    public let subscriptions: [BluetoothUUID]
    private let reads: [BluetoothUUID]
    private let profiles: [BluetoothUUID: any GATTProfile]

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
        case .opened: reads.map { .read(Channel($0)) }
        case .received(let value, let channel): actions(for: value, on: channel)
        case .timer, .closed: []
        }
    }

    private func actions(for value: [UInt8], on channel: Channel) -> [AdapterAction] {
        do throws(GATTDecodingError) {
            guard let characteristic = BluetoothUUID(channel.name) else {
                throw .unknownCharacteristic
            }
            let decoding = try decode(value, of: characteristic)
            return decoding.readings.map { .reading($0) } + decoding.drops.map { .dropped($0) }
        } catch {
            return [.dropped(error.dropReason)]
        }
    }

    private func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID
    ) throws(GATTDecodingError) -> GATTDecoding {
        if characteristic == .batteryLevel {
            return GATTDecoding([.state(.battery(try BatteryLevel.decode(value)))])
        }
        if DeviceInformation.characteristics.contains(characteristic) {
            let device = try DeviceInformation.decode(value, of: characteristic)
            return GATTDecoding(device.map { [.identity($0)] } ?? [])
        }
        guard let profile = profiles[characteristic] else { throw .unknownCharacteristic }
        return try profile.decode(value, of: characteristic)
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
