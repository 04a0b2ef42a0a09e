import Bluetooth
import DBus
public import GatewayCore
import Platform

/// Pairs a device with this machine; bluetoothd stores the keys.
public struct BluetoothPairer: Sendable {
    /// An event of a pairing.
    public enum Event: Hashable, Sendable {
        /// Scanning for the device has started.
        case scanning
        /// The device was seen, and is connected and paired now.
        case pairing(name: String?)
        /// The user has to do something at the device: `enter the passkey 012345 on the device`.
        case instruction(String)
        /// A question is not asked any more.
        case questionWithdrawn
        /// The device is paired; it was paired before unless `isNew`.
        case paired(name: String?, isNew: Bool)

        /// The line that tells the user what happens; nil if there is none.
        public var progress: String? {
            switch self {
            case .scanning: "scanning …"
            case .pairing(let name): "pairing \(name.map(LogFormat.escaped) ?? "the device") …"
            case .instruction(let text): text
            case .questionWithdrawn, .paired: nil
            }
        }
    }

    /// Asks the user for a line of text; nil when there is no answer.
    ///
    /// The task is cancelled when the answer is not needed any more.
    public typealias Ask = @Sendable (_ prompt: String) async -> String?

    /// How often an invalid answer may be corrected.
    private static let askLimit = 3

    /// The address of the device.
    public let address: BluetoothAddress
    private let machine: PairMachine
    private let busAddress: String?
    private let clock: any GatewayClock

    /// Makes a pairer of the device with this address.
    ///
    /// - Parameters:
    ///   - seconds: The time after which it gives up.
    ///   - hasTerminal: Whether the user can read and enter passkeys.
    public init(
        address: BluetoothAddress, seconds: Double, hasTerminal: Bool, busAddress: String?,
        clock: any GatewayClock
    ) {
        self.address = address
        machine = PairMachine(
            address: address, seconds: seconds, capability: hasTerminal ? .terminal : .nothing)
        self.busAddress = busAddress
        self.clock = clock
    }

    /// Pairs the device and runs until the task is cancelled, which ends its link.
    ///
    /// - Parameters:
    ///   - ask: Asks the user about the pairing.
    ///   - take: Receives the events, in order; after ``Event/paired(name:isNew:)`` the task should be
    ///     cancelled.
    /// - Throws: ``LinkError`` when the device is not paired; `CancellationError`.
    public func run(
        asking ask: @escaping Ask, handler take: @Sendable (Event) async -> Void
    ) async throws {
        do {
            let client = try BlueZClient(machine, address: busAddress, clock: clock)
            let (questions, queue) = AsyncStream.makeStream(of: PairMachine.Question?.self)
            async let _ = Self.answer(questions, by: ask, to: client)
            defer { queue.finish() }
            try await client.run { outputs, _ in
                for output in outputs {
                    switch output {
                    case .asked(let question): queue.yield(question)
                    case .event(let event):
                        if event == .questionWithdrawn { queue.yield(nil) }
                        await take(event)
                    }
                }
            }
        } catch let error as BusError {
            throw BlueZProblem.bus(error)
        }
    }

    /// Asks one question after the other; the next one, or nil, ends the one before.
    private static func answer(
        _ questions: AsyncStream<PairMachine.Question?>, by ask: @escaping Ask,
        to client: BlueZClient<PairMachine>
    ) async {
        var current: OwnedTask?
        for await question in questions {
            current?.cancel()
            current = question.map { question in
                OwnedTask(on: nil) {
                    let answer = await answer(to: question.text, by: ask)
                    await client.apply(.answer(question.number, answer))
                }
            }
        }
        current?.cancel()
    }

    private static func answer(to text: PairingQuestion, by ask: Ask) async -> AgentAnswer {
        for _ in 0..<askLimit {
            guard let line = await ask(text.prompt) else { return .cancel }
            if let answer = text.answer(to: line) { return answer }
        }
        return .cancel
    }
}
