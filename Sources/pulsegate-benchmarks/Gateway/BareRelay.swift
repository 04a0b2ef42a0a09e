import BluetoothTesting
import DBus
import GatewayTesting
import Glibc

/// Receives D-Bus signals and writes a line for each to every client: the minimum of a gateway.
final class BareRelay {
    private static let interface = "org.example.Bare"

    let clients: LineClients
    private let bus: PrivateBus
    private let sender: End
    private let receiver: End
    private let writers: [Int32]

    /// Connects and returns when signals are received.
    init(clients count: Int) async throws {
        var readers: [Int32] = []
        var writers: [Int32] = []
        for _ in 0..<count {
            let (reader, writer) = try LineClients.socketPair()
            readers.append(reader)
            writers.append(writer)
        }
        self.writers = writers
        clients = try LineClients(readers)
        bus = try PrivateBus()
        sender = try End(label: "bare-sender")
        receiver = try End(label: "bare-relay")
        try await receiver.relay(Self.interface, at: bus.address, to: writers)
        try await sender.connect(to: bus.address)
    }

    /// Sends a beat and returns the time on the monotonic clock, in seconds.
    func send(_ beat: StrapBeats.Beat) async throws -> Double {
        try await sender.send(beat, Self.interface)
    }

    /// Disconnects from the bus.
    func end() async {
        await sender.close()
        await receiver.close()
        for writer in writers { Glibc.close(writer) }
    }

    /// One of the two connections to the bus.
    private actor End {
        private let loop: BusLoop
        private var bus: MessageBus?

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(label: String) throws {
            loop = try BusLoop(label: label)
        }

        func connect(to address: String) throws {
            bus = try MessageBus(address: address, on: loop) { _ in }
        }

        func relay(_ interface: String, at address: String, to writers: [Int32]) async throws {
            try connect(to: address)
            try await withCheckedThrowingContinuation {
                (done: CheckedContinuation<Void, any Error>) in
                bus?.addMatch("type='signal',interface='\(interface)'") { error in
                    done.resume(with: error.map { .failure($0) } ?? .success(()))
                } handler: { signal in
                    guard let line = signal.body.first?.bytes else { return }
                    for writer in writers {
                        _ = Glibc.send(writer, line, line.count, Int32(MSG_NOSIGNAL))
                    }
                }
            }
        }

        func send(_ beat: StrapBeats.Beat, _ interface: String) throws -> Double {
            let line = Array(
                """
                {"type":"heartRate","value":\(beat.heartRate),\
                "device":{"localIdentifier":"\(StrapBeats.address(beat.strap))"}}

                """.utf8)
            let seconds = Meter.wallSeconds
            try bus?.emit(BusSignal("/bare", interface, "Beat", [.bytes(line)]))
            return seconds
        }

        func close() {
            bus?.close()
            bus = nil
        }
    }
}
