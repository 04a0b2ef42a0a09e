import Bluetooth
import GatewayCore
import Serial

/// The list for people: a line for each device and each port.
extension DeviceList {
    /// The lines, under headings.
    var lines: [String] {
        let rows = rows
        var lines = TextTable.lines(
            ["ADDRESS", "SIGNAL", "NAME", "READ BY", "STATE", "SERVICES"], rows.map(\.cells))
        if rows.isEmpty { lines = ["no Bluetooth device is heard yet"] }
        guard !ports.isEmpty else { return lines }
        let cells = ports.map { cells(of: $0) }
        return lines + [""] + TextTable.lines(["PORT", "DEVICE", "MAY BE OPENED", "STATE"], cells)
    }

    private func cells(of port: SerialPortDescription) -> [String] {
        let names = [port.vendorName, port.productName].compactMap { $0 }
        let identity = port.identity(among: ports)?.description
        let access = port.access.map { access in
            access.isGranted ? "yes" : "no, by \(access.owner) and group \(access.group)"
        }
        let standing = standing(of: port.path)
        let state = [standing.word, standing.person.map { "for \($0)" }].compactMap { $0 }
        let readers = readers(of: port).map { "speaks \($0)" }
        return [
            port.path, (names + [identity].compactMap { $0 }).joined(separator: " "),
            access ?? "unknown", (state + readers).joined(separator: ", "),
        ]
    }
}

extension DeviceList.Row {
    fileprivate var cells: [String] {
        let state =
            [standing.word, standing.person.map { "for \($0)" }].compactMap { $0 }.joined(
                separator: " ")
        let states = [
            state, device.isConnected ? "connected" : "", device.isPaired ? "paired" : "",
        ]
        return [
            device.address.description, device.signalStrength.map { "\($0) dBm" } ?? "-",
            standing.name ?? device.name ?? "-",
            readers.isEmpty ? "-" : readers.joined(separator: ", "),
            states.filter { !$0.isEmpty }.joined(separator: ", "), services,
        ]
    }

    private var services: String {
        device.services.map { $0.assignedName ?? $0.shortest }.sorted().joined(separator: ", ")
    }
}

/// Columns of text, each as wide as its widest cell.
enum TextTable {
    /// The heading and the rows; what could drive a terminal is escaped.
    static func lines(_ heading: [String], _ rows: [[String]]) -> [String] {
        let all = ([heading] + rows).map { row in row.map(LogFormat.escaped) }
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
        }
    }
}
