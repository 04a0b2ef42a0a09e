extension BluetoothUUID {
    /// The assigned name of a service or characteristic of health and fitness sensors (Bluetooth
    /// Assigned Numbers, §3.4 and §3.8).
    public var assignedName: String? {
        short.flatMap { Self.names[$0] }
    }

    /// The four digits of an assigned number; otherwise the long form.
    public var shortest: String {
        guard let short else { return description }
        let digits = String(short, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static let names: [UInt16: String] = [
        0x1101: "serial port", 0x1800: "generic access", 0x1801: "generic attribute",
        0x1808: "glucose", 0x1809: "health thermometer", 0x180A: "device information",
        0x180D: "heart rate", 0x180F: "battery", 0x1810: "blood pressure",
        0x1814: "running speed and cadence", 0x1816: "cycling speed and cadence",
        0x1818: "cycling power", 0x181B: "body composition", 0x181C: "user data",
        0x181D: "weight scale", 0x1822: "pulse oximeter", 0x1826: "fitness machine",
        0x183E: "physical activity monitor",
        0x2A00: "device name", 0x2A01: "appearance", 0x2A05: "service changed",
        0x2A18: "glucose measurement", 0x2A19: "battery level",
        0x2A1C: "temperature measurement", 0x2A23: "system id", 0x2A24: "model number",
        0x2A25: "serial number", 0x2A26: "firmware revision", 0x2A27: "hardware revision",
        0x2A28: "software revision", 0x2A29: "manufacturer name",
        0x2A2A: "regulatory certification data", 0x2A35: "blood pressure measurement",
        0x2A37: "heart rate measurement", 0x2A38: "body sensor location",
        0x2A39: "heart rate control point", 0x2A50: "pnp id", 0x2A53: "RSC measurement",
        0x2A54: "RSC feature", 0x2A5B: "CSC measurement", 0x2A5C: "CSC feature",
        0x2A5D: "sensor location", 0x2A5E: "PLX spot-check measurement",
        0x2A5F: "PLX continuous measurement", 0x2A63: "cycling power measurement",
        0x2A65: "cycling power feature", 0x2A9C: "body composition measurement",
        0x2A9D: "weight measurement", 0x2ACC: "fitness machine feature",
        0x2ACD: "treadmill data", 0x2ACE: "cross trainer data", 0x2AD1: "rower data",
        0x2AD2: "indoor bike data", 0x2AD9: "fitness machine control point",
        0x2ADA: "fitness machine status",
    ]
}
