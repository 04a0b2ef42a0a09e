package import DBus
import Glibc

extension MessageBus {
    private static let daemon = "org.freedesktop.DBus"
    /// The timeout of calls to the bus itself.
    private static let nameSeconds = 10.0
    /// The replies of `RequestName` for primary owner and already owner.
    private static let ownerAnswers = [1, 4]
    private static let doNotQueue: UInt32 = 4

    /// Requests a well-known name on the bus.
    ///
    /// `completion` is called with nil on success, `EEXIST` when another connection owns the name.
    package func requestName(_ name: String, completion: @escaping (BusError?) -> Void) {
        let request = BusCall(
            Self.daemon, "/org/freedesktop/DBus", Self.daemon, "RequestName",
            [.string(name), .uint32(Self.doNotQueue)])
        call(request, timeoutSeconds: Self.nameSeconds) { result in
            switch result {
            case .success(let answer):
                let isOurs = answer.first?.integer.map(Self.ownerAnswers.contains) ?? false
                completion(
                    isOurs ? nil : .failed(operation: "requesting the name \(name)", code: EEXIST))
            case .failure(let error): completion(error)
            }
        }
    }

    /// Releases a well-known name.
    package func releaseName(_ name: String, completion: @escaping (BusError?) -> Void = { _ in }) {
        let release = BusCall(
            Self.daemon, "/org/freedesktop/DBus", Self.daemon, "ReleaseName", [.string(name)])
        call(release, timeoutSeconds: Self.nameSeconds) { result in
            switch result {
            case .success: completion(nil)
            case .failure(let error): completion(error)
            }
        }
    }
}
