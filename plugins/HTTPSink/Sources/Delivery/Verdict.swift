/// What an answer of the server means for the batch, by its status alone.
enum Verdict: Equatable {
    /// All of it is stored.
    case stored
    /// It may work again later.
    case later(String)
    /// Something in the batch is not taken.
    case rejected
    /// The server does not know who this is, or does not let them.
    case unauthorized(String)
    /// Somebody must mend something; the text says what.
    case blocked(String)

    init(status: Int) {
        switch status {
        case 200..<300: self = .stored
        case 400, 409, 413, 422: self = .rejected
        case 401: self = .unauthorized("does not know the token or the password")
        case 403: self = .unauthorized("knows who this is and does not let them write")
        case 408, 425, 429: self = .later("asks to come again later")
        case 300..<400: self = .blocked("redirects, which is not followed; mend `url`")
        case 404, 410: self = .blocked("has nothing at this path; see that `url` is right")
        case 405: self = .blocked("takes no POST at this path; see that `url` is right")
        case 406, 415: self = .blocked("does not take this format; see that `format` is right")
        case 402..<500: self = .blocked("does not take it; see that `url` and `format` are right")
        default: self = .later("cannot take it now")
        }
    }
}
