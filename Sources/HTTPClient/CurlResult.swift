import CCurl
import Glibc

/// What libcurl says of a transfer that has ended.
struct CurlResult {
    /// The most characters of libcurl's own words that a message repeats.
    private static let messageLimit = 200

    let code: CURLcode
    /// libcurl's words, which may repeat what the server sent.
    let message: String
    let isTLS: Bool
    /// libcurl's words for the code, whatever the request.
    let generalMessage: String
    let options: HTTPClientOptions

    /// The error for the caller.
    func error(origin: String) -> HTTPError {
        let kind = kind
        return HTTPError(kind, origin: origin, detail(of: kind), remedy: remedy(of: kind))
    }

    /// What mends it, where libcurl's words or the options tell more than the kind does.
    private func remedy(of kind: HTTPError.Kind) -> String? {
        switch kind {
        case .cannotConnect where options.socketPath != nil:
            "see that the server runs and that this is the socket it made"
        case .notTrusted where message.contains("subject name"):
            "use a name that is in the server's certificate"
        default: nil
        }
    }

    private var kind: HTTPError.Kind {
        switch code {
        case CURLE_URL_MALFORMAT: .badURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotResolve
        case CURLE_COULDNT_CONNECT, CURLE_PROXY: .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_INVALIDCERTSTATUS: .notTrusted
        case CURLE_SSL_CIPHER, CURLE_SSL_CLIENTCERT: .tlsFailed
        // OpenSSL's errors have a number; without one the connection has ended.
        case CURLE_SSL_CONNECT_ERROR:
            message.contains("error:") && !message.contains("unexpected eof")
                ? .tlsFailed : .connectionLost
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE: .configuration
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: .connectionLost
        // A server that wants a certificate says so in TLS 1.3 only when it is first read from.
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            isTLS && message.contains(" alert ") ? .tlsFailed : .connectionLost
        // What is no HTTP counts as HTTP 0.9, which is a protocol that is not allowed. Some headers
        // that are none are told like arguments of a caller.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP_RETURNED_ERROR, CURLE_BAD_FUNCTION_ARGUMENT:
            .badAnswer
        default: .failed
        }
    }

    private func detail(of kind: HTTPError.Kind) -> String {
        switch kind {
        case .configuration: configurationDetail
        case .connectionLost: "the connection ended before the answer was complete"
        case .badAnswer: "the answer is not HTTP"
        case .cannotConnect where options.socketPath != nil:
            "nobody can be reached at the socket \(options.socketPath ?? "")"
        case .cannotResolve, .cannotConnect, .timedOut, .notTrusted, .tlsFailed:
            // Of these libcurl's words know more, and no byte of an answer has come yet, or only
            // their number is told.
            message.isEmpty ? generalMessage : Self.withoutMeasures(message)
        default: "\(generalMessage) [curl \(code.rawValue)]"
        }
    }

    private var configurationDetail: String {
        guard code == CURLE_SSL_CERTPROBLEM, let own = options.clientCertificate else {
            return "\(options.authorityFile ?? "the system's certificates"): no certificate can "
                + "be read; give a file in PEM format"
        }
        return "\(own.certificateFile) and \(own.keyFile): not a certificate and its key; give "
            + "two PEM files that belong together, the key without a passphrase"
    }

    /// Leaves out how long it took and how much had come, so that the same failure has the same words:
    /// `Failed to connect to localhost port 9 after 6 ms: Couldn't connect to server`,
    /// `Operation timed out after 1037 milliseconds with 0 bytes received`.
    static func withoutMeasures(_ message: String) -> String {
        var words: [Substring] = []
        var rest = message.split(separator: " ")[...]
        while let word = rest.popFirst() {
            let next = rest.prefix(2)
            if word == "after", next.count == 2, next.first?.allSatisfy(\.isNumber) == true,
                let unit = next.last, unit.hasPrefix("ms") || unit.hasPrefix("milliseconds")
            {
                rest = rest.dropFirst(2)
                if unit.hasSuffix(":"), let last = words.popLast() { words.append(last + ":") }
            } else if word == "with", next.first?.allSatisfy(\.isNumber) == true {
                break
            } else {
                words.append(word)
            }
        }
        return words.joined(separator: " ")
    }

    /// Reads libcurl's words: one short line of visible characters.
    static func message(_ buffer: UnsafePointer<CChar>) -> String {
        let text = String(cString: buffer).unicodeScalars.prefix(messageLimit).map {
            $0.properties.generalCategory == .control ? " " : Character($0)
        }
        return String(text).split(separator: " ").joined(separator: " ")
    }
}
