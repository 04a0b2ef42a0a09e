import DBus

/// Sends the values of a strap as bluetoothd does; only a program that asks for the signals of any
/// sender receives them, as ``BareNotifications`` does.
actor SignalSender {
    private static let path = "/org/bluez/hci0/dev_D0_11_22_33_44_10/service000e/char000f"

    private let loop: BusLoop
    private let address: String
    private var bus: MessageBus?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a sender that connects with its first signal.
    init(address: String) throws {
        self.address = address
        loop = try BusLoop(label: "signal-sender")
    }

    func notify(_ value: [UInt8]) throws {
        let bus = try bus ?? MessageBus(address: address, on: loop) { _ in }
        self.bus = bus
        try bus.emit(
            BusSignal(
                Self.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                [
                    .string("org.bluez.GattCharacteristic1"),
                    .properties(["Value": .bytes(value)]), .array([], of: "s"),
                ]))
    }
}
