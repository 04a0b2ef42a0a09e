import Glibc

extension LogFormat {
    /// `{"time":"2026-11-21T18:15:00.123Z","level":"info","component":"foot","message":"port opened",
    /// "fields":{"path":"/dev/ttyUSB0"}}` on one line.
    ///
    /// - Parameter time: Nanoseconds since 1970.
    package static func json(_ record: Logger.Record, time: Int64 = SystemTime.wall()) -> String {
        var line = "{\"time\":\(quotedJSON(utc(time))),\"level\":\"\(record.level)\""
        line += ",\"component\":\(quotedJSON(record.component))"
        line += ",\"message\":\(quotedJSON(record.message)),\"fields\":{"
        line += record.fields.map { "\(quotedJSON($0.key)):\(quotedJSON(cut($0.value)))" }
            .joined(separator: ",")
        return line + "}}\n"
    }

    /// A JSON string in which everything that shows nothing of its own is escaped.
    private static func quotedJSON(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.isInvisible:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// A time as `2026-11-21T18:15:00.123Z`.
    private static func utc(_ nanoseconds: Int64) -> String {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        var time = time_t(rest < 0 ? seconds - 1 : seconds)
        let milliseconds = (rest < 0 ? rest + 1_000_000_000 : rest) / 1_000_000
        var parts = tm()
        gmtime_r(&time, &parts)
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        let date = [
            digits(Int(parts.tm_year) + 1900, 4), digits(Int(parts.tm_mon) + 1),
            digits(Int(parts.tm_mday)),
        ].joined(separator: "-")
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0)) }
            .joined(separator: ":")
        return "\(date)T\(clock).\(digits(Int(milliseconds), 3))Z"
    }
}
