/// Something that keeps data away, or that may do so later, with its fix.
package struct Finding: Equatable, Sendable {
    /// How bad a finding is.
    package enum Severity: String, Sendable {
        /// Data does not flow, or only a part of it.
        case problem
        /// Data flows; something should be changed nevertheless.
        case advice
    }

    /// What was found; the raw value is stable.
    package let kind: Kind
    /// How bad it is.
    package let severity: Severity
    /// The device, port, file, source, sink or unit that has it; nil for the machine as a whole.
    package let subject: String?
    /// One sentence without its fix.
    package let text: String
    /// What to do.
    package var fix: Fix

    /// Makes a finding; its severity is that of its kind unless it is given.
    package init(
        _ kind: Kind, _ text: String, subject: String? = nil, severity: Severity? = nil, fix: Fix
    ) {
        self.kind = kind
        self.severity = severity ?? kind.severity
        self.subject = subject
        self.text = text
        self.fix = fix
    }
}

extension Finding {
    /// The kinds of findings, in the order in which they are printed.
    package enum Kind: String, CaseIterable, Sendable {
        case configurationInvalid = "configuration-invalid"
        case nothingToRead = "nothing-to-read"
        case deviceUnread = "device-unread"
        case sourceUnusable = "source-unusable"
        case sinkUnusable = "sink-unusable"
        case dataDirectoryUnusable = "data-directory-unusable"
        case storeDamaged = "store-damaged"
        case journalDamaged = "journal-damaged"
        case journalFailing = "journal-failing"
        case diskFull = "disk-full"
        case diskLow = "disk-low"
        case diskSlow = "disk-slow"
        case serviceFailed = "service-failed"
        case serviceRestarting = "service-restarting"
        case serviceStopped = "service-stopped"
        case serviceDisabled = "service-disabled"
        case otherGateway = "other-gateway"
        case gatewaySilent = "gateway-silent"
        case gatewayNotRunning = "gateway-not-running"
        case notInGroup = "not-in-group"
        case otherDataDirectory = "other-data-directory"
        case dataOfAnotherUser = "data-of-another-user"
        case systemBusMissing = "system-bus-missing"
        case systemBusSilent = "system-bus-silent"
        case busAccessDenied = "bus-access-denied"
        case bluetoothdNotInstalled = "bluetoothd-not-installed"
        case bluetoothdNotRunning = "bluetoothd-not-running"
        case bluetoothdFailing = "bluetoothd-failing"
        case bluetoothdOld = "bluetoothd-old"
        case adapterMissing = "adapter-missing"
        case adapterSwitchedOff = "adapter-switched-off"
        case adapterBlocked = "adapter-blocked"
        case adapterOff = "adapter-off"
        case adapterFull = "adapter-full"
        case pairingLost = "pairing-lost"
        case pairingNeeded = "pairing-needed"
        case deviceQuarantined = "device-quarantined"
        case deviceNotConnected = "device-not-connected"
        case deviceNotSeen = "device-not-seen"
        case portMissing = "port-missing"
        case portDenied = "port-denied"
        case groupNotActive = "group-not-active"
        case portBusy = "port-busy"
        case portUnusable = "port-unusable"
        case udevRulesMissing = "udev-rules-missing"
        case sourceFailing = "source-failing"
        case sinkFailing = "sink-failing"
        case repositoryUnreachable = "repository-unreachable"
        case repositoryRejecting = "repository-rejecting"
        case interfaceFailing = "interface-failing"
        case clockUnset = "clock-unset"
        case clockUnsynchronized = "clock-unsynchronized"
        case dataDirectoryOpen = "data-directory-open"
        case secretsOpen = "secrets-open"
        case configurationOpen = "configuration-open"

        /// How bad a finding of this kind is unless it says otherwise.
        package var severity: Severity {
            switch self {
            case .diskLow, .diskSlow, .serviceDisabled, .gatewayNotRunning, .notInGroup,
                .otherDataDirectory, .dataOfAnotherUser, .bluetoothdOld, .deviceNotConnected,
                .deviceNotSeen, .udevRulesMissing, .clockUnsynchronized, .dataDirectoryOpen,
                .secretsOpen, .configurationOpen, .journalDamaged:
                .advice
            default: .problem
            }
        }
    }
}
