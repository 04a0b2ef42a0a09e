import GatewayCore
import HealthModel
import JSON
import Platform
import Readings
import Serial

/// An adapter that does something wrong with every piece of bytes.
struct WrongAdapter: DeviceAdapter, SerialProtocol {
    /// The name of the protocol.
    let name: String
    /// The actions on received bytes, the number of which has been received before.
    let respond: @Sendable (AdapterEvent, Int) -> [AdapterAction]
    /// Whether it also answers the other events.
    var answersAll = false
    private var count = 0
    private var hoard: [[UInt8]] = []
    private var hoardBytes = 0

    let lineSettings = LineSettings(baud: .baud9600)
    let device = Device(manufacturer: "Acme", model: "Wrong")

    init(
        _ name: String, answersAll: Bool = false, hoarding bytes: Int = 0,
        _ respond: @escaping @Sendable (AdapterEvent, Int) -> [AdapterAction]
    ) {
        self.name = name
        self.answersAll = answersAll
        self.respond = respond
        hoardBytes = bytes
    }

    var factory: SerialProtocolFactory {
        SerialProtocolFactory(use: name) { [self] node throws(ConfigurationError) in
            _ = try node.object(keys: ["use"])
            return self
        }
    }

    func makeAdapter() -> any DeviceAdapter { self }

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        guard case .received = event.kind else { return answersAll ? respond(event, count) : [] }
        count += 1
        if hoardBytes > 0 { hoard.append([UInt8](repeating: 1, count: hoardBytes)) }
        return respond(event, count)
    }
}

extension WrongAdapter {
    /// All of them.
    static var all: [WrongAdapter] { values + floods + blocks + crashes }

    /// Makes an adapter that reports a reading for every piece of bytes.
    init(_ name: String, reading: @escaping @Sendable (Int) -> Reading?) {
        self.init(name) { _, count in reading(count).map { [.reading($0)] } ?? [] }
    }
}
