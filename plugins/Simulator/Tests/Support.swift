import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import Serial
import Synchronization

@testable import Simulator

/// Takes contact and rate out of a measurement, and nothing else.
struct RateProfile: GATTProfile {
    let name = "rate"
    let service = BluetoothUUID(0x180D)
    let subscriptions = [BluetoothUUID(0x2A37)]
    let silenceLimitSeconds: Double? = 10

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding {
        guard value.count >= 2 else { throw .truncated }
        let contact = Reading.state(.contact(value[0] & 0x02 != 0))
        guard value[1] > 0 else { return GATTDecoding([contact]) }
        do throws(QuantityError) {
            let rate = try Quantity(Double(value[1]), .countPerMinute)
            return GATTDecoding([contact, .instant(.heartRate, rate)])
        } catch {
            throw .invalid
        }
    }

    static let factory = GATTProfileFactory(use: "rate") { _ in RateProfile() }
}

/// Reports every line or packet as the name of a device, so that tests can check the bytes.
struct TextProtocol: SerialProtocol {
    let lineSettings = LineSettings(baud: .baud115200)
    let device = Device(model: "Text")

    func makeAdapter() -> any DeviceAdapter { TextAdapter() }

    static func factory(_ use: String) -> SerialProtocolFactory {
        SerialProtocolFactory(use: use) { _ in TextProtocol() }
    }
}

private struct TextAdapter: DeviceAdapter {
    private var line: [UInt8] = []

    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
        guard case .received(let bytes, _) = event.kind else { return [] }
        var actions: [AdapterAction] = []
        for byte in bytes where byte != 0x0D {
            guard byte == 0x0A else {
                line.append(byte)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            actions.append(.reading(.identity(Device(name: text))))
            line = []
        }
        return actions
    }
}

/// An inlet that remembers all reports, and gives them out one after the other.
final class CountedInlet: ReadingInlet {
    private struct State {
        var reports: [DeviceReport] = []
        var given = 0
    }

    private let state = Mutex(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func report(_ report: DeviceReport) async {
        state.withLock { $0.reports.append(report) }
        signal.yield()
    }

    /// Waits for a number of further reports.
    func next(_ count: Int) async -> [DeviceReport] {
        if let reports = take(count) { return reports }
        for await _ in signals {
            if let reports = take(count) { return reports }
        }
        return []
    }

    /// All reports so far.
    var all: [DeviceReport] { state.withLock { $0.reports } }

    private func take(_ count: Int) -> [DeviceReport]? {
        state.withLock { state in
            guard state.reports.count >= state.given + count else { return nil }
            state.given += count
            return Array(state.reports[state.given - count..<state.given])
        }
    }
}

/// A simulator with a clock that the test moves, and its reports.
struct SimulatorFixture {
    let clock = ManualClock()
    let inlet = CountedInlet()
    var quarantine = Quarantine()

    func context(_ name: String = "sim", clock: (any GatewayClock)? = nil) -> ComponentContext {
        var context = ComponentContext(
            name: name, clock: clock ?? self.clock, log: Logger(component: "test") { _ in },
            dataDirectory: "/")
        context.quarantine = quarantine
        return context
    }

    static let factory = SimulatorSource.factory(
        profiles: [RateProfile.factory],
        serialProtocols: [TextProtocol.factory("lines"), TextProtocol.factory("hxm")])

    /// Makes the source of settings in JSON5.
    func source(
        _ settings: String, clock: (any GatewayClock)? = nil
    ) throws -> any Source {
        let node = try ConfigurationNode(json5: settings)
        return try Self.factory.make(node, context(clock: clock))
    }

    func start(_ source: any Source) -> Task<Void, any Error> {
        Task { [inlet] in try await source.run(into: inlet) }
    }
}

extension DeviceReport {
    /// What it reports, in a few words.
    var words: String {
        switch content {
        case .opened: "opened"
        case .readings(let readings): "readings \(readings.count)"
        case .records: "records"
        case .dropped(let drops):
            "dropped " + drops.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined()
        case .discarded: "discarded"
        case .seen: "seen"
        case .stale: "stale"
        case .closed(_, let reason): "closed: \(reason)"
        case .link(let state, _): "link \(state.rawValue)"
        case .forgotten: "forgotten"
        case .traffic: "traffic"
        }
    }

    /// The readings of the report.
    var timedReadings: [TimedReading] {
        if case .readings(let readings) = content { readings } else { [] }
    }
}

extension [DeviceReport] {
    /// The heart rates with their seconds since a time.
    func heartRates(since start: BootInstant) -> [(seconds: Double, rate: Double)] {
        flatMap(\.timedReadings).compactMap { timed in
            guard case .instant(.heartRate, let rate, _) = timed.reading,
                let value = try? rate.value(in: .countPerMinute)
            else { return nil }
            return (timed.receipt.seconds(since: start), value)
        }
    }
}
