package import HealthModel
import Platform

/// The texts that a record may have which does not come from a sensor that is read now.
///
/// A control character in a name, such as of a line break or an escape sequence, would be taken for
/// the end of a line or for a command by a program or terminal that shows it.
package enum RecordText {
    /// The reason why a record is rejected; nil when no text has a control character.
    ///
    /// Line breaks and tabs are accepted in metadata.
    package static func problem(of record: Record) -> String? {
        if case .correlation(let correlation) = record {
            for member in correlation.samples {
                if let problem = problem(of: member.record) { return problem }
            }
        }
        let device = record.device
        let names: KeyValuePairs<String, String?> = [
            "device.name": device?.name, "device.manufacturer": device?.manufacturer,
            "device.model": device?.model, "device.hardwareVersion": device?.hardwareVersion,
            "device.firmwareVersion": device?.firmwareVersion,
            "device.softwareVersion": device?.softwareVersion,
            "device.localIdentifier": device?.localIdentifier, "device.serial": device?.serial,
            "source.name": record.source?.name, "source.version": record.source?.version,
            "reason": record.reason,
        ]
        if let name = names.first(where: { $0.value?.hasControlCharacters ?? false }) {
            return "has a control character in \(name.key); remove it"
        }
        let isWrong = record.metadata.contains {
            $0.key.hasControlCharacters || hasControlCharacters($0.value)
        }
        return isWrong ? "has a control character in metadata; remove it" : nil
    }

    private static func hasControlCharacters(_ value: MetadataValue) -> Bool {
        guard case .string(let text) = value else { return false }
        return text.filter { $0 != "\n" && $0 != "\r\n" && $0 != "\t" }.hasControlCharacters
    }
}

extension RecordCheck {
    /// The reason why a record of a file is rejected, which may be that of its texts; nil when it is accepted.
    package func problem(withTextsOf record: Record) -> String? {
        RecordText.problem(of: record) ?? problem(of: record).map { "\($0)" }
    }
}

extension Record {
    fileprivate var reason: String? {
        guard case .event(let event) = self else { return nil }
        return event.reason
    }

    fileprivate var metadata: Metadata {
        switch self {
        case .sample(let sample): sample.metadata
        case .category(let sample): sample.metadata
        case .correlation(let correlation): correlation.metadata
        case .workout(let workout): workout.metadata
        case .event, .deletion: Metadata()
        }
    }
}
