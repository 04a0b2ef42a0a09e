/// Opens one serial port, exclusively and raw.
///
/// A port that is named by what it is, is looked for at every opening: it may have moved.
struct SerialPort: StreamOpener {
    let selector: PortSelector
    let settings: LineSettings
    /// Tells what ports there are; every port waits while it does.
    var listPorts: @Sendable () throws(SerialError) -> [SerialPortDescription] = Self
        .listWhatIsThere

    var name: String { selector.deviceIdentifier }

    func open() throws(SerialError) -> any StreamDescriptor {
        try TerminalDescriptor.open(try path(), settings: settings)
    }

    static func listWhatIsThere() throws(SerialError) -> [SerialPortDescription] {
        try SerialPorts.list(lookingUpAccess: false)
    }

    private func path() throws(SerialError) -> String {
        switch selector {
        case .path(let path): path
        case .identity(let identity): try identity.onlyMatch(in: listPorts()).path
        }
    }
}

extension SerialPortIdentity {
    /// The most ports that a message names.
    private static let namedLimit = 8

    /// The one port that is meant.
    ///
    /// - Throws: ``SerialError`` that says what to plug in, or what would tell the ports apart.
    func onlyMatch(
        in ports: [SerialPortDescription]
    ) throws(SerialError) -> SerialPortDescription {
        let matches = ports.filter(matches)
        guard let first = matches.first else { throw .noPortMatches(self) }
        guard matches.count > 1 else { return first }
        throw .severalPortsMatch(
            self, paths: matches.prefix(Self.namedLimit).map(\.path),
            distinction: distinction(of: Array(matches.prefix(Self.namedLimit))))
    }

    /// What to add so that one port is meant: the first thing that differs from each to each.
    private func distinction(of ports: [SerialPortDescription]) -> String? {
        for key in Key.allCases where self[key] == nil {
            let values = ports.compactMap { $0[key] }
            guard Set(values).count == ports.count else { continue }
            let choices = zip(values, ports).map { "\"\($0)\" (\($1.path))" }
            return "`\(key.rawValue)`: \(choices.joined(separator: " or "))"
        }
        return nil
    }
}
