public import GatewayCore
import HealthModel
import JSON
import Platform

/// Reads one device on a serial port, or on the serial port of a Bluetooth device.
///
/// `run` opens the port, makes an adapter, and reports its readings until the port fails or the task
/// is cancelled. A missing port is a ``LinkError``: it may be plugged in later.
public struct SerialSource: Source, SelfChecking {
    /// The transport in the claim of a source.
    package static let transport = "serial"

    private let identifier: String
    private let serialProtocol: any SerialProtocol
    /// The setting `protocol`, for a capture.
    private let setting: JSONValue
    private let context: ComponentContext
    /// The properties of a device that the owner of the port knows, such as its name.
    private let known: Device
    private let makeLink: @Sendable () -> any SerialLink

    /// Makes a source for the device with this local identifier.
    init(
        identifier: String, serialProtocol: any SerialProtocol, setting: JSONValue = .null,
        context: ComponentContext, known: Device = Device(),
        makeLink: @escaping @Sendable () -> any SerialLink
    ) {
        self.identifier = identifier
        self.serialProtocol = serialProtocol
        self.setting = setting
        self.context = context
        self.known = known
        self.makeLink = makeLink
    }

    /// Reads the device until the task is cancelled or the port fails.
    ///
    /// - Throws: ``LinkError`` with its remedy; `CancellationError` when the task is cancelled.
    public func run(into inlet: any ReadingInlet) async throws {
        try Task.checkCancellation()
        await waitInQuarantine(inlet)
        try Task.checkCancellation()
        let link = makeLink()
        let name: String
        do { name = try await link.open() } catch {
            throw (error as? SerialError)?.linkError ?? error
        }
        context.log.debug("port opened", ["port": name])
        var session = SerialSession(
            link: link, inlet: inlet, clock: context.clock, log: context.log,
            serialProtocol: serialProtocol, device: device, setting: setting,
            mark: context.mark(for: identifier),
            program: (serialProtocol as? any ProgramDecoded)?.makeProgram(for: identifier, context))
        let probe = context.probe(ask: session.ask)
        let error = await session.run()
        withExtendedLifetime(probe) {}
        await link.close()
        let failure = error as? SerialError
        let reason = Task.isCancelled ? "stopped" : failure?.reason ?? "\(error)"
        await session.end(reason: reason)
        context.log.debug("port closed", ["port": name, "reason": reason])
        try Task.checkCancellation()
        throw failure?.linkError ?? error
    }

    /// Checks that the program of the protocol can be executed, if it has one.
    public func check() throws(ConfigurationError) {
        try (serialProtocol as? any ProgramDecoded)?.checkProgram(context)
    }

    /// Waits, without opening the port, while the device is in quarantine.
    private func waitInQuarantine(_ inlet: any ReadingInlet) async {
        guard context.quarantine.contains(identifier) else { return }
        let reason = Quarantine.reason(for: identifier)
        context.log.error("the device is in quarantine", ["device": identifier, "reason": reason])
        await inlet.report(
            DeviceReport(device: identifier, .link(.quarantined, reason: reason)))
        await context.quarantine.waitForRelease(of: identifier)
    }

    /// The device with the properties from its protocol, its identifier and its configured name.
    private var device: Device {
        let named = Device(name: context.name, localIdentifier: identifier)
        return serialProtocol.device.merging(named).merging(known)
    }
}
