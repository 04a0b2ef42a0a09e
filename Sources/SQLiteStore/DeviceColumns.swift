import HealthModel
import SQLite

/// The columns of the table `device`, in one order for writing and reading.
enum DeviceColumns {
    static let names = [
        "name", "manufacturer", "model", "hardware_version", "firmware_version",
        "software_version", "local_identifier", "serial",
    ]

    /// Binds a device to the parameters 1 to 8.
    static func bind(_ device: Device, to statement: SQLiteStatement) throws {
        try statement.bind(text: device.name, at: 1)
        try statement.bind(text: device.manufacturer, at: 2)
        try statement.bind(text: device.model, at: 3)
        try statement.bind(text: device.hardwareVersion, at: 4)
        try statement.bind(text: device.firmwareVersion, at: 5)
        try statement.bind(text: device.softwareVersion, at: 6)
        try statement.bind(text: device.localIdentifier, at: 7)
        try statement.bind(text: device.serial, at: 8)
    }

    /// Reads a device from the columns 0 to 7.
    static func device(of row: SQLiteStatement) -> Device {
        Device(
            name: row.text(at: 0), manufacturer: row.text(at: 1), model: row.text(at: 2),
            hardwareVersion: row.text(at: 3), firmwareVersion: row.text(at: 4),
            softwareVersion: row.text(at: 5), localIdentifier: row.text(at: 6),
            serial: row.text(at: 7))
    }
}
