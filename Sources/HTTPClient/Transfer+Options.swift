import CCurl

// The libcurl options. The defaults of all others apply: no cookies, no .netrc, no HSTS, no alternative
// services, no decoding of bodies.
extension Transfer {
    func setTarget() {
        set(CURLOPT_URL, request.url.text)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        // HTTP/1.1 without multiplexing: no request waits for the body of another one.
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_HTTP09_ALLOWED, 0)
        set(CURLOPT_TCP_NODELAY, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        if let path = options.socketPath { set(CURLOPT_UNIX_SOCKET_PATH, path) }
    }

    func setMethod() {
        set(CURLOPT_POST, 1)
        note(
            ccurl_set_size(
                curl.table, handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count)))
    }

    func setHeaders() {
        // Disable `Expect: 100-continue` and the default form content type.
        var lines = ["Expect:"]
        let names = request.headers.map { $0.name.lowercased() }
        if !names.contains("content-type") { lines.append("Content-Type:") }
        if !names.contains("user-agent") { set(CURLOPT_USERAGENT, options.userAgent) }
        // A semicolon instead of the colon sends a header without a value.
        lines += request.headers.map {
            $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
        }
        for line in lines {
            guard let list = curl.functions.slist_append(headerList, line) else {
                return note(CURLE_OUT_OF_MEMORY)
            }
            headerList = list
        }
        note(ccurl_set_list(curl.table, handle, CURLOPT_HTTPHEADER, headerList))
    }

    func setTLS() {
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        // Read the CA file for each connection, so that corrections apply immediately.
        set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        if let file = options.caFile {
            set(CURLOPT_CAINFO, file)
            // Otherwise the system's certificates would be trusted too.
            note(ccurl_set_text(curl.table, handle, CURLOPT_CAPATH, nil))
        }
        if let own = options.clientCertificate {
            set(CURLOPT_SSLCERT, own.certificateFile)
            set(CURLOPT_SSLKEY, own.keyFile)
            // Otherwise OpenSSL would prompt for a passphrase on the terminal.
            set(CURLOPT_KEYPASSWD, "")
        }
    }

    func setProxy() {
        let mayProxy =
            options.usesProxy && request.url.scheme == .https && options.socketPath == nil
        if !mayProxy { set(CURLOPT_PROXY, "") }
        // Do not send the request headers to the proxy.
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    func setLimits() {
        set(CURLOPT_CONNECTTIMEOUT_MS, request.limits.connectTimeoutMilliseconds)
        set(CURLOPT_TIMEOUT_MS, request.limits.totalTimeoutMilliseconds)
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, request.limits.stallTimeoutWholeSeconds)
        set(CURLOPT_NOSIGNAL, 1)
        // A name lookup cannot be cancelled. Without this option the thread, and with it all requests,
        // would wait for it.
        set(CURLOPT_QUICK_EXIT, 1)
    }

    func setFunctions() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        note(ccurl_set_pointer(curl.table, handle, CURLOPT_ERRORBUFFER, message))
        note(
            ccurl_set_bytes_function(
                curl.table, handle, CURLOPT_HEADERFUNCTION, transferHeaderCallback))
        note(ccurl_set_pointer(curl.table, handle, CURLOPT_HEADERDATA, context))
        note(
            ccurl_set_bytes_function(
                curl.table, handle, CURLOPT_WRITEFUNCTION, transferWriteCallback))
        note(ccurl_set_pointer(curl.table, handle, CURLOPT_WRITEDATA, context))
        note(
            ccurl_set_bytes_function(curl.table, handle, CURLOPT_READFUNCTION, transferReadCallback)
        )
        note(ccurl_set_pointer(curl.table, handle, CURLOPT_READDATA, context))
        note(ccurl_set_seek_function(curl.table, handle, transferSeekCallback))
        note(ccurl_set_pointer(curl.table, handle, CURLOPT_SEEKDATA, context))
    }

    private func set(_ option: CURLoption, _ value: Int) {
        note(ccurl_set_long(curl.table, handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) {
        note(ccurl_set_text(curl.table, handle, option, value))
    }

    private func note(_ code: CURLcode) {
        if setUpCode == CURLE_OK { setUpCode = code }
    }
}
