import GatewayCore
import GatewayHost
import JSON
import Platform

/// Collects the facts about Bluetooth.
struct BluetoothCheck: Sendable {
    /// The kinds of sources that use Bluetooth.
    private static let uses: Set = ["bluetooth", "advertisements", "rfcomm"]
    /// Where distributions install bluetoothd.
    private static let programs = [
        "/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd",
        "/usr/sbin/bluetoothd",
    ]

    let system: DoctorSystem

    /// The facts; nil when the sources do not need Bluetooth.
    ///
    /// - Parameter areNamed: Whether the configuration names its sources, so that none is a decision.
    func facts(
        _ sources: [GatewayConfiguration.Component], areNamed: Bool
    ) async -> BluetoothFacts? {
        let users = sources.filter { Self.uses.contains($0.use) }
        guard !users.isEmpty || sources.isEmpty && !areNamed else { return nil }
        var facts = BluetoothFacts()
        // Before any source is chosen, Bluetooth is what most sensors need.
        facts.isNeeded = !users.isEmpty
        facts.requiredAdapters = Set(users.compactMap(Self.adapter)).sorted()
        facts.block = RadioBlock.read(from: system.path("/sys/class/rfkill"))
        facts.hasKernelAdapter = hasKernelAdapter
        let program = Self.programs.first(where: system.has)
        facts.isInstalled = program != nil
        async let version = program.flatMapAsync {
            await system.run([system.path($0), "--version"])
        }
        let lookUp = AdapterLookUp(
            busAddress: system.environment["DBUS_SYSTEM_BUS_ADDRESS"], clock: system.clock)
        switch await lookUp.adapters() {
        case .success(let adapters): facts.adapters = adapters
        case .failure(let reason): facts.failure = reason.failure
        }
        facts.version = await version.flatMap(Self.version)
        return facts
    }

    private static func adapter(_ source: GatewayConfiguration.Component) -> String? {
        guard case .object(let fields) = source.settings.value,
            case .string(let name)? = fields["adapter"]
        else { return nil }
        return name
    }

    private var hasKernelAdapter: Bool {
        let names = (try? Folder.names(in: system.path("/sys/class/bluetooth"))) ?? []
        // A connection is listed as `hci0:64`.
        return names.contains { $0.hasPrefix("hci") && !$0.contains(":") }
    }

    /// The version in the output `5.66`.
    private static func version(_ output: String) -> String? {
        let word = output.split(whereSeparator: \.isWhitespace).last
        return word.flatMap { $0.allSatisfy { $0.isNumber || $0 == "." } ? String($0) : nil }
    }
}

extension Optional where Wrapped: Sendable {
    /// The result of an asynchronous function of the value.
    fileprivate func flatMapAsync<Value>(
        _ body: (Wrapped) async -> Value?
    ) async -> Value? {
        if let self { await body(self) } else { nil }
    }
}
