import Advertisements
import Bluetooth
import GatewayCore
import Platform
import Serial
import Terminal

/// The list as text: a line for each device and each port.
extension DeviceList {
    /// The lines with their headings.
    var lines: [String] {
        let rows = rows
        let lines =
            rows.isEmpty
            ? ["no Bluetooth device seen yet"]
            : Self.table(
                ["ADDRESS", "SIGNAL", "NAME", "PROFILE", "STATE", "SERVICES"], rows.map(\.cells))
        guard !ports.isEmpty else { return lines }
        let cells = ports.map { self.cells(of: $0) }
        return lines + [""] + Self.table(["PORT", "DEVICE", "ACCESS", "STATE"], cells)
    }

    private static func table(_ headings: [String], _ rows: [[String]]) -> [String] {
        var table = TextTable(headings)
        for row in rows { table.add(row.map { TextTable.Cell(LogFormat.escaped($0)) }) }
        return table.text(.plain).split(whereSeparator: \.isNewline).map(String.init)
    }

    private func cells(of port: SerialPortDescription) -> [String] {
        let names = [port.vendorName, port.productName].compactMap { $0 }
        let identity = port.identity(among: ports)?.description
        let access = port.access.map { access in
            access.isGranted ? "yes" : "no: owner \(access.owner), group \(access.group)"
        }
        let adoption = adoption(of: port.path)
        let state = [adoption.state, adoption.person.map { "for \($0)" }].compactMap { $0 }
        let protocols = matchingProtocols(of: port).map { "protocol \($0)" }
        return [
            port.path, (names + [identity].compactMap { $0 }).joined(separator: " "),
            access ?? "unknown", (state + protocols).joined(separator: ", "),
        ]
    }
}

extension DeviceList.Row {
    fileprivate var cells: [String] {
        let state =
            [adoption.state, adoption.person.map { "for \($0)" }].compactMap { $0 }.joined(
                separator: " ")
        let readings = matchingProfiles + matchingFormats.map { "format \($0)" }
        let states = [
            state, device.isConnected ? "connected" : "", device.isPaired ? "paired" : "",
        ]
        return [
            device.address.description, device.signalStrength.map { "\($0) dBm" } ?? "-",
            adoption.name ?? device.name ?? "-",
            readings.isEmpty ? "-" : readings.joined(separator: ", "),
            states.filter { !$0.isEmpty }.joined(separator: ", "), services,
        ]
    }

    private var services: String {
        device.services.map { $0.assignedName ?? $0.shortest }.sorted().joined(separator: ", ")
    }
}
