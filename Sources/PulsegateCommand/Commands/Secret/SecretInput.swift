import GatewayCore
import GatewayHost
import Glibc
import Platform
import Terminal

/// Reads a secret that the user enters: never from an argument, which other users can see.
enum SecretInput {
    /// The limit of what is read: the longest secret with its line end, and one byte more.
    private static let limit = Secret.lengthLimit + 3

    /// The length of a random secret: 190 bits.
    static let randomLength = 32
    private static let letters = Array(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)

    /// Makes a random secret from the random numbers of the system.
    static func random() throws(HostError) -> Secret.Value {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<randomLength).map { _ in
            letters[Int.random(in: letters.indices, using: &generator)]
        }
        do throws(Secret.Problem) {
            return try Secret.Value(validating: bytes)
        } catch {
            throw failure(error)
        }
    }

    /// Reads and validates a secret from the terminal, without showing it, or from standard input.
    static func read(for name: PlainName) throws(HostError) -> Secret.Value {
        let bytes = try isatty(STDIN_FILENO) == 1 ? fromTerminal(name) : fromPipe()
        do throws(Secret.Problem) {
            return try Secret.Value(validating: bytes)
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ problem: Secret.Problem) -> HostError {
        switch problem {
        case .empty: HostError(.usage, "the secret is empty; nothing has changed")
        case .tooLong:
            HostError(
                .usage,
                "the secret is longer than \(Secret.lengthLimit) bytes; nothing has changed")
        case .characters:
            HostError(
                .usage,
                "the secret contains a control character, or a leading or trailing space; it must be "
                    + "one line of UTF-8 text; nothing has changed")
        }
    }

    private static func fromTerminal(_ name: PlainName) throws(HostError) -> [UInt8] {
        switch SecretPrompt.read("secret \(name) (not shown): ", limit: limit) {
        case .line(let bytes): return bytes
        case .cancelled: throw HostError(.failure, "cancelled; nothing has changed")
        case .tooLong: throw failure(.tooLong)
        case .failed:
            throw HostError(
                .failure, "this terminal cannot hide what is typed; use a pipe instead")
        }
    }

    private static func fromPipe() throws(HostError) -> [UInt8] {
        ProcessSignals.restoreDefaults()
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let (piece, code) = SystemCall.read(STDIN_FILENO, limit: limit - bytes.count)
            guard code == 0 else { throw .system("read", "standard input", errno: code) }
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        return bytes
    }
}
