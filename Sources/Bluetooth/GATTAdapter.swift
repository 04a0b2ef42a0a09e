import ByteDecoding
import GatewayCore
import HealthModel
import Platform
public import Readings

/// The device adapter of a Bluetooth device: its profiles, the device information and the battery.
///
/// When the link is opened it requests the device information, the battery level and the reads of
/// the profiles. The owner of the link performs these reads in order, before it subscribes to
/// anything, and skips characteristics that the device does not offer. Each characteristic belongs
/// to the first profile that names it, and each quantity type to the first one that reports it.
///
/// The writes of a profile become ``AdapterAction/send(_:on:)``: the value is written with
/// response, or skipped where the device does not offer the characteristic.
public struct GATTAdapter: DeviceAdapter {
    /// The minimum interval between two writes of the same value to the same characteristic.
    static let writePauseSeconds = 60.0

    /// The characteristics that belong to no profile: the device information and the battery.
    package static var ownCharacteristics: [BluetoothUUID] {
        DeviceInformation.characteristics + [.batteryLevel]
    }

    /// The characteristics to subscribe to, each once; a device may lack any of them.
    public let subscriptions: [BluetoothUUID]
    private let reads: [BluetoothUUID]
    private let profiles: [any GATTProfile]
    /// The index of the profile that each characteristic belongs to.
    private let owners: [BluetoothUUID: Int]
    /// The decoders of the profiles, for this link.
    private var decoders: [any GATTDecoder]
    /// The device information read since the link was opened.
    private var device = Device()
    private var typeOwners = TypeOwners()
    private var recentWrites = RecentWrites(pauseSeconds: Self.writePauseSeconds)
    /// Before this the decoders are not woken again, whatever they want.
    private var earliestWakeTime = BootInstant.distantPast
    /// The adapters of the lines of programs, by their channels.
    private var programs: [Channel: any DeviceAdapter]
    /// The channels of the programs that decode a characteristic.
    let programChannels: [BluetoothUUID: Channel]

    /// Makes an adapter from the profiles to read a device with.
    public init(profiles: [any GATTProfile]) {
        subscriptions = Self.distinct(profiles.flatMap(\.subscriptions) + [.batteryLevel])
        reads = Self.distinct(
            DeviceInformation.characteristics + profiles.flatMap(\.reads) + [.batteryLevel])
        self.profiles = profiles
        decoders = profiles.map { $0.makeLinkDecoder() }
        owners = Dictionary(
            profiles.enumerated().flatMap { index, profile in
                (profile.subscriptions + profile.reads).map { ($0, index) }
            }, uniquingKeysWith: { first, _ in first })
        programs = Dictionary(
            profiles.compactMap { profile in
                (profile as? any ProgramDecoded).map {
                    (Channel(program: profile.name), $0.makeAdapter())
                }
            }, uniquingKeysWith: { first, _ in first })
        programChannels = owners.compactMapValues { index in
            profiles[index] is any ProgramDecoded ? Channel(program: profiles[index].name) : nil
        }
    }

