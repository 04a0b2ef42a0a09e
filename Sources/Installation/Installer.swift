package import HostFiles

/// Performs the steps of a plan, or only shows them.
package struct Installer {
    private let plan: InstallationPlan
    private let system: InstallationSystem
    private let isDryRun: Bool
    private let show: (String) throws(HostError) -> Void
    /// Whether a file was changed, so that a running service must be restarted.
    private var hasChanged = false

    /// Makes an installer; `show` prints a line.
    package init(
        _ plan: InstallationPlan, on system: InstallationSystem, isDryRun: Bool,
        show: @escaping (String) throws(HostError) -> Void
    ) {
        self.plan = plan
        self.system = system
        self.isDryRun = isDryRun
        self.show = show
    }

    /// Installs the service and starts it.
    ///
    /// - Throws: ``HostError`` with the remedy; what was done before stays, and another call continues.
    package mutating func install() throws(HostError) {
        try InstallationChecks(plan: plan, system: system, isDryRun: isDryRun).checkInstallation()
        for step in plan.installation { try perform(step) }
        try end()
    }

    /// Stops and removes the service.
    package mutating func uninstall() throws(HostError) {
        try InstallationChecks(plan: plan, system: system, isDryRun: isDryRun).checkRemoval()
        let isInstalled = system.exists(plan.unitFile.path)
        for step in plan.removal {
            // Without its unit there is nothing to stop.
            if case .run = step, !isInstalled { continue }
            try perform(step)
        }
        try end()
    }

    private func end() throws(HostError) {
        if isDryRun { try show("dry run: nothing was changed") }
    }

    private mutating func perform(_ step: InstallationStep) throws(HostError) {
        switch step {
        case .write(let file): try write(file)
        case .remove(let file): try remove(file)
        case .run(let words): try run(words)
        case .start(let unit, let isUser):
            let verb = hasChanged ? "restart" : "start"
            try run(["systemctl"] + (isUser ? ["--user"] : []) + [verb, unit])
        case .note(let text): try show(text)
        }
    }

    private mutating func write(_ file: InstallationFile) throws(HostError) {
        let before = try system.text(of: file.path)
        guard before != file.content else { return try show("unchanged: \(file.path)") }
        if before != nil, file.owner == .person {
            return try show("kept: \(file.path), which differs from that of this version")
        }
        try show("\(before == nil ? "create" : "replace"): \(file.path)")
        hasChanged = true
        if !isDryRun { try system.write(file) }
    }

    private func remove(_ file: InstallationFile) throws(HostError) {
        guard let before = try system.text(of: file.path) else {
            return try show("absent: \(file.path)")
        }
        if before != file.content, file.owner == .person {
            return try show("kept: \(file.path), which was changed")
        }
        try show("remove: \(file.path)")
        if !isDryRun { try system.remove(file.path) }
    }

    private func run(_ words: [String]) throws(HostError) {
        let text = words.joined(separator: " ")
        try show("run: \(text)")
        guard !isDryRun else { return }
        let status = try system.run(words)
        guard status == 0 else {
            throw HostError(
                .failure,
                "`\(text)` failed with status \(status); fix that, and run this command again")
        }
    }
}
