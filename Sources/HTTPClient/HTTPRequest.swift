/// A POST request with its timeouts and limits.
public struct HTTPRequest: Sendable {
    /// The maximum number of headers of a request.
    static let headerLimit = 64

    /// Where the request goes.
    public var url: HTTPURL
    /// The headers; names must be unique.
    public var headers: [HTTPHeader]
    /// The body, which is sent without copying.
    public var body: [UInt8]
    /// The timeouts, and the size limit of the response.
    public var limits: HTTPLimits

    /// Makes a request.
    public init(
        _ url: HTTPURL, headers: [HTTPHeader] = [], body: [UInt8] = [],
        limits: HTTPLimits = HTTPLimits()
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.limits = limits
    }

    /// Validates the request.
    func check() throws(HTTPError) {
        guard headers.count <= Self.headerLimit else {
            throw failure("more than \(Self.headerLimit) headers; send fewer")
        }
        var names: Set<String> = []
        for header in headers where !names.insert(header.name.lowercased()).inserted {
            throw failure("duplicate header \(header.name); specify it once")
        }
    }

    private func failure(_ words: String) -> HTTPError {
        HTTPError(.badRequest, origin: url.origin, words)
    }
}

/// The timeouts of a request, and the size limit of its response.
public struct HTTPLimits: Hashable, Sendable {
    /// The allowed timeouts; a request always ends.
    private static let seconds = 0.001...86_400.0

    /// The timeout for name resolution, connecting and the TLS handshake.
    public var connectTimeoutSeconds: Double
    /// The timeout without any byte sent or received.
    ///
    /// It is rounded up to whole seconds; libcurl checks once a second, so it may take two more.
    public var stallTimeoutSeconds: Double
    /// The timeout for the whole request.
    public var totalTimeoutSeconds: Double
    /// The maximum number of body bytes of the response.
    ///
    /// A longer body is truncated and the connection closed.
    public var maxResponseBytes: Int

    /// Makes limits; the defaults suit a small request.
    public init(
        connectTimeoutSeconds: Double = 10, stallTimeoutSeconds: Double = 30,
        totalTimeoutSeconds: Double = 120,
        maxResponseBytes: Int = 65_536
    ) {
        self.connectTimeoutSeconds = connectTimeoutSeconds
        self.stallTimeoutSeconds = stallTimeoutSeconds
        self.totalTimeoutSeconds = totalTimeoutSeconds
        self.maxResponseBytes = maxResponseBytes
    }

    var connectTimeoutMilliseconds: Int { Self.milliseconds(connectTimeoutSeconds) }
    var totalTimeoutMilliseconds: Int { Self.milliseconds(totalTimeoutSeconds) }
    var stallTimeoutWholeSeconds: Int { (Self.milliseconds(stallTimeoutSeconds) + 999) / 1000 }

    /// Converts to milliseconds; NaN becomes the minimum.
    private static func milliseconds(_ value: Double) -> Int {
        guard value > seconds.lowerBound else { return 1 }
        return Int((min(value, seconds.upperBound) * 1000).rounded(.up))
    }
}
