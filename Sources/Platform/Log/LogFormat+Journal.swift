extension LogFormat {
    /// The socket at which systemd-journald takes entries with fields.
    package static let journalSocket = "/run/systemd/journal/socket"

    /// The prefix of the fields of this program in the journal.
    private static let fieldPrefix = "PULSEGATE_"
    /// The maximum length of the name of a field (systemd.journal-fields(7)).
    private static let maximumNameLength = 64

    /// An entry of systemd-journald with its fields, a line for each.
    ///
    /// A component becomes the field `PULSEGATE_COMPONENT`, a detail `device` becomes `PULSEGATE_DEVICE`.
    package static func journalEntry(_ record: Logger.Record) -> String {
        var lines = [
            "MESSAGE=\(escaped(body(of: record)))", "PRIORITY=\(record.level.rawValue)",
            "SYSLOG_IDENTIFIER=pulsegate",
            "\(fieldPrefix)COMPONENT=\(escaped(record.component))",
            "\(fieldPrefix)EVENT=\(escaped(record.message))",
        ]
        lines += record.fields.map { field in
            // Escaped, a value has no line break, which would begin another field.
            "\(fieldName(field.key))=\(escaped(cut(field.value)))"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A name of capital letters, digits and underscores.
    private static func fieldName(_ key: String) -> String {
        let name = key.uppercased().map { character in
            character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
        }
        return String((fieldPrefix + String(name)).prefix(maximumNameLength))
    }
}
