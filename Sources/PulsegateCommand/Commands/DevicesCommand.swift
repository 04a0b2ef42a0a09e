import Advertisements
import ArgumentValues
import Bluetooth
import DeviceScreens
import GatewayCore
import GatewayHost
import Platform
import Serial
import Terminal

/// `pulsegate devices`: lists sensors in range and serial ports.
struct DevicesCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "devices",
        summary: "List sensors in range and serial ports: signal, services, matching adapter.",
        options: [
            CommandSyntax.Option(
                name: "--for", value: "SECONDS",
                help: "how long to scan; default: until Ctrl-C at a terminal, 10 in a pipe")
        ] + CommandSyntax.formats,
        details: """
            Scans without connecting to a device. A strap advertises only while it is worn and not
            connected to another device. Adopt a device with `pulsegate adopt ADDRESS`.
            """)

    /// The default scan duration when the output is not a terminal, in seconds.
    private static let defaultSeconds = 10.0
    let call: Subcommand.Call

    func run() async throws(HostError) -> ExitStatus {
        let stop = StopSignal()
        stop.listen()
        let format = try arguments.format()
        let screen = format == .table ? TerminalScreen.forOutput(environment) : nil
        let seconds =
            try arguments.seconds(of: "--for") ?? (screen == nil ? Self.defaultSeconds : nil)
        let clock = SystemClock()
        let view = DeviceScanView(try makeList(), screen: screen, clock: clock)
        let scanner = BluetoothScanner(
            busAddress: environment["DBUS_SYSTEM_BUS_ADDRESS"], clock: clock)
        view.show()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await view.watch(scanner) }
            if let seconds {
                group.addTask {
                    // Cancelled only after a stop was requested.
                    try? await clock.sleep(seconds: seconds)
                    stop.stop()
                }
            }
            await stop.wait()
            group.cancelAll()
        }
        if screen == nil { try StandardStream.output.writeResult(view.text(as: format)) }
        return view.hasFailed ? .failure : .success
    }

    private func context(_ files: CommandFiles) -> ComponentContext {
        ComponentContext(
            name: "devices", clock: SystemClock(), log: Logger(component: "devices") { _ in },
            dataDirectory: files.folder.path, types: files.types)
    }

    /// The plan of the gateway; without the adopted devices of another user, which only that user and root know.
    private func plan(_ files: CommandFiles) throws(HostError) -> GatewayPlan {
        guard files.areOfAnotherUser else {
            return try GatewayPlan(
                showing: files.configuration, folder: files.folder, plugins: plugins)
        }
        CommandNote.write(
            "the adopted devices in \(files.folder.path) are not known to this user; with them: "
                + "`sudo pulsegate devices`")
        return GatewayPlan(
            simulating: files.configuration, folder: files.folder, plugins: plugins)
    }

    private func makeList() throws(HostError) -> DeviceList {
        let files = try call.files()
        let file = files.configuration
        let plan = try plan(files)
        plan.unknownPeople.forEach(CommandNote.write)
        var list: DeviceList
        do throws(ConfigurationError) {
            list = DeviceList(
                plan: plan,
                profiles: try GATTProfileFactory.makeProfiles(
                    nil, from: plugins.profiles, types: files.types),
                formats: try AdvertisementFormatFactory.makeFormats(
                    nil, from: plugins.advertisements, context(files)),
                protocols: plugins.serialProtocols)
        } catch {
            throw file.failure(error)
        }
        do { list.ports = try SerialPorts.list() } catch {
            StandardStream.error.write("pulsegate: \(LogFormat.escaped("\(error)"))\n")
        }
        return list
    }
}
