import DBus

extension PrivateBus {
    /// Changes the limits of the running daemon, and returns when they are in effect.
    ///
    /// Existing connections stay open and keep their earlier limits.
    public func change(to limits: Limits) async throws {
        try write(limits)
        try await Administrator(address).reloadConfiguration()
    }

    /// A client that makes the daemon reload its configuration.
    private actor Administrator {
        private static let answerSeconds = 60.0

        private let address: String
        private let loop: BusLoop

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            loop.asUnownedSerialExecutor()
        }

        init(_ address: String) throws {
            self.address = address
            loop = try BusLoop(label: "bus-admin")
        }

        func reloadConfiguration() async throws {
            let bus = try MessageBus(address: address, on: loop) { _ in }
            defer { bus.close() }
            let reload = BusCall(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                "ReloadConfig")
            try await withCheckedThrowingContinuation { done in
                bus.call(reload, timeoutSeconds: Self.answerSeconds) { result in
                    done.resume(with: result.map { _ in })
                }
            }
        }
    }
}
