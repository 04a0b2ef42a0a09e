import GatewayCore
import Platform
import Readings
import Serial
import Simulation

/// What a device on a serial port sends, with its faults, without I/O.
struct SimulatedStream: Sendable {
    /// What a second brings.
    enum Step: Hashable, Sendable {
        /// The device sends bytes, which may be empty.
        case send([UInt8])
        /// The device is unplugged.
        case unplugged
    }

    private enum Device: Sendable {
        case pedometer(SimulatedPedometer)
        case hxm(SimulatedHxM)
    }

    /// A line without a value, as firmware prints it for debugging, and what is left of a damaged line.
    private static let debugLine = Array("debug\r\n".utf8)
    private static let damagedLine = Array("Ste\u{7F}#~\r\n".utf8)

    private var device: Device
    private var faults: DeviceFaults
    private var isBatteryEmpty = false

    init(_ simulated: SimulatedDevice, _ settings: SimulatorSettings) {
        device =
            simulated.kind == .hxm
            ? .hxm(SimulatedHxM(seed: simulated.seed, curve: settings.curve))
            : .pedometer(SimulatedPedometer(seed: simulated.seed))
        faults = DeviceFaults(settings.faults, seed: simulated.seed)
    }

    /// What the device sends when it is switched on.
    var greeting: [UInt8] {
        guard case .pedometer = device else { return [] }
        return Self.line(SimulatedPedometer.banner)
    }

    /// Simulates the next second.
    mutating func advance(toSecond second: Int) -> Step {
        let seconds = Double(second)
        faults.advance(to: seconds)
        let packet = nextPacket(hasContact: !faults.isActive(.contactLost, at: seconds))
        if faults.isActive(.batteryEmpty, at: seconds) {
            // The level comes first: bytes that are not read yet are lost with the port.
            defer { isBatteryEmpty = true }
            return isBatteryEmpty ? .unplugged : .send(lastPacket)
        }
        if isBatteryEmpty { replaceBattery() }
        if faults.isActive(.linkLost, at: seconds) { return .unplugged }
        if faults.isActive(.silence, at: seconds) { return .send([]) }
        return .send(sent(packet))
    }

    private mutating func nextPacket(hasContact: Bool) -> [UInt8] {
        switch device {
        case .pedometer(var pedometer):
            defer { device = .pedometer(pedometer) }
            return Self.line(pedometer.nextLine())
        case .hxm(var strap):
            defer { device = .hxm(strap) }
            strap.hasContact = hasContact
            return strap.nextPacket()
        }
    }

    /// The packet of an empty battery.
    private var lastPacket: [UInt8] {
        if case .hxm(let strap) = device { strap.emptyBatteryPacket() } else { [] }
    }

    private mutating func replaceBattery() {
        isBatteryEmpty = false
        guard case .hxm(var strap) = device else { return }
        strap.replaceBattery()
        device = .hxm(strap)
    }

    /// Returns what is sent instead of a packet because of its faults.
    private mutating func sent(_ packet: [UInt8]) -> [UInt8] {
        var packet = packet
        if faults.take(.damagedPackets) != nil { packet = damaged(packet) }
        var bytes = packet
        if faults.take(.duplicatePackets) != nil { bytes += packet }
        if let flood = faults.take(.packetFlood) {
            let extra = if case .pedometer = device { Self.debugLine } else { packet }
            for _ in 0..<flood.count { bytes += extra }
        }
        return bytes
    }

    private func damaged(_ packet: [UInt8]) -> [UInt8] {
        guard case .hxm = device else { return Self.damagedLine }
        // A bit of the last byte of the payload, so that the checksum is wrong.
        var packet = packet
        packet[packet.count - 3] ^= 0x10
        return packet
    }

    private static func line(_ text: String) -> [UInt8] { Array(text.utf8) + [0x0D, 0x0A] }
}

