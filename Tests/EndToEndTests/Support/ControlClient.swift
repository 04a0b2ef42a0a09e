import Foundation
import Glibc

/// Asks a running gateway on its control socket, as any program can.
enum ControlClient {
    /// How much has been published since the journal began; nil when no gateway answers.
    static func published(in dataDirectory: String) -> Int64? {
        guard let answer = ask(#"{"request":"status"}"#, in: dataDirectory),
            let object = try? JSONSerialization.jsonObject(with: Data(answer.utf8))
                as? [String: Any],
            let ledger = object["ledger"] as? [String: Any]
        else { return nil }
        return (ledger["published"] as? NSNumber)?.int64Value
    }

    /// Sends a line and waits for the line that comes back, which is returned without its end.
    static func ask(_ line: String, in dataDirectory: String) -> String? {
        lines(line, in: dataDirectory) { _ in true }?.first
    }

    /// Sends a line and waits for lines up to the last one; nil when the connection ends before.
    static func lines(
        _ line: String, in dataDirectory: String, until isLast: (String) -> Bool
    ) -> [String]? {
        let path = "\(dataDirectory)/control.sock"
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        let request = Array("\(line)\n".utf8)
        guard result == 0,
            Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
                == request.count
        else { return nil }
        var received: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let lines = received.split(separator: UInt8(ascii: "\n")).map {
                String(decoding: $0, as: UTF8.self)
            }
            if received.last == UInt8(ascii: "\n"), let last = lines.last, isLast(last) {
                return lines
            }
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { return nil }
            received += bytes.prefix(count)
        }
    }
}
