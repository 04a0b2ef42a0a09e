extension Double {
    private static let decimalBytes = Set("0123456789+-.eE".utf8)

    /// The decimal number that a text is; nil for words and hexadecimal numbers, which Swift accepts too.
    package init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy(Self.decimalBytes.contains), let number = Double(text) else {
            return nil
        }
        self = number
    }
}