/// Simulates one device on a pseudo-terminal, which the source of real serial ports reads.
///
/// The bytes pass the terminal driver of the kernel like those of a real port.
struct SerialSimulation: Sendable {
    /// The pause after a failure of the port, in seconds.
    static let retrySeconds = 5.0

    let simulated: SimulatedDevice
    let settings: SimulatorSettings
    let readers: SerialReaders
    let reader: SerialReaders.Reader
    let context: ComponentContext

    private enum End: Sendable {
        case reader(any Error)
        case unplugged(SimulatedStream, SecondTicker, second: Int)
    }

    /// Simulates the device until the task is cancelled.
    func run(into inlet: any ReadingInlet) async throws {
        while true {
            do { try await simulate(into: inlet) } catch {
                try Task.checkCancellation()
                // The other devices continue, so the source does not fail.
                let problem = error as? LinkError ?? LinkError("\(simulated.identifier): \(error)")
                await inlet.note(problem: problem)
                context.log.warning(
                    "the simulated port has failed; retrying",
                    ["device": simulated.identifier, "reason": "\(problem)"])
                try await context.clock.sleep(seconds: Self.retrySeconds)
                await inlet.note(problem: nil)
            }
        }
    }

    /// Simulates the device from its first second until its port fails.
    private func simulate(into inlet: any ReadingInlet) async throws {
        var stream = SimulatedStream(simulated, settings)
        var ticker = SecondTicker(on: context.clock)
        var second = 0
        while true {
            let end = try await connection(stream, ticker, second, inlet)
            guard case .unplugged(let after, let time, let last) = end else { continue }
            (stream, ticker, second) = (after, time, last)
            try await waitUntilPlugged(&stream, &ticker, &second)
        }
    }

    /// Reads the device from plugging it in until it is unplugged.
    private func connection(
        _ stream: SimulatedStream, _ ticker: SecondTicker, _ second: Int, _ inlet: any ReadingInlet
    ) async throws -> End {
        let terminal = try openTerminal()
        defer { terminal.close() }
        let source = reader.source(
            of: simulated.device, at: terminal.slavePath, context: context)
        return try await withThrowingTaskGroup(of: End.self) { group in
            group.addTask {
                do {
                    try await source.run(into: inlet)
                    return .reader(CancellationError())
                } catch {
                    return .reader(error)
                }
            }
            group.addTask { try await send(stream, ticker, second, to: terminal) }
            defer { group.cancelAll() }
            let first = try await group.next() ?? .reader(CancellationError())
            if case .reader(let error) = first { throw error }
            // The reader notices it as it notices that a real device is unplugged.
            terminal.close()
            _ = try await group.next()
            try Task.checkCancellation()
            return first
        }
    }

    private func openTerminal() throws(LinkError) -> PseudoTerminal {
        do throws(SerialError) { return try readers.makeTerminal() } catch {
            throw error.linkError
        }
    }

    /// Sends what the device sends until it is unplugged.
    private func send(
        _ stream: SimulatedStream, _ ticker: SecondTicker, _ second: Int,
        to terminal: PseudoTerminal
    ) async throws -> End {
        var (stream, ticker, second) = (stream, ticker, second)
        _ = try await ticker.wait(forSecond: second, phase: simulated.phaseSeconds)
        try await terminal.send(stream.greeting)
        while true {
            second += 1
            _ = try await ticker.wait(forSecond: second, phase: simulated.phaseSeconds)
            switch stream.advance(toSecond: second) {
            case .send(let bytes): try await terminal.send(bytes)
            case .unplugged: return .unplugged(stream, ticker, second: second)
            }
        }
    }

    private func waitUntilPlugged(
        _ stream: inout SimulatedStream, _ ticker: inout SecondTicker, _ second: inout Int
    ) async throws {
        while true {
            var next = stream
            _ = try await ticker.wait(forSecond: second + 1, phase: simulated.phaseSeconds)
            guard case .unplugged = next.advance(toSecond: second + 1) else { return }
            (stream, second) = (next, second + 1)
        }
    }
}
