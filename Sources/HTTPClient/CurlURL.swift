import CCurl

/// A URL parsed by libcurl (libcurl-url(3)).
final class CurlURL {
    private let curl: CurlLibrary
    private let handle: OpaquePointer

    /// Parses a URL; the text must not contain NUL.
    ///
    /// - Throws: ``HTTPError/Kind/badURL``; ``HTTPError/Kind/configuration`` without libcurl.
    init(_ text: String) throws(HTTPError) {
        curl = try CurlLibrary.open()
        guard let handle = curl.functions.url() else {
            throw HTTPError(.failed, "curl_url: out of memory")
        }
        self.handle = handle
        let flags = UInt32(CURLU_DISALLOW_USER | CURLU_PATH_AS_IS)
        let code = curl.functions.url_set(handle, CURLUPART_URL, text, flags)
        guard code == CURLUE_OK else { throw Self.error(code) }
    }

    deinit {
        curl.functions.url_cleanup(handle)
    }

    /// A part of the URL; nil when it is absent.
    func part(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl.functions.url_get(handle, part, &text, 0) == CURLUE_OK, let text else {
            return nil
        }
        defer { curl.functions.free(text) }
        return String(cString: text)
    }

    private static func error(_ code: CURLUcode) -> HTTPError {
        switch code {
        case CURLUE_BAD_SCHEME, CURLUE_UNSUPPORTED_SCHEME, CURLUE_BAD_SLASHES: HTTPURL.notHTTP
        case CURLUE_NO_HOST: HTTPURL.noHost
        case CURLUE_BAD_HOSTNAME: HTTPURL.badHost
        case CURLUE_BAD_PORT_NUMBER: HTTPURL.badPort
        case CURLUE_USER_NOT_ALLOWED:
            HTTPURL.error(
                "must not contain a user name or password; remove them and set "
                    + "token: { file: \"…\" }")
        case CURLUE_BAD_IPV6:
            HTTPURL.error("has an invalid IPv6 address; write it as in [::1]")
        case CURLUE_OUT_OF_MEMORY: HTTPError(.failed, "curl_url_set: out of memory")
        default:
            HTTPURL.error("is not valid [curl url \(code.rawValue)]; correct it")
        }
    }
}
