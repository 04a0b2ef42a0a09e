package import Glibc

/// How the user of a process joins a group that may use a device.
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

    /// The command that adds the user to a group, and what makes it effective; nil for the user of a service that
    /// is in no list, which only systemd can put into a group.
    package func command(joining group: String) -> String? {
        guard user != nil || unit == nil else { return nil }
        let word = user.map(ShellWord.quoted) ?? "$USER"
        let next =
            switch unit {
            case .system(let name)?: "sudo systemctl restart \(ShellWord.quoted(name))"
            case .user(let number)?: "sudo systemctl restart user@\(number)"
            case nil: "log in again"
            }
        return "sudo usermod -aG \(ShellWord.quoted(group)) \(word), then \(next)"
    }

    /// What lets a service use a kind of device that its unit does not allow (`DevicePolicy=`); nil outside of a
    /// service of the system.
    package func rule(allowing device: dev_t) -> String? {
        guard case .system(let name)? = unit else { return nil }
        let numbers = UInt64(device)
        // As makedev(3) puts them together.
        let major = (numbers >> 8 & 0xFFF) | (numbers >> 32 & ~0xFFF)
        return "run sudo systemctl edit \(ShellWord.quoted(name)), then add "
            + "DeviceAllow=char-\(major) rw below [Service] and restart the service"
    }
}
