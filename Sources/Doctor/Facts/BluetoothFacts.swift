import Bluetooth
package import GatewayCore
package import Platform

/// bluetoothd and the adapters of the machine.
package struct BluetoothFacts: Area {
    /// An adapter that bluetoothd has.
    package struct Adapter: Equatable, Sendable {
        package var name: String
        package var isPowered: Bool
    }

    /// Why there is nothing to know of bluetoothd.
    package enum Failure: Equatable, Sendable {
        /// The system bus cannot be used.
        case bus(LinkError)
        /// The system bus takes a connection, and does not answer.
        case silentBus
        /// bluetoothd cannot be used.
        case daemon(LinkError)
    }

    /// The oldest version of bluetoothd with which Pulsegate is tested.
    package static let testedVersion = "5.66"

    /// Whether a source needs it; otherwise nothing of it is a problem.
    package var isNeeded = true
    package var failure: Failure?
    package var adapters: [Adapter] = []
    /// The adapters that a source must have.
    package var requiredAdapters: [String] = []
    /// Whether the kernel has an adapter; nil when that is not known.
    package var hasKernelAdapter: Bool?
    package var block: RadioBlock?
    /// Whether the program of bluetoothd is there.
    package var isInstalled = true
    /// Its version: `5.66`.
    package var version: String?

    private var severity: Finding.Severity? { isNeeded ? nil : .advice }

    var findings: [Finding] { daemonFindings + versionFindings + adapterFindings }

    private func finding(_ kind: Finding.Kind, _ error: LinkError, subject: String? = nil)
        -> Finding
    {
        Finding(
            kind, error.problem, subject: subject, severity: severity,
            fix: Fix(error, otherwise: Fix(command: "sudo systemctl restart bluetooth")))
    }

    private var daemonFindings: [Finding] {
        if failure != nil, !isInstalled {
            return [
                Finding(
                    .bluetoothdNotInstalled, "bluetoothd is not installed", severity: severity,
                    fix: Fix(command: "sudo apt-get install bluez"))
            ]
        }
        switch failure {
        case .bus(let error): return [finding(.systemBusMissing, error)]
        case .silentBus:
            return [
                Finding(
                    .systemBusSilent, "the system bus does not answer", severity: severity,
                    fix: Fix(
                        command: "sudo systemctl status dbus",
                        note: "if it does not answer either, restart the machine"))
            ]
        case .daemon(BlueZProblem.notRunning):
            var found = finding(.bluetoothdNotRunning, BlueZProblem.notRunning)
            // Debian's unit has the condition that there is an adapter.
            if hasKernelAdapter == false, let command = found.fix.command {
                found.fix = Fix(command: command, note: "has no effect without an adapter")
            }
            return [found]
        case .daemon(BlueZProblem.accessDenied):
            return [finding(.busAccessDenied, BlueZProblem.accessDenied)]
        case .daemon(let error): return [finding(.bluetoothdFailing, error)]
        case nil: return []
        }
    }

    private var versionFindings: [Finding] {
        guard let version, let own = Self.numbers(version),
            let tested = Self.numbers(Self.testedVersion), own.lexicographicallyPrecedes(tested)
        else { return [] }
        return [
            Finding(
                .bluetoothdOld,
                "bluetoothd \(version) is older than \(Self.testedVersion), the oldest version "
                    + "that Pulsegate is tested with",
                fix: Fix(command: "sudo apt-get install --only-upgrade bluez"))
        ]
    }

    private static func numbers(_ version: String) -> [Int]? {
        let parts = version.split(separator: ".").map { Int($0) }
        return parts.contains(nil) ? nil : parts.compactMap(\.self)
    }

    private var adapterFindings: [Finding] {
        if failure != nil {
            guard hasKernelAdapter == false else { return [] }
            return [
                finding(
                    .adapterMissing, CentralProblem.noAdapter(named: nil).error(radioBlock: nil))
            ]
        }
        let missing = requiredAdapters.filter { name in !adapters.contains { $0.name == name } }
        guard missing.isEmpty, !adapters.isEmpty else {
            let names: [String?] = missing.isEmpty ? [nil] : missing
            return names.map { name in
                finding(
                    .adapterMissing, CentralProblem.noAdapter(named: name).error(radioBlock: nil),
                    subject: name)
            }
        }
        let used = adapters.filter {
            requiredAdapters.isEmpty || requiredAdapters.contains($0.name)
        }
        guard !used.contains(where: \.isPowered), let first = used.first else { return [] }
        let kind: Finding.Kind =
            switch block {
            case .bySwitch: .adapterSwitchedOff
            case .bySoftware: .adapterBlocked
            case nil: .adapterOff
            }
        let error = CentralProblem.adapterOff(first.name).error(radioBlock: block)
        return [finding(kind, error, subject: first.name)]
    }

    var well: [String] {
        guard failure == nil, adapterFindings.isEmpty else { return [] }
        let names = adapters.filter(\.isPowered).map(\.name).joined(separator: ", ")
        return ["Bluetooth: bluetoothd\(version.map { " \($0)" } ?? "") runs, \(names) is on"]
    }
}
