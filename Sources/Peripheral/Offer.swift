package import Bluetooth

/// What this machine offers as a Bluetooth LE peripheral: services, and an advertisement of them.
package struct Offer: Sendable {
    /// The adapter, by address or name: `hci1`; nil for the first usable one.
    package let adapter: String?
    /// The name in the advertisement.
    package let name: String
    /// The services; all are advertised.
    package let services: [OfferedService]

    /// Makes an offer.
    package init(adapter: String?, name: String, services: [OfferedService]) {
        self.adapter = adapter
        self.name = name
        self.services = services
    }
}

/// A GATT service that this machine offers.
package struct OfferedService: Sendable {
    /// The UUID: Heart Rate, 0x180D.
    package let uuid: BluetoothUUID
    /// The characteristics.
    package let characteristics: [OfferedCharacteristic]

    /// Makes a service.
    package init(_ uuid: BluetoothUUID, _ characteristics: [OfferedCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic of an offered service.
package struct OfferedCharacteristic: Sendable {
    /// How a central gets the value (BlueZ D-Bus API, org.bluez.GattCharacteristic, `Flags`).
    package enum Access: String, Sendable {
        /// It reads the value.
        case read
        /// It subscribes to the values.
        case notify
    }

    /// The UUID.
    package let uuid: BluetoothUUID
    /// How a central gets the value.
    package let access: Access
    /// The value at the start.
    package let value: [UInt8]

    /// Makes a characteristic.
    package init(_ uuid: BluetoothUUID, _ access: Access, value: [UInt8] = []) {
        self.uuid = uuid
        self.access = access
        self.value = value
    }
}
