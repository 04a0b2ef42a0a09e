/// What the status code of a response means for the batch.
enum ResponseAction: Equatable {
    /// The batch is stored.
    case stored
    /// The request can succeed later.
    case later(String)
    /// At least one record of the batch is rejected.
    case rejected
    /// The credentials are not accepted, or have no write access.
    case unauthorized(String)
    /// The configuration must be corrected; the text says how.
    case blocked(String)

    init(status: Int) {
        switch status {
        case 200..<300: self = .stored
        case 400, 409, 413, 422: self = .rejected
        case 401: self = .unauthorized("the token or password is not accepted")
        case 403: self = .unauthorized("write access denied")
        case 408, 425, 429: self = .later("the server asked to retry later")
        case 300..<400: self = .blocked("redirects are not followed; correct `url`")
        case 404, 410: self = .blocked("path not found; check `url`")
        case 405: self = .blocked("POST is not allowed at this path; check `url`")
        case 406, 415: self = .blocked("format not accepted; check `format`")
        case 402..<500: self = .blocked("request not accepted; check `url` and `format`")
        default: self = .later("server error")
        }
    }
}
