import HTTPServer
import JSON

/// An error as a response: problem details (RFC 9457).
struct Problem: Error, Equatable {
    /// The status code.
    let status: Int
    /// What is wrong with this request.
    let detail: String
    /// The code of the gateway's error; nil for one without.
    var code: String?
    /// The path of the wrong key; nil for the whole request.
    var key: String?
    /// The methods of a path that has another one.
    var allow: [String] = []

    /// The response.
    var response: HTTPServerResponse {
        var json = JSONWriter()
        json.object { json in
            json.field("type", "about:blank")
            json.field("title", Self.title(status))
            json.field("status", Int64(status))
            json.field("detail", detail)
            json.field("code", code)
            json.field("key", key)
        }
        var response = HTTPServerResponse(
            status, headers: [("Content-Type", Self.contentType), ("Cache-Control", "no-store")],
            body: .bytes(json.bytes))
        if !allow.isEmpty { response.headers.append(("Allow", allow.joined(separator: ", "))) }
        if status == 503 { response.headers.append(("Retry-After", "\(Self.retrySeconds)")) }
        if status == 401 {
            response.headers.append(("WWW-Authenticate", "Bearer realm=\"pulsegate\""))
        }
        return response
    }

    static let contentType = "application/problem+json"
    /// When a client may try again what was not possible for now, in seconds.
    static let retrySeconds = 5

    /// The phrase of a status code (RFC 9110, section 15).
    static func title(_ status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 421: "Misdirected Request"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        default: "Error"
        }
    }
}

extension Problem {
    /// Reads the error line of the gateway; nil for another answer.
    init?(answer line: some Collection<UInt8>) {
        guard line.starts(with: #"{"error":"#.utf8),
            let text = String(validating: line, as: UTF8.self),
            case .object(let fields)? = try? JSONValue(json5: text),
            case .string(let detail)? = fields["error"]
        else { return nil }
        func string(_ key: String) -> String? {
            guard case .string(let value)? = fields[key] else { return nil }
            return value
        }
        let (code, key) = (string("code"), string("key"))
        let status =
            switch code {
            case "input"?: 400
            case "failure"?: 500
            case "busy"?: 503
            case "storageFull"?: 507
            case "notFound"?: 404
            case "anchor"?: 410
            case "tooLong"?: 413
            case .some: 403
            case nil: key == nil ? 409 : 400
            }
        self.init(status: status, detail: HTTPWords.text(detail), code: code, key: key)
    }
}
