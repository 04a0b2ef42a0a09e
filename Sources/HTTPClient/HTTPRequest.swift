/// A POST: what a server is given, and how long and how much that may take.
package struct HTTPRequest: Sendable {
    /// The most headers of a request.
    static let headerLimit = 64

    package var url: HTTPURL
    /// None may come twice.
    package var headers: [HTTPHeader]
    /// It is sent from here, not copied.
    package var body: [UInt8]
    package var limits: HTTPLimits

    package init(
        _ url: HTTPURL, headers: [HTTPHeader] = [], body: [UInt8] = [],
        limits: HTTPLimits = HTTPLimits()
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
    }

    /// What keeps it from being sent, whatever the server.
    func check() throws(HTTPError) {
        guard headers.count <= Self.headerLimit else {
            throw failure("more than \(Self.headerLimit) headers; send fewer")
        }
        var names: Set<String> = []
        for header in headers where !names.insert(header.name.lowercased()).inserted {
            throw failure("the header \(header.name) comes twice; give it once")
        }
    }

    private func failure(_ words: String) -> HTTPError {
        HTTPError(.badRequest, origin: url.origin, words)
    }
}

/// How long a request may take, and how much of the answer is kept.
package struct HTTPLimits: Hashable, Sendable {
    /// The shortest and the longest limit of time: a request always ends.
    private static let seconds = 0.001...86_400.0

    /// To find the host's address, connect, and agree on encryption.
    package var connectSeconds: Double
    /// Without a byte to or from the server, also while it thinks.
    ///
    /// They are whole seconds, rounded up, and libcurl looks once a second: it may take two more.
    package var stallSeconds: Double
    /// From the beginning to the end.
    package var totalSeconds: Double
    /// So many bytes of the answer's body are kept.
    ///
    /// A longer body is cut off there and the connection closed.
    package var answerBytes: Int

    package init(
        connectSeconds: Double = 10, stallSeconds: Double = 30, totalSeconds: Double = 120,
        answerBytes: Int = 65_536
    ) {
        self.connectSeconds = connectSeconds
        self.stallSeconds = stallSeconds
        self.totalSeconds = totalSeconds
        self.answerBytes = answerBytes
    }

    var connectMilliseconds: Int { Self.milliseconds(connectSeconds) }
    var totalMilliseconds: Int { Self.milliseconds(totalSeconds) }
    var wholeStallSeconds: Int { (Self.milliseconds(stallSeconds) + 999) / 1000 }

    /// What is no number counts as the shortest time.
    private static func milliseconds(_ value: Double) -> Int {
        guard value > seconds.lowerBound else { return 1 }
        return Int((min(value, seconds.upperBound) * 1000).rounded(.up))
    }
}
