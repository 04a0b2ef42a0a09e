import GatewayCore
import Glibc
import HealthModel

/// A sample as a line of a table for people: local time, rounded value, person, device.
enum TableRow {
    static let header = row("TIME", "VALUE", "UNIT", "PERSON", "DEVICE")

    static func line(_ sample: QuantitySample) -> String {
        row(
            localTime(sample.end), HumanQuantity.rounded(sample.quantity.value),
            sample.quantity.unit.string, sample.person ?? "-",
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

    /// `2026-11-21 19:15:00.123`, in the zone of the machine.
    static func localTime(_ instant: Instant) -> String {
        let nanoseconds = instant.nanosecondsSince1970
        let wholeSeconds = nanoseconds.dividedFloor(by: 1_000_000_000)
        var seconds = time_t(wholeSeconds)
        var fields = tm()
        localtime_r(&seconds, &fields)
        let local = Int64(timegm(&fields))
        let shifted = instant.adding(nanoseconds: (local - wholeSeconds) * 1_000_000_000)
        return shifted.description.prefix(23).map { $0 == "T" ? " " : String($0) }.joined()
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

    private static func quoted(_ field: String) -> String {
        let needsQuotes = field.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte < 0x20
        }
        guard needsQuotes else { return field }
        let parts = field.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.joined(separator: "\"\""))\""
    }
}
