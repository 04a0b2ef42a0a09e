import GatewayCore
import HealthModel
import Platform

/// A sample as a line of a table for people: local time, rounded value, person, device.
struct TableRow {
    static let header = row("TIME", "VALUE", "UNIT", "PERSON", "DEVICE")

    let format: QuantityFormat

    func line(_ sample: QuantitySample) -> String {
        let (value, unit) = format.parts(of: sample.quantity, sample.type, of: sample.person)
        return Self.row(
            LocalTime.text(sample.end), value, unit, sample.person ?? "-",
            LogFormat.escaped(sample.device?.name ?? sample.device?.localIdentifier ?? "-"))
    }

    private static func row(
        _ time: String, _ value: String, _ unit: String, _ person: String, _ device: String
    ) -> String {
        let padding = String(repeating: " ", count: max(0, 10 - value.count))
        return "\(padded(time, 23))  \(padding)\(value) \(padded(unit, 10))  \(padded(person, 8))"
            + "  \(device)\n"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

}

/// A sample as a line of RFC 4180.
enum CSVRow {
    static let header = "id,type,start,end,value,unit,person,device,deviceName,source\r\n"

    static func line(_ sample: QuantitySample) -> String {
        let fields = [
            "\(sample.id)", sample.type.name, "\(sample.start)", "\(sample.end)",
            sample.quantity.valueText, sample.quantity.unit.string, sample.person ?? "",
            sample.device?.localIdentifier ?? "", sample.device?.name ?? "",
            sample.source?.name ?? "",
        ]
        return fields.map(quoted).joined(separator: ",") + "\r\n"
    }

    static func quoted(_ field: String) -> String {
        let needsQuotes = field.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte < 0x20
        }
        guard needsQuotes else { return field }
        let parts = field.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.joined(separator: "\"\""))\""
    }
}
