import Glibc
import HostFiles
import Platform

/// The conditions of an installation, checked before anything is changed.
struct InstallationChecks {
    /// The folders that the sandbox of the system service hides.
    private static let hiddenFolders = ["/home", "/root", "/run/user", "/tmp", "/var/tmp"]
    /// The folders of the units of packages.
    private static let packageFolders = ["/usr/lib/systemd/system", "/lib/systemd/system"]

    let plan: InstallationPlan
    let system: InstallationSystem
    /// Whether nothing is changed, which needs neither root nor systemd.
    let isDryRun: Bool

    /// Checks that the service can be installed.
    func checkInstallation() throws(HostError) {
        if plan.scope == .system {
            try checkPackage("start it: `sudo systemctl enable --now pulsegate`")
        }
        try checkUser("install")
        if plan.scope == .system { try checkProgram() }
        try checkSystemd()
    }

    /// Checks that the service can be removed.
    func checkRemoval() throws(HostError) {
        if plan.scope == .system, !system.exists(plan.unitFile.path) {
            try checkPackage("remove that: `sudo apt-get remove pulsegate`")
        }
        try checkUser("uninstall")
        try checkSystemd()
    }

    private func checkPackage(_ remedy: String) throws(HostError) {
        let folder = Self.packageFolders.first { system.exists("\($0)/\(InstallationPlan.unit)") }
        guard let folder else { return }
        throw HostError(
            .failure,
            "the service belongs to a package: \(folder)/\(InstallationPlan.unit); \(remedy)")
    }

    private func checkUser(_ verb: String) throws(HostError) {
        guard !isDryRun else { return }
        switch plan.scope {
        case .system:
            guard system.userID != 0 else { return }
            throw HostError(
                .failure,
                "only root can \(verb) the system service; run: "
                    + "sudo \(ShellWord.quoted(plan.program)) \(verb) --system")
        case .user:
            guard system.userID == 0 else { return }
            throw HostError(
                .failure,
                "\(verb) --user is for the user whose service it is, not for root; run it without "
                    + "sudo, or use --system")
        }
    }

    private func checkSystemd() throws(HostError) {
        guard !isDryRun, !system.hasSystemd else { return }
        throw HostError(
            .failure,
            "systemd does not run on this machine; run `pulsegate run` in another way, or see the "
                + "files with --dry-run")
    }

    /// Checks that the user of the service can execute the program.
    private func checkProgram() throws(HostError) {
        let program = plan.program
        guard let reason = obstacle(of: program) else { return }
        throw HostError(
            .failure,
            "the service cannot execute \(program): \(reason); run: "
                + "sudo install \(ShellWord.quoted(program)) /usr/local/bin/ && sudo /usr/local/bin/pulsegate install --system"
        )
    }

    private func obstacle(of program: String) -> String? {
        if let hidden = Self.hiddenFolders.first(where: { program.hasPrefix("\($0)/") }) {
            return "its sandbox hides \(hidden)"
        }
        var path = ""
        for part in program.split(separator: "/") {
            path += "/\(part)"
            var status = stat()
            guard stat(system.place(path), &status) == 0 else { return "\(path) does not exist" }
            guard status.st_mode & S_IXOTH != 0 else { return "\(path) is not for all users" }
        }
        return nil
    }
}
