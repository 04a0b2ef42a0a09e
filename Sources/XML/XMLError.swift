/// The reason why XML was not read.
///
/// No message contains data of the file, except the name of an encoding.
package enum XMLError: Error, Equatable, CustomStringConvertible {
    /// The bytes do not start like XML.
    case notXML
    /// The file is not well-formed.
    case corrupt(String)
    /// The file exceeds a limit of the reader; of what, and in which line.
    case unsupported(String, line: Int?)
    /// The encoding is not supported.
    case encoding(String)
    /// The DOCTYPE contains declarations.
    case declarations

    /// The message, as the predicate of a sentence about the file.
    package var description: String {
        switch self {
        case .notXML: "is not XML"
        case .corrupt(let what): "is corrupt: \(what)"
        case .unsupported(let what, let line):
            "has \(what), which are not supported\(line.map { ", in line \($0)" } ?? "")"
        case .encoding(let name): "has the encoding \(name), which is not supported"
        case .declarations: "has a DOCTYPE with declarations, which are not supported"
        }
    }
}
