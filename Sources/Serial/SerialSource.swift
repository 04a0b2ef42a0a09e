public import GatewayCore
import HealthModel

/// Reads one device on a serial port.
///
/// `run` opens the port, makes an adapter, and hands on what the adapter says until the port fails or
/// the task is cancelled. A port that is not there is a ``LinkError`` like any other: it may be
/// plugged in later.
public struct SerialSource: Source {
    private let path: String
    private let serialProtocol: any SerialProtocol
    private let context: ComponentContext
    private let makeLink: @Sendable () -> any SerialLink

    init(
        path: String, serialProtocol: any SerialProtocol, context: ComponentContext,
        makeLink: @escaping @Sendable () -> any SerialLink
    ) {
        self.path = path
        self.serialProtocol = serialProtocol
        self.context = context
        self.makeLink = makeLink
    }

    /// Reads the device until the task is cancelled or the port fails.
    ///
    /// - Throws: ``LinkError`` with what mends it; `CancellationError` when the task is cancelled.
    public func run(into intake: any ReadingIntake) async throws {
        try Task.checkCancellation()
        let link = makeLink()
        do { try await link.open() } catch { throw error.linkError }
        context.log.debug("port opened", ["path": path])
        var conversation = SerialConversation(
            link: link, intake: intake, clock: context.clock, log: context.log,
            serialProtocol: serialProtocol, device: device)
        let error = await conversation.run()
        await link.close()
        let failure = error as? SerialError
        let reason = Task.isCancelled ? "stopped" : failure?.reason ?? "\(error)"
        await conversation.end(reason: reason)
        context.log.debug("port closed", ["path": path, "reason": reason])
        try Task.checkCancellation()
        throw failure?.linkError ?? error
    }

    /// What is known of the device: what its protocol says, where it is, what the user calls it.
    private var device: Device {
        let known = serialProtocol.device
        return Device(
            name: context.name, manufacturer: known.manufacturer, model: known.model,
            hardwareVersion: known.hardwareVersion, firmwareVersion: known.firmwareVersion,
            softwareVersion: known.softwareVersion, localIdentifier: path, serial: known.serial)
    }
}
