import CCurl
import Glibc
import Platform

/// The result of a finished transfer.
struct CurlResult {
    /// The maximum length of a libcurl message in an error.
    private static let messageLimit = 200

    let code: CURLcode
    /// The content of `CURLOPT_ERRORBUFFER`, which may repeat text from the server.
    let message: String
    let isTLS: Bool
    /// libcurl's general message for the code.
    let generalMessage: String
    let options: HTTPClientOptions

    /// The error for the caller.
    func error(origin: String) -> HTTPError {
        let kind = kind
        return HTTPError(kind, origin: origin, detail(of: kind), remedy: remedy(of: kind))
    }

    /// A remedy that is more specific than that of the kind.
    private func remedy(of kind: HTTPError.Kind) -> String? {
        switch kind {
        case .cannotConnect where options.socketPath != nil:
            "check that the server is running and listens on this socket"
        case .notTrusted where message.contains(text: "subject name"):
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
        // OpenSSL errors contain a number; otherwise the connection was closed.
        case CURLE_SSL_CONNECT_ERROR:
            message.contains(text: "error:") && !message.contains(text: "unexpected eof")
                ? .tlsFailed : .connectionLost
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE: .configuration
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: .connectionLost
        // In TLS 1.3 a server that requires a certificate reports it on the first read.
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            isTLS && message.contains(text: " alert ") ? .tlsFailed : .connectionLost
        // Non-HTTP data is treated as HTTP 0.9, which is not allowed. Some invalid headers are reported
        // as bad arguments.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP_RETURNED_ERROR, CURLE_BAD_FUNCTION_ARGUMENT:
            .badResponse
        default: .failed
        }
    }

    private func detail(of kind: HTTPError.Kind) -> String {
        switch kind {
        case .configuration: configurationDetail
        case .connectionLost: "the connection closed before the response was complete"
        case .badResponse: "the response is not HTTP"
        case .cannotConnect where options.socketPath != nil:
            "cannot connect to the socket \(options.socketPath ?? "")"
        case .cannotResolve, .cannotConnect, .timedOut, .notTrusted, .tlsFailed:
            // libcurl's message is more specific here, and contains no data from a response.
            message.isEmpty ? generalMessage : Self.withoutMeasurements(message)
        default: "\(generalMessage) [curl \(code.rawValue)]"
        }
    }

    private var configurationDetail: String {
        guard code == CURLE_SSL_CERTPROBLEM, let own = options.clientCertificate else {
            return "\(options.caFile ?? "the system's certificates"): cannot read a "
                + "certificate; specify a file in PEM format"
        }
        return
            "\(own.certificateFile) and \(own.keyFile): not a matching certificate and key; specify "
            + "two matching PEM files, the key without a passphrase"
    }

    /// Removes durations and byte counts, so that the same failure has the same message:
    /// `Failed to connect to localhost port 9 after 6 ms: Couldn't connect to server`,
    /// `Operation timed out after 1037 milliseconds with 0 bytes received`.
    static func withoutMeasurements(_ message: String) -> String {
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

    /// Reads libcurl's error buffer as one short line without control characters.
    static func message(_ buffer: UnsafePointer<CChar>) -> String {
        let text = String(cString: buffer).unicodeScalars.prefix(messageLimit).map {
            $0.properties.generalCategory == .control ? " " : Character($0)
        }
        return String(text).split(separator: " ").joined(separator: " ")
    }
}
