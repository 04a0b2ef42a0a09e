package import Glibc

/// The unit of systemd that runs this process as a service (systemd.exec(5), cgroups(7)).
package enum ServiceUnit: Equatable, Sendable {
    /// A unit of the system, such as `pulsegate`.
    case system(String)
    /// A unit of the user with this number.
    case user(UInt32)

    /// Finds the unit by the control group; nil for a process that systemd has not started itself.
    ///
    /// - Parameters:
    ///   - environment: The variables of the process: those of a service are inherited by what it starts.
    ///   - groups: The text of `/proc/self/cgroup`.
    package init?(_ environment: Environment, processID: pid_t, groups: String) {
        guard
            environment["SYSTEMD_EXEC_PID"] == "\(processID)" || environment["NOTIFY_SOCKET"] != nil
        else { return nil }
        for line in groups.split(separator: "\n") {
            let suffix = ".service"
            let parts = line.split(separator: "/").filter { $0.hasSuffix(suffix) }
                .map { $0.dropLast(suffix.count) }
            guard let unit = parts.last else { continue }
            let managers = parts.dropLast().compactMap { part -> UInt32? in
                part.hasPrefix("user@") ? UInt32(part.dropFirst("user@".count)) : nil
            }
            self = managers.last.map(Self.user) ?? .system(String(unit))
            return
        }
        return nil
    }

    /// The unit of this process.
    package static var current: ServiceUnit? {
        guard let file = fopen("/proc/self/cgroup", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = fread(&bytes, 1, bytes.count, file)
        return ServiceUnit(
            .process, processID: getpid(),
            groups: String(decoding: bytes.prefix(count), as: UTF8.self))
    }
}
