/// A file that is neither FIT nor TCX, recognised by its first bytes.
package struct ForeignFile: Hashable, Sendable {
    /// What the file is, as the predicate of a sentence.
    package let problem: String
    /// What to do.
    package let advice: String

    private static let export = "export the workout as FIT or TCX"

    static let empty = ForeignFile(problem: "is empty", advice: "copy it from its source again")
    static let gpx = ForeignFile(
        problem: "is GPX, a list of positions, which are not imported", advice: export)
    static let webPage = ForeignFile(
        problem: "is a web page", advice: "download the workout in a browser, after signing in")
    static let xml = ForeignFile(problem: "is XML, but not TCX", advice: export)
    static let json = ForeignFile(problem: "is JSON, which is not imported", advice: export)
    static let text = ForeignFile(
        problem: "is text, such as CSV, which is not imported", advice: export)
    static let unknown = ForeignFile(
        problem: "has an unknown format, or is encrypted", advice: export)
    static let encryptedZIP = ForeignFile(
        problem: "is an encrypted ZIP archive",
        advice: "extract it with its password and import a FIT or TCX file from it")

    /// The file of an XML root element that is not TCX.
    static func ofXML(root: String) -> ForeignFile {
        switch root.lowercased() {
        case "gpx": gpx
        case "html": webPage
        default: xml
        }
    }

    /// The first bytes of formats, most of which are not text.
    private static let signatures: [(place: Int, bytes: [UInt8], file: ForeignFile)] = [
        (0, [0x1F, 0x8B], compressed("gzip", "gunzip")),
        (0, Array("BZh".utf8), compressed("bzip2", "bunzip2")),
        (0, [0xFD] + Array("7zXZ".utf8), compressed("xz", "unxz")),
        (0, [0x28, 0xB5, 0x2F, 0xFD], compressed("zstd", "unzstd")),
        (0, Array("PK".utf8) + [3, 4], archive("ZIP", "unzip")),
        (0, Array("7z".utf8) + [0xBC, 0xAF], archive("7z", "7z x")),
        (0, Array("Rar!".utf8), archive("RAR", "unrar x")),
        (257, Array("ustar".utf8), archive("tar", "tar xf")),
        (0, Array("-----BEGIN PGP MESSAGE".utf8), encrypted("PGP")),
        (0, Array("age-encryption.org/".utf8), encrypted("age")),
        (0, Array("Salted__".utf8), encrypted("OpenSSL")),
        (
            0, [0x00, 0x05, 0x16, 0x07],
            ForeignFile(
                problem: "has only the attributes that macOS keeps beside a file",
                advice: "import the file whose name is the same without `._`")
        ),
    ]

    private static func compressed(_ name: String, _ command: String) -> ForeignFile {
        ForeignFile(
            problem: "is compressed with \(name)",
            advice: "decompress it with `\(command)` and import the result")
    }

    private static func archive(_ name: String, _ command: String) -> ForeignFile {
        ForeignFile(
            problem: "is a \(name) archive",
            advice: "extract it with `\(command)` and import a FIT or TCX file from it")
    }

    private static func encrypted(_ name: String) -> ForeignFile {
        ForeignFile(
            problem: "is encrypted with \(name)", advice: "decrypt it and import the result")
    }
}

extension ForeignFile {
    /// The length of the text that is examined, in bytes.
    private static let textSize = 1_024
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// What a file is that is neither FIT nor TCX.
    init(_ bytes: [UInt8]) {
        if bytes.isEmpty {
            self = .empty
        } else if let known = Self.signatures.first(where: { signature in
            bytes.dropFirst(signature.place).starts(with: signature.bytes)
        }) {
            let isZIP = bytes.starts(with: "PK".utf8)
            // The flags of the first file (PKWARE, APPNOTE.TXT, 4.4.4).
            let isEncrypted = isZIP && bytes.count > 6 && bytes[6] & 1 != 0
            self = isEncrypted ? .encryptedZIP : known.file
        } else if Self.isWebPage(bytes) {
            self = .webPage
        } else {
            self = Self.text(bytes) ?? .unknown
        }
    }

    /// Whether bytes start like HTML, which need not be XML.
    static func isWebPage(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: markup(bytes), as: UTF8.self).lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
    }

    private static func text(_ bytes: [UInt8]) -> ForeignFile? {
        let start = markup(bytes)
        if let first = start.first, "{[".utf8.contains(first), isText(start) { return json }
        return isText(bytes.prefix(textSize)) ? text : nil
    }

    /// The first bytes after a byte-order mark and white space.
    private static func markup(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let start = bytes.prefix(textSize)
        let text = start.starts(with: byteOrderMark) ? start.dropFirst(3) : start
        return text.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
    }

    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let isPrintable = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 }
        // The last character may be cut.
        let characters = String(decoding: bytes, as: UTF8.self).unicodeScalars.dropLast(3)
        return isPrintable && !characters.contains("\u{FFFD}")
    }
}
