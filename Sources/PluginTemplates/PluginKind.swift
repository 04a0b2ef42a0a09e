/// The kinds of plugins that have a template.
package enum PluginKind: Hashable, Sendable, CaseIterable {
    /// A device on a serial port.
    case serialAdapter
    /// A Bluetooth LE device.
    case bluetoothAdapter
    /// A destination of records.
    case sink
    /// Another transport.
    case source
    /// A part that shows or offers live values.
    case service
    /// A program in another language.
    case program

    /// The types that it declares, the main one first.
    func types(stem: String) -> [String] { typeSuffixes.map { stem + $0 } }

    /// The ends of the names of its types, which a name that has one already does not get again.
    var typeSuffixes: [String] {
        switch self {
        case .serialAdapter: ["Protocol", "Adapter"]
        case .bluetoothAdapter: ["Profile"]
        case .sink: ["Sink"]
        case .source: ["Source"]
        case .service: ["Service"]
        case .program: [""]
        }
    }

    /// The rooms that it imports beside those of every plugin.
    var rooms: [String] {
        switch self {
        case .serialAdapter: ["Serial"]
        case .bluetoothAdapter: ["Bluetooth"]
        case .sink, .source, .service, .program: []
        }
    }

    /// The list of `Plugins` that has its factory; nil for a program, which is not built in.
    package var list: String? {
        switch self {
        case .serialAdapter: "serialProtocols"
        case .bluetoothAdapter: "profiles"
        case .sink: "sinks"
        case .source: "sources"
        case .service: "services"
        case .program: nil
        }
    }

    /// The kind in the table of plugins in README.md.
    package var rowTitle: String {
        switch self {
        case .serialAdapter: "serial protocol"
        case .bluetoothAdapter: "Bluetooth LE profile"
        case .sink: "sink"
        case .source: "source"
        case .service: "service"
        case .program: "program"
        }
    }
}
