import CCurl

// What libcurl is told; all that is not told is left as it is: no cookies, no .netrc, no HSTS, no
// alternative services, no decoding of bodies.
extension Transfer {
    func setTarget() {
        set(CURLOPT_URL, request.url.text)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 0)
        // One request at a time on a connection: nothing waits behind another one's body.
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
        // Not to wait for the server's leave before the body, and not to call a body what it is not.
        var lines = ["Expect:"]
        let names = request.headers.map { $0.name.lowercased() }
        if !names.contains("content-type") { lines.append("Content-Type:") }
        if !names.contains("user-agent") { set(CURLOPT_USERAGENT, options.userAgent) }
        // A semicolon in the place of the colon sends a header without a value.
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

    func setTrust() {
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        // A file that the operator has mended counts at the next connection.
        set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        if let file = options.authorityFile {
            set(CURLOPT_CAINFO, file)
            // Without this the system's certificates would be trusted beside it.
            note(ccurl_set_text(curl.table, handle, CURLOPT_CAPATH, nil))
        }
        if let own = options.clientCertificate {
            set(CURLOPT_SSLCERT, own.certificateFile)
            set(CURLOPT_SSLKEY, own.keyFile)
            // OpenSSL would ask for the passphrase at the terminal, and wait.
            set(CURLOPT_KEYPASSWD, "")
        }
    }

    func setProxy() {
        let mayProxy =
            options.usesProxy && request.url.scheme == .https && options.socketPath == nil
        if !mayProxy { set(CURLOPT_PROXY, "") }
        // The proxy is told the host and the port, nothing of the headers.
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    func setLimits() {
        set(CURLOPT_CONNECTTIMEOUT_MS, request.limits.connectMilliseconds)
        set(CURLOPT_TIMEOUT_MS, request.limits.totalMilliseconds)
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, request.limits.wholeStallSeconds)
        set(CURLOPT_NOSIGNAL, 1)
        // A name that is being looked up cannot be given up at once. Without this the thread would wait
        // for it, and with it all requests; so the lookup ends by itself, unheard.
        set(CURLOPT_QUICK_EXIT, 1)
    }

    func setFunctions() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        note(ccurl_set_pointer(curl.table, handle, CURLOPT_ERRORBUFFER, message))
        note(
            ccurl_set_bytes_function(
                curl.table, handle, CURLOPT_HEADERFUNCTION, transferTakesHeader))
        note(ccurl_set_pointer(curl.table, handle, CURLOPT_HEADERDATA, context))
        note(ccurl_set_bytes_function(curl.table, handle, CURLOPT_WRITEFUNCTION, transferTakesBody))
        note(ccurl_set_pointer(curl.table, handle, CURLOPT_WRITEDATA, context))
        note(ccurl_set_bytes_function(curl.table, handle, CURLOPT_READFUNCTION, transferGivesBody))
        note(ccurl_set_pointer(curl.table, handle, CURLOPT_READDATA, context))
        note(ccurl_set_seek_function(curl.table, handle, transferRewindsBody))
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
