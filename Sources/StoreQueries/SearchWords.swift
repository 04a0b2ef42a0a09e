import Platform

/// A text in which a search looks, with the name of what it is.
package struct SearchField: Hashable, Sendable {
    /// The length from which the beginning of an id is a match: what lists of workouts show.
    static let shortestID = 8

    /// The name, such as `manufacturer`.
    package let name: String
    /// The text.
    package let text: String
    /// Whether only the beginning of the text can match, as of an id.
    fileprivate let isID: Bool

    /// Creates a field; nil without a text.
    package init?(_ name: String, _ text: String?) {
        self.init(name, text, isID: false)
    }

    /// Creates a field with an id, of which a word has to be the first 8 or more characters.
    package static func id(_ text: String) -> SearchField? { SearchField("id", text, isID: true) }

    private init?(_ name: String, _ text: String?, isID: Bool) {
        guard let text, !text.isEmpty else { return nil }
        self.name = name
        self.text = text
        self.isID = isID
    }
}

/// The words that a person searches for, without their case and diacritics.
package struct SearchWords: Hashable, Sendable {
    private let words: [String]

    /// Splits a text at white space.
    package init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map { $0.withoutCaseAndDiacritics }
    }

    /// Whether there is no word, so that everything matches.
    package var isEmpty: Bool { words.isEmpty }

    /// The fields with a word; nil when a word is in none of them.
    package func matches(in fields: [SearchField]) -> [SearchField]? {
        let texts = fields.map(\.text.withoutCaseAndDiacritics)
        var isMatch = fields.map { _ in false }
        for word in words {
            let found = fields.indices.filter { fields[$0].contains(word, texts[$0]) }
            guard !found.isEmpty else { return nil }
            for index in found { isMatch[index] = true }
        }
        return zip(fields, isMatch).filter(\.1).map(\.0)
    }
}

extension SearchField {
    fileprivate func contains(_ word: String, _ text: String) -> Bool {
        isID ? word.count >= Self.shortestID && text.hasPrefix(word) : text.contains(text: word)
    }
}
