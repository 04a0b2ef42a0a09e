import Glibc
public import JSON
import Platform

/// Where something is kept that nobody may read, like a token; the configuration never holds it itself.
///
/// It is one of `{ file: "repo.token" }` (in the data directory, or absolute; only its owner may read it),
/// `{ env: "REPO_TOKEN" }`, and `{ credential: "repo.token" }` (of systemd, see systemd.exec(5),
/// "CREDENTIALS").
public struct Secret: Hashable, Sendable, CustomStringConvertible {
    /// What was read; it does not show itself, in no log and in no debugger.
    public struct Value: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
        CustomReflectable
    {
        /// The secret itself: for whom it is meant, and for nobody else.
        public let text: String

        init(_ text: String) { self.text = text }

        /// Nothing about it.
        public var description: String { "(a secret)" }
        /// Nothing about it.
        public var debugDescription: String { description }
        /// Nothing about it.
        public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    }

    private enum Place: Hashable, Sendable {
        case file(String)
        case variable(String, Value?)
        case credential(String, folder: String?)
    }

    /// A longer one, in bytes, is refused.
    public static let lengthLimit = 4_096
    private static let nameLimit = 255
    private static let keys = ["file", "env", "credential"]

    private let path: String
    private let place: Place

    /// Reads where the secret is kept; it is not looked at yet.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of what is wrong, and never a value that could
    ///   be the secret.
    public init(
        _ node: ConfigurationNode, _ context: ComponentContext
    ) throws(ConfigurationError) {
        if case .string = node.value {
            throw node.error(
                "a secret does not belong into the configuration; write it to a file that only its "
                    + "owner can read and say { file: \"…\" }, or use { env: \"NAME\" } or "
                    + "{ credential: \"NAME\" }")
        }
        let object = try node.object(keys: Self.keys)
        let given = Self.keys.compactMap { object[$0] }
        guard given.count == 1, let place = given.first else {
            throw node.error("says where a secret is: one of `file`, `env` and `credential`")
        }
        path = place.path
        let word = try place.string()
        guard !word.utf8.contains(0) else { throw place.error("has a character that no name has") }
        if object["file"] != nil {
            self.place = .file(context.resolve(word))
        } else if object["env"] != nil {
            guard !word.contains("=") else { throw place.error("is no name of a variable") }
            let value = context.environment[word].flatMap { $0.isEmpty ? nil : Value($0) }
            self.place = .variable(word, value)
        } else {
            guard !word.contains("/"), ![".", ".."].contains(word),
                word.utf8.count <= Self.nameLimit
            else {
                throw place.error("is no name of a credential; it is a file's name, without a path")
            }
            let folder = context.environment["CREDENTIALS_DIRECTORY"]
            self.place = .credential(word, folder: folder.flatMap { $0.isEmpty ? nil : $0 })
        }
    }

    /// Where it is, for whoever has to mend it.
    public var description: String {
        switch place {
        case .file(let path): path
        case .variable(let name, _): "$\(name)"
        case .credential(let name, _): "the credential \(name)"
        }
    }

    /// Reads it; what has changed since the last time counts.
    ///
    /// It blocks like any reading of a file.
    ///
    /// - Throws: ``ConfigurationError`` that says why it cannot be read and what mends that.
    public func read() throws(ConfigurationError) -> Value {
        switch place {
        case .file(let file):
            return try checked(bytes(of: file, isShared: false))
        case .variable(let name, let value):
            guard let value else { throw error("$\(name) is not set; set it, or use a file") }
            return try checked(Array(value.text.utf8))
        case .credential(let name, let folder?):
            // What systemd gives to a service, it protects by the folder and by access lists, which
            // show as rights of the group.
            return try checked(bytes(of: "\(folder)/\(name)", isShared: true))
        case .credential(let name, nil):
            throw error(
                "there is no $CREDENTIALS_DIRECTORY; run as a service of systemd that says "
                    + "LoadCredential=\(name):PATH")
        }
    }

    private func error(_ problem: String) -> ConfigurationError {
        ConfigurationError(path: path, problem: problem)
    }

    private func bytes(of file: String, isShared: Bool) throws(ConfigurationError) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let message = SystemCall.message(of: errno)
            throw error("cannot read \(file): \(message); see that this user may read it")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw error("\(file) is not a file; name one that holds the secret")
        }
        guard isShared || status.st_mode & 0o077 == 0 else {
            throw error("\(file) is open to others than its owner; say chmod 600 \(file)")
        }
        var bytes: [UInt8] = []
        while bytes.count <= Self.lengthLimit + 2 {
            let (piece, code) = SystemCall.read(descriptor, limit: Self.lengthLimit + 3)
            guard code == 0 else {
                throw error("cannot read \(file): \(SystemCall.message(of: code))")
            }
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return bytes
    }

    /// The text without the newline that an editor leaves at its end.
    private func checked(_ bytes: [UInt8]) throws(ConfigurationError) -> Value {
        var bytes = bytes[...]
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        guard !bytes.isEmpty else { throw error("\(self) is empty; write the secret to it") }
        guard bytes.count <= Self.lengthLimit else {
            throw error(
                "\(self) has more than \(Self.lengthLimit) bytes; it should be the secret alone")
        }
        guard let text = String(validating: bytes, as: UTF8.self),
            bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), bytes.first != 0x20, bytes.last != 0x20
        else {
            throw error(
                "\(self) has a line break, another control character, or a blank at its beginning or "
                    + "end; it should be the secret alone, on one line")
        }
        return Value(text)
    }
}
