package import XML

/// The reason why an export of Apple Health was not read, or not to its end.
///
/// No message contains data of the file, except the names of its root element and its encoding.
package enum AppleHealthError: Error, Equatable, CustomStringConvertible {
    /// The file is no export of Apple Health.
    case foreign(ForeignExport)
    /// The XML of the file is not supported, or corrupt.
    case xml(XMLError)

    /// The message, as a sentence about the file.
    package var description: String {
        switch self {
        case .foreign(let file): "the file \(file.problem); \(file.advice)"
        case .xml(let error): "the file \(error); \(Self.advice(for: error))"
        }
    }

    private static func advice(for error: XMLError) -> String {
        switch error {
        case .encoding: "convert the file and its XML declaration to UTF-8"
        case .notXML, .corrupt, .unsupported, .declarations:
            "unpack or export it again, and import it again: what is in the store is not doubled"
        }
    }
}

/// A file that is not an export of Apple Health, recognised by its start.
package struct ForeignExport: Hashable, Sendable {
    /// What the file is, as the predicate of a sentence.
    package let problem: String
    /// What to do.
    package let advice: String

    static let empty = ForeignExport(problem: "is empty", advice: "copy it from its source again")
    static let zip = ForeignExport(
        problem: "is a ZIP archive",
        advice: "unpack it with `unzip FILE` and import `apple_health_export/export.xml`")
    static let gzip = ForeignExport(
        problem: "is compressed with gzip", advice: "decompress it with `gunzip` and import it")
    static let other = ForeignExport(
        problem: "is not in a format that is imported",
        advice:
            "import the export.xml of the Health app, records as ndjson, samples as CSV with the "
            + "columns type, start and value, or a workout in FIT or TCX")

    /// The file that starts with these bytes, which are not XML.
    init(_ bytes: [UInt8]) {
        self =
            if bytes.isEmpty {
                .empty
            } else if bytes.starts(with: "PK".utf8) {
                .zip
            } else if bytes.starts(with: [0x1F, 0x8B]) {
                .gzip
            } else {
                .other
            }
    }

    private init(problem: String, advice: String) {
        self.problem = problem
        self.advice = advice
    }

    /// The file of an XML root element that is not `HealthData`.
    static func ofXML(root: String) -> ForeignExport {
        switch root {
        case "ClinicalDocument":
            ForeignExport(
                problem: "is the clinical document of an export",
                advice: "import the export.xml beside it")
        default: other
        }
    }
}
