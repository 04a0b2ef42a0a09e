import CMicrohttpd

/// One request and its response; only the thread of the server uses it.
final class Exchange {
    enum Phase {
        /// The request arrives.
        case receiving
        /// The owner of the server works on the response.
        case waiting
        /// The response is there.
        case answered(HTTPServerResponse)
        /// The response was given to libmicrohttpd.
        case queued
    }

    let number: UInt64
    let target: String
    let connection: OpaquePointer
    var phase = Phase.receiving
    var method = ""
    var headers: [String: String] = [:]
    /// The number of bytes of the request's line and headers.
    private(set) var headerBytes: Int
    var hasHeaders = false
    var body: [UInt8] = []
    /// Whether the content is longer than is allowed; the rest is dropped as it arrives.
    var isTooLong = false
    /// The content that is received piece by piece.
    var input: HTTPInput?
    /// Whether the reader of the input has asked for it.
    var hasInputBegun = false
    /// The output of a response that is sent piece by piece.
    var output: HTTPOutput?
    /// Whether the connection is suspended until there is more.
    var isSuspended = false
    unowned let driver: ServerDriver

    init(_ number: UInt64, target: String, connection: OpaquePointer, driver: ServerDriver) {
        self.number = number
        self.target = target
        headerBytes = target.utf8.count
        self.connection = connection
        self.driver = driver
    }

    /// Whether the rest of the response only has to be written.
    var isFinishing: Bool {
        switch phase {
        case .answered, .queued: output?.isFinished ?? true
        case .receiving, .waiting: false
        }
    }

    /// The maximum number of bytes that are received and dropped for the sake of the response.
    private static let dropLimit = 1 << 20

    /// Whether content that nobody reads is short enough to be received first: a client that still sends when
    /// the connection is closed may lose the response.
    var hasShortUnreadInput: Bool {
        guard input != nil, !hasInputBegun, headers["expect"] == nil else { return false }
        return headers["content-length"].flatMap { Int($0) }.map { $0 <= Self.dropLimit } ?? false
    }

    /// Adds a header; several of one name are joined (RFC 9110, section 5.2).
    func add(_ name: String, _ value: String) {
        // With a colon, a space and the end of the line.
        headerBytes += name.utf8.count + value.utf8.count + 4
        let key = name.lowercased()
        headers[key] = headers[key].map { "\($0), \(value)" } ?? value
    }

    /// Whether everybody finds the same end of the content (RFC 9112, section 6.3).
    ///
    /// With two lengths a proxy in front could see another request in what is content here.
    var hasClearLength: Bool {
        switch (headers["content-length"], headers["transfer-encoding"]) {
        case (nil, nil): true
        case (let length?, nil):
            !length.isEmpty && length.utf8.allSatisfy { (0x30...0x39).contains($0) }
        case (nil, let coding?): coding.lowercased() == "chunked"
        case (_?, _?): false
        }
    }

    /// Moves content into the buffer of libmicrohttpd.
    ///
    /// - Returns: The number of bytes; 0 when the connection was suspended; negative at an end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let output, !driver.isClosing else { return cmicrohttpd_end_with_error() }
        switch output.take(into: buffer) {
        case .bytes(let count): return count
        case .end:
            return output.end == nil
                ? cmicrohttpd_end_of_stream() : cmicrohttpd_end_with_error()
        case .nothing:
            driver.suspend(self)
            return 0
        }
    }
}
