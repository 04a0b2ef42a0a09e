import Foundation
import Glibc

/// The socket of a service manager, at which a test receives what a service reports (sd_notify(3)).
public final class NotifyReceiver: Sendable {
    /// How long to wait for a message.
    public static let timeoutSeconds = 60

    /// The value of `NOTIFY_SOCKET`.
    public let path: String
    private let descriptor: Int32
    private let folder: TemporaryFolder

    /// Opens a socket in a folder of its own, or one with an abstract name.
    public init(isAbstract: Bool = false) throws {
        folder = try TemporaryFolder()
        path = isAbstract ? "@pulsegate-\(UUID().uuidString)" : folder.path("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let base = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
        let length = socklen_t(base + bytes.count + (isAbstract ? 0 : 1))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length)
            }
        }
        guard result == 0 else {
            throw RunningCommand.Failure(description: "cannot bind \(path): errno \(errno)")
        }
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Waits for the next message; nil when none comes.
    public func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Waits for a message that contains a text, and passes over others; nil when none comes.
    @discardableResult
    public func next(with text: String) -> String? {
        while let message = next() {
            if message.contains(text) { return message }
        }
        return nil
    }

    /// The messages that have come, without waiting.
    public func waiting() -> [String] {
        var messages: [String] = []
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)),
            count >= 0
        {
            messages.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
        return messages
    }
}
