package import Glibc
package import Platform

/// How the user of a process gets access to a device: by a group, or by the unit of its service.
package struct GroupMembership: Sendable {
    /// The name of the user; nil when it has no entry in the list of the machine.
    let user: String?
    let unit: ServiceUnit?

    /// Describes the user of a process and the service that it is, if it is one.
    package init(user: String?, unit: ServiceUnit?) {
        self.user = user
        self.unit = unit
    }

    /// That of this process.
    package static var current: GroupMembership {
        GroupMembership(user: AccountNames.localUser(geteuid()), unit: .current)
    }

    /// How the user joins a group, and what makes it effective.
    package func remedy(joining group: String) -> Remedy {
        let what = "add the user to group \(group)"
        guard let user else {
            guard case .system(let name)? = unit else { return Remedy(what, then: "log in again") }
            // systemd makes the user when it starts the service.
            return edit(name, what, adding: "SupplementaryGroups=\(group)")
        }
        let join = ["sudo", "usermod", "-aG", group, user]
        return switch unit {
        case .system(let name)?:
            Remedy(what, run: join, ["sudo", "systemctl", "restart", name])
        case .user(let number)?:
            Remedy(what, run: join, ["sudo", "systemctl", "restart", "user@\(number)"])
        case nil: Remedy(what, run: join, then: "log in again")
        }
    }

    /// What lets a service use a kind of device that its unit does not allow (`DevicePolicy=`); nil outside of a
    /// service of the system.
    package func remedy(allowing device: dev_t) -> Remedy? {
        guard case .system(let name)? = unit else { return nil }
        let numbers = UInt64(device)
        // As makedev(3) puts them together.
        let major = (numbers >> 8 & 0xFFF) | (numbers >> 32 & ~0xFFF)
        return edit(
            name, "allow the port in the unit", adding: "DeviceAllow=char-\(major) rw")
    }

    private func edit(_ unit: String, _ what: String, adding line: String) -> Remedy {
        Remedy(
            what, run: ["sudo", "systemctl", "edit", unit],
            then: "add \(line) below [Service] and restart the service")
    }
}
