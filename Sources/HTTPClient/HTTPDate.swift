import CCurl

/// A date in a header of an answer.
package enum HTTPDate {
    /// The longest text that is read.
    private static let lengthLimit = 64

    /// Reads a date in one of the three ways of RFC 9110, section 5.6.7, or in another one that
    /// libcurl understands (curl_getdate(3)).
    ///
    /// - Returns: Seconds since 1970; nil for what is no date.
    package static func secondsSince1970(_ text: String) -> Int? {
        guard text.utf8.count <= lengthLimit, !text.utf8.contains(0),
            let curl = try? CurlLibrary.open()
        else { return nil }
        let seconds = curl.functions.getdate(text, nil)
        return seconds == -1 ? nil : seconds
    }
}
