import CCurl

/// A request in progress: its libcurl handle, the body to send, and the response received.
///
/// It is accessed only by the thread of the client.
final class Transfer {
    typealias Continuation = CheckedContinuation<HTTPResponse, any Error>

    /// The easy handle, valid for the lifetime of the transfer.
    let handle: UnsafeMutableRawPointer
    let request: HTTPRequest
    let curl: CurlLibrary
    let options: HTTPClientOptions
    private let continuation: Continuation
    let message: UnsafeMutablePointer<CChar>
    var headerList: UnsafeMutablePointer<curl_slist>?
    var response: ResponseReader
    var sent = 0
    /// The first error of `curl_easy_setopt`.
    var setUpCode = CURLE_OK

    /// Nil when out of memory.
    init?(
        _ request: HTTPRequest, curl: CurlLibrary, options: HTTPClientOptions,
        continuation: Continuation
    ) {
        guard let handle = curl.functions.easy_init() else { return nil }
        self.curl = curl
        self.handle = handle
        self.request = request
        self.options = options
        self.continuation = continuation
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        response = ResponseReader(bodyLimit: request.limits.maxResponseBytes)
    }

    deinit {
        curl.functions.easy_cleanup(handle)
        curl.functions.slist_free_all(headerList)
        message.deallocate()
    }

    /// Sets the libcurl options.
    func setUp() throws(HTTPError) {
        setTarget()
        setMethod()
        setHeaders()
        setTLS()
        setProxy()
        setLimits()
        setFunctions()
        guard setUpCode == CURLE_OK else {
            let words = curl.words(for: setUpCode)
            throw HTTPError(.failed, origin: request.url.origin, "curl_easy_setopt: \(words)")
        }
    }

    /// Completes the request with its result.
    func finish(_ code: CURLcode) {
        let status = Int(ccurl_get_long(curl.table, handle, CURLINFO_RESPONSE_CODE))
        switch response.stop {
        case .headersTooLarge?:
            finish(throwing: Self.tooLarge(origin: request.url.origin))
        case nil where code != CURLE_OK:
            finish(throwing: error(code))
        // libcurl reports success for incomplete headers and provisional responses.
        case nil where !response.hasHeaders || status < 200:
            finish(throwing: error(CURLE_PARTIAL_FILE))
        // After `HTTP/2` libcurl takes a number of any length (RFC 9110, section 15: three digits).
        case _ where status > 999:
            finish(throwing: error(CURLE_WEIRD_SERVER_REPLY))
        case nil, .bodyTooLarge?:
            continuation.resume(
                returning: HTTPResponse(
                    status: status, headers: response.headers, body: response.body))
        }
    }

    func finish(throwing error: any Error) {
        continuation.resume(throwing: error)
    }

    private func error(_ code: CURLcode) -> HTTPError {
        CurlResult(
            code: code, message: CurlResult.message(message), isTLS: request.url.scheme == .https,
            generalMessage: curl.words(for: code), options: options
        ).error(origin: request.url.origin)
    }

    private static func tooLarge(origin: String) -> HTTPError {
        HTTPError(
            .responseTooLarge, origin: origin,
            "the response has more than \(ResponseReader.headerLimit) bytes of headers")
    }
}
