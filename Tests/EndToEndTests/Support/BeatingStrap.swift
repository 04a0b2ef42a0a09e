import BluetoothTesting
import GatewayCore
import Platform
import Synchronization

/// A strap of the fake bluetoothd on a heart that beats: it tells its rate again and again.
final class BeatingStrap: Sendable {
    /// How often it tells it, in seconds.
    private static let interval = 0.2

    let address: String
    private let bluez: FakeBlueZ
    private let told: Told
    private let task: Task<Void, any Error>

    /// What it tells.
    private final class Told: Sendable {
        let packet: Mutex<[UInt8]>

        init(_ packet: [UInt8]) { self.packet = Mutex(packet) }
    }

    init(_ box: BluetoothBox, _ address: String, rate: UInt8, serial: String = "0001") async {
        self.address = address
        bluez = box.bluez
        told = Told(Self.packet(rate))
        await box.wear(address, serial: serial)
        task = Task { [bluez, told] in
            while true {
                await bluez.notify(address, told.packet.withLock { $0 })
                try await SystemClock().sleep(seconds: Self.interval)
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Skin contact, and a rate of 8 bits (Heart Rate Service 1.0, §3.1).
    private static func packet(_ rate: UInt8) -> [UInt8] { [0x06, rate] }

    func beat(_ rate: UInt8) { told.packet.withLock { $0 = Self.packet(rate) } }

    /// It hangs loose, and says so.
    func loseContact() { told.packet.withLock { $0 = [0x04, 0] } }

    /// It is carried away.
    func leave() async {
        await bluez.disappear(address)
        await bluez.dropLink(address)
    }

    /// It is near again.
    func comeBack(to box: BluetoothBox, serial: String = "0001") async {
        await box.wear(address, serial: serial)
    }
}
