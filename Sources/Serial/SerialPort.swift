/// Opens one serial port exclusively in raw mode.
///
/// A port selected by its identity is looked up at every opening, because its path may have changed.
struct SerialPort: StreamOpener {
    let selector: PortSelector
    let settings: LineSettings
    /// Lists the present ports; it blocks the queue of all ports.
    var listPorts: @Sendable () throws(SerialError) -> [SerialPortDescription] = Self
        .listPresentPorts

    var name: String { selector.deviceIdentifier }

    func open() throws(SerialError) -> any StreamDescriptor {
        try TerminalDescriptor.open(try path(), settings: settings)
    }

    static func listPresentPorts() throws(SerialError) -> [SerialPortDescription] {
        try SerialPorts.list(lookingUpAccess: false)
    }

    private func path() throws(SerialError) -> String {
        switch selector {
        case .path(let path): path
        case .identity(let identity): try identity.singleMatch(in: listPorts()).path
        }
    }
}

extension SerialPortIdentity {
    /// The maximum number of ports in a message.
    private static let namedLimit = 8

    /// The only port that matches.
    ///
    /// - Throws: ``SerialError`` when no port or more than one port matches.
    func singleMatch(
        in ports: [SerialPortDescription]
    ) throws(SerialError) -> SerialPortDescription {
        let matches = ports.filter(matches)
        guard let first = matches.first else { throw .noPortMatches(self) }
        guard matches.count > 1 else { return first }
        throw .severalPortsMatch(
            self, paths: matches.prefix(Self.namedLimit).map(\.path),
            distinction: distinction(of: Array(matches.prefix(Self.namedLimit))))
    }

    /// The first key whose values distinguish all ports, with its values.
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
