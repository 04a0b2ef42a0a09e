import JSON

/// The text format of Prometheus, version 0.0.4 ("Exposition formats" in its documentation).
package enum PrometheusText {
    /// Writes metrics; those without a value are left out.
    package static func text(of families: [MetricFamily]) -> String {
        families.filter { !$0.values.isEmpty }.map(text).joined()
    }

    private static func text(of family: MetricFamily) -> String {
        var text = "# HELP \(family.name) \(escaped(family.help, quotes: false))\n"
        text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
        for value in family.values {
            let labels = value.labels.map { #"\#($0.name)="\#(escaped($0.value, quotes: true))""# }
            let list = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
            text += "\(family.name)\(list) \(number(value.number))\n"
        }
        return text
    }

    /// Backslashes and line feeds are escaped, and quotation marks in the value of a label.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func number(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number > 0 ? "+Inf" : "-Inf" }
        return Number.string(number)
    }
}
