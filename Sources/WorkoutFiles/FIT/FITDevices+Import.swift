import HealthModel

extension FITDevices {
    /// The purpose of a sensor.
    enum Purpose { case heart, motion }

    /// The device of a message; nil when the message does not identify one.
    static func device(
        _ message: FITMessage, name: UInt8, serial: UInt8, manufacturer: UInt8
    ) -> Device? {
        let text = message.text(name)
        let number = message.integer(serial)
        let maker = message.integer(manufacturer)
        let known = manufacturers.first { $0.number == maker }?.name
        guard text != nil || number != nil || known != nil else { return nil }
        return Device(name: text, manufacturer: known, serial: number.map { "\($0)" })
    }

    /// The purpose of a Bluetooth or ANT+ device by its type (FIT Profile, "ble_device_type" and
    /// "antplus_device_type").
    static func purpose(of message: FITMessage) -> Purpose? {
        switch (message.integer(25), message.integer(1)) {
        case (3, 1), (1, 120): .heart
        case (3, 2), (3, 3), (3, 4), (3, 5), (3, 6), (1, 11), (1, 121), (1, 122), (1, 123),
            (1, 124):
            .motion
        default: nil
        }
    }
}
