import ByteDecoding
import DBus
import GatewayCore
import HealthModel
import Platform
import Readings

@testable import Bluetooth

/// A profile of the simplest kind: one byte is a pulse.
struct PulseProfile: GATTProfile {
    static let measurement = BluetoothUUID(0x2A37)
    static let place = BluetoothUUID(0x2A38)
    static let control = BluetoothUUID(0x2A39)

    var name = "pulse"
    var service = BluetoothUUID(0x180D)
    var subscriptions = [Self.measurement]
    var reads = [Self.place]
    var silenceLimitSeconds: Double? = 10
    /// What it wants written after every pulse.
    var writes: [GATTWrite] = []

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard let byte = value.first else { throw .truncated }
        guard characteristic != Self.place else {
            return GATTDecoding([.state(.contact(byte != 0))])
        }
        guard let pulse = try? Quantity(Double(byte), .countPerMinute) else { throw .invalid }
        return GATTDecoding([.instant(.heartRate, pulse)], writes: writes)
    }
}

/// The pulse, decoded by a program: a line is a number, or `!` for a write.
struct ProgramProfile: GATTProfile, ProgramDecoded {
    let name = "pulse"
    let service = BluetoothUUID(0x180D)
    let subscriptions = [PulseProfile.measurement]
    let reads = [PulseProfile.place]

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding { GATTDecoding() }

    func makeProgram(for device: String, _ context: ComponentContext) -> any DecoderProgram {
        SilentProgram()
    }

    func checkProgram(_ context: ComponentContext) throws(ConfigurationError) {}

    func makeAdapter() -> any DeviceAdapter { LineAdapter() }

    private struct SilentProgram: DecoderProgram {
        func run(
            delivering deliver: @escaping @Sendable ([DecoderOutput], BootInstant) async -> Void
        ) async {}

        func send(_ input: DecoderInput) -> Bool { true }

        var unreadCount: Int { 0 }
    }

    private struct LineAdapter: DeviceAdapter {
        func handle(_ event: AdapterEvent) -> [AdapterAction] {
            guard case .received(let bytes, let channel) = event.kind else { return [] }
            let text = String(decoding: bytes, as: UTF8.self)
            if text == "!" { return [.send([1], on: Channel(PulseProfile.control))] }
            guard let number = Double(text), let pulse = try? Quantity(number, .countPerMinute)
            else { return [.dropped(.damaged), .send(Array("no number".utf8), on: channel)] }
            return [.reading(.instant(.heartRate, pulse))]
        }
    }
}

/// A profile of something that is rarely used, and so may be silent.
struct ScaleProfile: GATTProfile {
    let name = "scale"
    let service = BluetoothUUID(0x181D)
    let subscriptions = [BluetoothUUID(0x2A9D)]

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        GATTDecoding([.state(.contact(true))])
    }
}

extension BlueZCharacteristic {
    /// A characteristic of the service with this number.
    init(_ path: String, _ service: UInt16, _ uuid: UInt16, _ flags: Set<String>) {
        self.init(
            path: path, service: BluetoothUUID(service), uuid: BluetoothUUID(uuid), flags: flags)
    }

    /// Its control point: `c5`.
    static let control = BlueZCharacteristic("c5", 0x180D, 0x2A39, ["write"])

    /// Its maker, its pulse, its place on the body and its battery: `c1` to `c4`.
    static let strap = [
        BlueZCharacteristic("c1", 0x180A, 0x2A29, ["read"]),
        BlueZCharacteristic("c2", 0x180D, 0x2A37, ["notify"]),
        BlueZCharacteristic("c3", 0x180D, 0x2A38, ["read"]),
        BlueZCharacteristic("c4", 0x180F, 0x2A19, ["read", "notify"]),
    ]
}

extension BluetoothAddress {
    /// The address that ends with this number; the device objects of ``Daemon`` have it.
    static func ending(_ number: UInt8) -> BluetoothAddress {
        let digits = String(number, radix: 16, uppercase: true)
        let text = "D0:11:22:33:44:\(number < 16 ? "0" : "")\(digits)"
        guard let address = BluetoothAddress(text) else {
            preconditionFailure("\(text) is an address")
        }
        return address
    }
}

extension BusError {
    /// What BlueZ answers when something failed.
    static func failed(_ message: String) -> BusError {
        .remote(name: "org.bluez.Error.Failed", message: message)
    }

    static func bluez(_ name: String, _ message: String = "") -> BusError {
        .remote(name: "org.bluez.Error.\(name)", message: message)
    }

    static let unknownObject = BusError.remote(
        name: "org.freedesktop.DBus.Error.UnknownObject",
        message: "Method \"Connect\" with signature \"\" on interface "
            + "\"org.bluez.Device1\" doesn't exist")
}

extension PulseProfile {
    /// One that writes to the control point when it has received a value.
    static var writing: PulseProfile {
        var profile = PulseProfile()
        profile.writes = [GATTWrite([1], to: PulseProfile.control)]
        return profile
    }
}
