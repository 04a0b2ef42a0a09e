package import DBus
import Glibc

extension MessageBus {
    private static let daemon = "org.freedesktop.DBus"
    /// How long the bus itself may take to answer.
    private static let nameSeconds = 10.0
    /// The answers of `RequestName` that say: it is ours.
    private static let ownerAnswers = [1, 4]
    private static let doNotQueue: UInt32 = 4

    /// Takes a well-known name, by which other programs find this one.
    ///
    /// `completion` is called with nil when the name is ours, `EEXIST` when somebody else has it.
    package func requestName(_ name: String, completion: @escaping (BusError?) -> Void) {
        let request = BusCall(
            Self.daemon, "/org/freedesktop/DBus", Self.daemon, "RequestName",
            [.string(name), .uint32(Self.doNotQueue)])
        call(request, timeoutSeconds: Self.nameSeconds) { result in
            switch result {
            case .success(let answer):
                let isOurs = answer.first?.integer.map(Self.ownerAnswers.contains) ?? false
                completion(
                    isOurs ? nil : .failed(operation: "taking the name \(name)", code: EEXIST))
            case .failure(let error): completion(error)
            }
        }
    }

    /// Gives a well-known name back.
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
