import CCurl

/// One request under way: libcurl's handle for it, what is still to be sent, and what has come.
///
/// Only the thread of the client touches it.
final class Transfer {
    typealias Continuation = CheckedContinuation<HTTPResponse, any Error>

    /// libcurl's own handle; it may be used until the transfer is gone.
    let handle: UnsafeMutableRawPointer
    let request: HTTPRequest
    let curl: CurlLibrary
    let options: HTTPClientOptions
    private let continuation: Continuation
    let message: UnsafeMutablePointer<CChar>
    var headerList: UnsafeMutablePointer<curl_slist>?
    var answer: AnswerReader
    var sent = 0
    /// The first refusal of an option.
    var setUpCode = CURLE_OK

    /// Nil when there is no memory for it.
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
        answer = AnswerReader(bodyLimit: request.limits.answerBytes)
    }

    deinit {
        curl.functions.easy_cleanup(handle)
        curl.functions.slist_free_all(headerList)
        message.deallocate()
    }

    /// Tells libcurl all about it; throws when that knows less than it must.
    func setUp() throws(HTTPError) {
        setTarget()
        setMethod()
        setHeaders()
        setTrust()
        setProxy()
        setLimits()
        setFunctions()
        guard setUpCode == CURLE_OK else {
            let words = curl.words(for: setUpCode)
            throw HTTPError(.failed, origin: request.url.origin, "curl_easy_setopt: \(words)")
        }
    }

    /// Gives the caller what came of it.
    func finish(_ code: CURLcode) {
        let status = Int(ccurl_get_long(curl.table, handle, CURLINFO_RESPONSE_CODE))
        switch answer.stop {
        case .headersTooLarge?:
            finish(throwing: Self.tooLarge(origin: request.url.origin))
        case nil where code != CURLE_OK:
            finish(throwing: error(code))
        // To libcurl an answer may end in the middle of its headers, or with a provisional one.
        case nil where !answer.hasHeaders || status < 200:
            finish(throwing: error(CURLE_PARTIAL_FILE))
        case nil, .bodyTooLarge?:
            continuation.resume(
                returning: HTTPResponse(
                    status: status, headers: answer.headers, body: answer.body))
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
            .answerTooLarge, origin: origin,
            "the answer has more than \(AnswerReader.headerLimit) bytes of headers")
    }
}
