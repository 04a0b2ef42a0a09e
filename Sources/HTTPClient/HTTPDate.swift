import CCurl

/// Parses HTTP dates.
public enum HTTPDate {
    /// The maximum length of a date.
    private static let lengthLimit = 64

    /// Parses a date in one of the formats of RFC 9110, section 5.6.7, or another one that libcurl
    /// supports (curl_getdate(3)).
    ///
    /// - Returns: Seconds since 1970; nil if the text is not a date.
    public static func secondsSince1970(_ text: String) -> Int? {
        guard text.utf8.count <= lengthLimit, !text.utf8.contains(0),
            let curl = try? CurlLibrary.open()
        else { return nil }
        let seconds = curl.functions.getdate(text, nil)
        return seconds == -1 ? nil : seconds
    }
}
