/// Assigned numbers common to all kinds of devices (Bluetooth Assigned Numbers).
extension BluetoothUUID {
    /// Device Information, a service.
    public static let deviceInformation = BluetoothUUID(0x180A)
    /// Battery, a service.
    public static let batteryService = BluetoothUUID(0x180F)

    /// Battery Level: percent.
    public static let batteryLevel = BluetoothUUID(0x2A19)
    /// Model Number String of Device Information.
    public static let modelNumber = BluetoothUUID(0x2A24)
    /// Serial Number String of Device Information.
    public static let serialNumber = BluetoothUUID(0x2A25)
    /// Firmware Revision String of Device Information.
    public static let firmwareRevision = BluetoothUUID(0x2A26)
    /// Hardware Revision String of Device Information.
    public static let hardwareRevision = BluetoothUUID(0x2A27)
    /// Software Revision String of Device Information.
    public static let softwareRevision = BluetoothUUID(0x2A28)
    /// Manufacturer Name String of Device Information.
    public static let manufacturerName = BluetoothUUID(0x2A29)
}
