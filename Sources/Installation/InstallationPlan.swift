import HostFiles
import Platform

/// The steps of an installation and of its removal.
package struct InstallationPlan: Sendable {
    static let unit = "pulsegate.service"
    /// The configuration of the system service.
    static let systemConfiguration = "/etc/pulsegate/pulsegate.json5"
    /// The data directory of the system service.
    static let systemData = DataDirectory.ofService

    package let scope: InstallationScope
    /// The absolute path of the program.
    package let program: String
    /// The folders of the user.
    let folders: UserFolders
    /// Whether udev is there to read the rules of serial ports.
    let hasUdev: Bool

    /// The folders of a user's files.
    package struct UserFolders: Equatable, Sendable {
        /// `~/.config`, or what replaces it.
        package let configuration: String
        /// The data directory.
        package let data: String

        /// Makes the folders.
        package init(configuration: String, data: String) {
            self.configuration = configuration
            self.data = data
        }
    }

    /// Makes the plan of a service that runs a program.
    package init(
        _ scope: InstallationScope, program: String, folders: UserFolders, hasUdev: Bool
    ) {
        self.scope = scope
        self.program = program
        self.folders = folders
        self.hasUdev = hasUdev
    }

    /// The steps of an installation.
    package var installation: [InstallationStep] {
        switch scope {
        case .system:
            [.write(users), .run(["systemd-sysusers", users.path])]
                + [.write(permissions), .write(configuration)]
                + [.run(["systemd-tmpfiles", "--create", permissions.path])]
                + [.write(portRules)] + udevSteps + unitSteps
                + [.note(nextSteps)]
        case .user:
            [.write(configuration)] + unitSteps
                + [.note(nextSteps), .note(Self.lingerNote)]
        }
    }

    /// The steps of a removal; configuration, data, user and group stay.
    package var removal: [InstallationStep] {
        var steps: [InstallationStep] = [
            .run(systemctl + ["disable", "--now", Self.unit]), .remove(unitFile),
            .run(systemctl + ["daemon-reload"]),
        ]
        if scope == .system {
            steps += [.remove(portRules)] + udevSteps + [.remove(permissions), .remove(users)]
        }
        return steps + [.note(keptNote)]
    }

    private var unitSteps: [InstallationStep] {
        [
            .write(unitFile), .run(systemctl + ["daemon-reload"]),
            .run(systemctl + ["enable", Self.unit]),
            .start(unit: Self.unit, isUser: scope == .user),
        ]
    }

    private var udevSteps: [InstallationStep] {
        guard hasUdev else { return [] }
        return [
            .run(["udevadm", "control", "--reload"]),
            .run(["udevadm", "trigger", "--subsystem-match=tty"]),
        ]
    }

    private var systemctl: [String] {
        scope == .user ? ["systemctl", "--user"] : ["systemctl"]
    }
}

extension InstallationPlan {
    /// The unit of the service.
    package var unitFile: InstallationFile {
        switch scope {
        case .system:
            InstallationFile(
                path: "/etc/systemd/system/\(Self.unit)",
                content: InstallationFiles.unit(InstallationFiles.systemUnit, running: program))
        case .user:
            InstallationFile(
                path: "\(folders.configuration)/systemd/user/\(Self.unit)",
                content: InstallationFiles.unit(InstallationFiles.userUnit, running: program))
        }
    }

    private var users: InstallationFile {
        InstallationFile(
            path: "/etc/sysusers.d/pulsegate.conf", content: InstallationFiles.users)
    }

    private var permissions: InstallationFile {
        InstallationFile(
            path: "/etc/tmpfiles.d/pulsegate.conf", content: InstallationFiles.permissions)
    }

    private var portRules: InstallationFile {
        InstallationFile(
            path: "/etc/udev/rules.d/70-pulsegate.rules", content: InstallationFiles.portRules,
            owner: .person)
    }

    /// The example of a configuration.
    package var configuration: InstallationFile {
        switch scope {
        case .system:
            InstallationFile(
                path: Self.systemConfiguration, content: InstallationFiles.systemExample,
                mode: 0o640, owner: .person)
        case .user:
            InstallationFile(
                path: "\(folders.configuration)/pulsegate/pulsegate.json5",
                content: InstallationFiles.example, mode: 0o600, owner: .person)
        }
    }

    private var nextSteps: String {
        let command = scope == .system ? "sudo pulsegate" : "pulsegate"
        return "next, adopt a device: \(command) devices, then \(command) adopt ADDRESS|PORT"
    }
    private static let lingerNote =
        "it ends when you log out; to let it run always: loginctl enable-linger"

    private var keptNote: String {
        switch scope {
        case .system:
            "kept: the data in \(Self.systemData), the configuration in /etc/pulsegate, the user and the "
                + "group pulsegate; to remove them with all samples: sudo rm -r \(Self.systemData) "
                + "/etc/pulsegate && sudo userdel pulsegate"
        case .user:
            "kept: the data in \(folders.data) and the configuration in "
                + "\(folders.configuration)/pulsegate; to remove them with all samples: rm -r "
                + "\(ShellWord.quoted(folders.data)) "
                + ShellWord.quoted("\(folders.configuration)/pulsegate")
        }
    }
}
