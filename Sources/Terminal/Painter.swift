package import Platform

/// Applies text styles on terminals with colours.
package struct Painter {
    /// A text style, named after its meaning.
    package enum Style: String, CaseIterable {
        case plain = ""
        /// The heading of a column.
        case heading = "1"
        case good = "32"
        case warning = "33"
        case bad = "31"
        /// For explanations and labels.
        case dim = "2"
        /// For what must be noticed immediately.
        case alert = "1;7"
        /// For the heart rate zones below the one with ``good``.
        case calm = "36"
        case easy = "94"
        /// For what a camera reads: black on white.
        case code = "30;107"
    }

    /// A painter without styles.
    package static let plain = Painter(isOn: false)

    /// Whether styles are shown.
    package let isOn: Bool

    /// Creates a painter with styles on or off.
    package init(isOn: Bool) {
        self.isOn = isOn
    }

    /// Creates a painter with styles on for a terminal with colours, unless `NO_COLOR` is set (no-color.org).
    package init(_ stream: StandardStream, environment: Environment) {
        let knowsColors = environment["TERM"].map { $0 != "dumb" } ?? false
        isOn = stream.isTerminal && knowsColors && environment["NO_COLOR"] == nil
    }

    /// The sequences that begin and end the styles.
    package static let sequences =
        (Style.allCases.filter { $0 != .plain }.map(\.rawValue) + ["0"])
        .map { Array("\u{1b}[\($0)m".unicodeScalars) }

    /// The text in a style (ECMA-48, Select Graphic Rendition).
    package func paint(_ text: String, _ style: Style) -> String {
        isOn && style != .plain ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : text
    }
}