    /// Handles one event and returns the actions to perform, in order.
    public mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        switch event.kind {
        case .opened:
            return open().map { .read(Channel($0)) }
        case .received(_, let channel) where channel.isOfProgram:
            return programs[channel]?.handle(event) ?? []
        case .received(let value, let channel):
            guard let characteristic = BluetoothUUID(channel.name) else {
                return [.dropped(ByteDecodingError.unknown.dropReason)]
            }
            let decoding = decode(value, of: characteristic, at: event.receipt)
            return actions(for: decoding, at: event.receipt)
        case .timer:
            let decoding = wake(at: event.receipt)
            return actions(for: decoding, at: event.receipt)
        case .closed:
            return []
        }
    }

    /// Returns the actions for a decoding, and for the next wake-up.
    private func actions(for decoding: GATTDecoding, at now: BootInstant) -> [AdapterAction] {
        decoding.readings.map { .reading($0) } + decoding.drops.map { .dropped($0) }
            + decoding.writes.map { .send($0.bytes, on: Channel($0.characteristic)) }
            + (wakeTime.map { [.wake(at: max($0, Self.earliestTimer(after: now)))] } ?? [])
    }

    private static func earliestTimer(after now: BootInstant) -> BootInstant {
        now.adding(nanoseconds: AdapterAllowance.minimumTimerNanoseconds)
    }

    /// Resets the state for a new link; returns the characteristics to read, in order.
    mutating func open() -> [BluetoothUUID] {
        // The firmware may have changed, and the device may have lost earlier writes.
        device = Device()
        recentWrites.forget()
        typeOwners.forget()
        decoders = profiles.map { $0.makeLinkDecoder() }
        return reads
    }

    /// Decodes a value of a characteristic; an undecodable value becomes a drop.
    ///
    /// Writes that were made recently are left out or postponed.
    mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, at receipt: BootInstant
    ) -> GATTDecoding {
        do throws(ByteDecodingError) {
            var decoding = try decode(value, of: characteristic, receivedAt: receipt)
            leaveOutRecentWrites(of: &decoding, at: receipt)
            return decoding
        } catch {
            return GATTDecoding(drops: [error.dropReason])
        }
    }

    /// The time of the next write that was postponed, or at which a decoder wants to be woken.
    var wakeTime: BootInstant? {
        let wanted = decoders.reduce(nil) { BootInstant.earlier($0, $1.wakeTime) }
        return .earlier(recentWrites.wakeTime, wanted.map { max($0, earliestWakeTime) })
    }

    /// Wakes the decoders that are due, and adds the postponed writes whose time has come.
    mutating func wake(at now: BootInstant) -> GATTDecoding {
        var decoding = GATTDecoding()
        earliestWakeTime = Self.earliestTimer(after: now)
        for index in decoders.indices {
            guard let due = decoders[index].wakeTime, due <= now else { continue }
            var output = decoders[index].wake(at: now)
            keepOwnTypes(of: &output, from: index)
            decoding.readings += output.readings
            decoding.drops += output.drops
            decoding.writes += output.writes
        }
        leaveOutRecentWrites(of: &decoding, at: now)
        decoding.writes += recentWrites.takeDue(at: now)
        return decoding
    }

    private mutating func leaveOutRecentWrites(of decoding: inout GATTDecoding, at now: BootInstant)
    {
        guard !decoding.writes.isEmpty else { return }
        decoding.writes.removeAll { !recentWrites.admit($0, at: now) }
    }

    private mutating func keepOwnTypes(of decoding: inout GATTDecoding, from owner: Int) {
        guard profiles.count > 1 else { return }
        decoding.readings.removeAll { !typeOwners.admit($0, of: owner) }
    }

    /// Handles a write that the device has rejected; returns whether it is made again later.
    mutating func writeFailed(
        _ bytes: [UInt8], to characteristic: BluetoothUUID, at now: BootInstant
    ) -> Bool {
        recentWrites.failed(bytes, to: characteristic, at: now)
    }

    private mutating func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, receivedAt receipt: BootInstant
    ) throws(ByteDecodingError) -> GATTDecoding {
        if characteristic == .batteryLevel {
            return GATTDecoding([.state(.battery(try BatteryLevel.decode(value)))])
        }
        if DeviceInformation.characteristics.contains(characteristic) {
            guard let information = try DeviceInformation.decode(value, of: characteristic)
            else { return GATTDecoding() }
            device = device.merging(information)
            return GATTDecoding([.identity(information)])
        }
        guard let owner = owners[characteristic] else { throw .unknown }
        var decoding = try decoders[owner].decode(
            value, of: characteristic, from: device, at: receipt)
        keepOwnTypes(of: &decoding, from: owner)
        return decoding
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

/// The Battery Level characteristic (Battery Service 1.0, §3.1): one byte, percent.
enum BatteryLevel {
    /// The charge from 0 to 1.
    ///
    /// - Throws: ``ByteDecodingError/truncated`` without a byte, ``ByteDecodingError/invalid`` with
    ///   more than one or over 100 %.
    static func decode(_ value: [UInt8]) throws(ByteDecodingError) -> Double {
        guard let percent = value.first else { throw .truncated }
        guard value.count == 1, percent <= 100 else { throw .invalid }
        return Double(percent) / 100
    }
}
