import Glibc
public import JSON
import Platform

/// A reference to a secret, such as a token, that is stored outside the configuration.
///
/// It is one of `{ file: "repo.token" }` (in the data directory, or absolute; only its owner may
/// read it), `{ env: "REPO_TOKEN" }`, `{ credential: "repo.token" }` (of systemd, see
/// systemd.exec(5), "CREDENTIALS"), and `{ secret: "repo-token" }` (of `pulsegate secret set`).
public struct Secret: Hashable, Sendable, CustomStringConvertible {
    /// The value of a secret, which is hidden in logs and debuggers.
    public struct Value: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
        CustomReflectable
    {
        /// The secret text; pass it only to its destination.
        public let text: String

        init(_ text: String) { self.text = text }

        /// Validates bytes and removes the final newline.
        ///
        /// - Throws: ``Problem``, which never has a part of the value.
        package init(validating bytes: [UInt8]) throws(Problem) {
            var bytes = bytes[...]
            if bytes.last == 0x0A { bytes.removeLast() }
            if bytes.last == 0x0D { bytes.removeLast() }
            guard !bytes.isEmpty else { throw .empty }
            guard bytes.count <= Secret.lengthLimit else { throw .tooLong }
            guard let text = String(validating: bytes, as: UTF8.self),
                bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), bytes.first != 0x20,
                bytes.last != 0x20
            else { throw .characters }
            self.init(text)
        }

        /// A placeholder.
        public var description: String { "(a secret)" }
        /// A placeholder.
        public var debugDescription: String { description }
        /// A placeholder.
        public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    }

    /// What is wrong with the bytes of a secret.
    package enum Problem: Error, Equatable {
        case empty, tooLong, characters
    }

    private enum Place: Hashable, Sendable {
        case file(String)
        case variable(String, Value?)
        case credential(String, folder: String?)
        case stored(PlainName, path: String)
    }

    /// The maximum length in bytes.
    public static let lengthLimit = 4_096
    private static let nameLimit = 255
    private static let keys = ["file", "env", "credential", "secret"]

    private let path: String
    private let place: Place

    /// Reads the location of the secret without reading the secret.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the problem, never with a value.
    public init(
        _ node: ConfigurationNode, _ context: ComponentContext
    ) throws(ConfigurationError) {
        if case .string = node.value {
            throw node.error(
                "a secret must not be in the configuration; store it with `pulsegate secret set NAME` "
                    + "and set { secret: \"NAME\" }, or use { file: \"…\" }, { env: \"NAME\" } or "
                    + "{ credential: \"NAME\" }")
        }
        let object = try node.object(keys: Self.keys)
        let given = Self.keys.compactMap { object[$0] }
        guard given.count == 1, let place = given.first else {
            throw node.error("must have exactly one of `file`, `env`, `credential` and `secret`")
        }
        path = place.path
        let word = try place.string()
        guard !word.utf8.contains(0) else { throw place.error("must not contain a null character") }
        if object["file"] != nil {
            self.place = .file(context.resolve(word))
        } else if object["env"] != nil {
            guard !word.contains("=") else {
                throw place.error("is not the name of an environment variable")
            }
            let value = context.environment[word].flatMap { $0.isEmpty ? nil : Value($0) }
            self.place = .variable(word, value)
        } else if object["secret"] != nil {
            let name = try PlainName(place)
            let folder = context.secretsFolder ?? context.resolve(DataFiles.secrets)
            self.place = .stored(name, path: "\(folder)/\(name)")
        } else {
            guard !word.utf8.contains(UInt8(ascii: "/")), ![".", ".."].contains(word),
                word.utf8.count <= Self.nameLimit
            else {
                throw place.error("is not the name of a credential; use a file name without a path")
            }
            let folder = context.environment["CREDENTIALS_DIRECTORY"]
            self.place = .credential(word, folder: folder.flatMap { $0.isEmpty ? nil : $0 })
        }
    }

    /// The location, for messages.
    public var description: String {
        switch place {
        case .file(let path): path
        case .variable(let name, _): "$\(name)"
        case .credential(let name, _): "credential \(name)"
        case .stored(let name, _): "secret \(name)"
        }
    }

    /// Reads the current value of the secret.
    ///
    /// This blocks like any read of a file.
    ///
    /// - Throws: ``ConfigurationError`` with the cause and a remedy.
    public func read() throws(ConfigurationError) -> Value {
        switch place {
        case .file(let file):
            return try checked(bytes(of: file, isShared: false))
        case .variable(let name, let value):
            guard let value else { throw error("$\(name) is not set; set it, or use `file`") }
            return try checked(Array(value.text.utf8))
        case .credential(let name, let folder?):
            // systemd protects credentials with the directory and access control lists, which
            // appear as group permissions.
            return try checked(bytes(of: "\(folder)/\(name)", isShared: true))
        case .credential(let name, nil):
            throw error(
                "$CREDENTIALS_DIRECTORY is not set; run as a systemd service that sets "
                    + "LoadCredential=\(name):PATH")
        case .stored(let name, let file):
            guard access(file, F_OK) == 0 || errno != ENOENT else {
                throw error("there is no secret \(name); set it: `pulsegate secret set \(name)`")
            }
            return try checked(bytes(of: file, isShared: false))
        }
    }

    /// Makes an error about the secret, with the key path of its place.
    public func error(_ problem: String) -> ConfigurationError {
        ConfigurationError(path: path, problem: problem)
    }

    private func bytes(of file: String, isShared: Bool) throws(ConfigurationError) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let message = SystemCall.message(of: errno)
            throw error("cannot read \(file): \(message); check that this user can read it")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw error("\(file) is not a regular file; specify a file that contains the secret")
        }
        guard isShared || status.st_mode & 0o077 == 0 else {
            throw error(
                "\(file) is accessible to other users; run chmod 600 \(ShellWord.quoted(file))")
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

    /// Validates the text and removes the final newline.
    private func checked(_ bytes: [UInt8]) throws(ConfigurationError) -> Value {
        do throws(Problem) {
            return try Value(validating: bytes)
        } catch .empty {
            throw self.error("\(self) is empty; write the secret to it")
        } catch .tooLong {
            throw self.error(
                "\(self) is longer than \(Self.lengthLimit) bytes; it must contain only the secret")
        } catch {
            throw self.error(
                "\(self) contains a control character, or a leading or trailing space; it must contain "
                    + "only the secret, on one line")
        }
    }
}

extension Secret {
    /// The name that a reference to a stored secret has: `{ secret: "NAME" }`; nil for another value.
    private static func storedName(_ value: JSONValue) -> PlainName? {
        guard case .object(let fields) = value, fields.count == 1,
            case .string(let text)? = fields["secret"]
        else { return nil }
        return PlainName(text)
    }

    /// The names of the stored secrets that a value of the configuration refers to.
    package static func storedNames(in value: JSONValue) -> Set<PlainName> {
        if let name = storedName(value) { return [name] }
        let values: [JSONValue] =
            switch value {
            case .object(let fields): Array(fields.values)
            case .array(let elements): elements
            default: []
            }
        return values.reduce(into: []) { $0.formUnion(storedNames(in: $1)) }
    }
}
