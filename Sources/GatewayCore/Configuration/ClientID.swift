/// The identity of a client: how it reaches the gateway, as which user, and the name that it gives itself.
///
/// As text it is `control:1001:dashboard`. The name is not proven: a user may run several programs, and any of
/// them can use any name. The user is.
package struct ClientID: Hashable, Comparable, Sendable, CustomStringConvertible {
    private static let separator: Character = ":"
    private static let nobody = "-"

    /// The name of the transport: `control`.
    package let transport: PlainName
    /// The user or account; nil on a transport without one.
    package let user: PlainName?
    /// The name that the client gives itself.
    package let name: PlainName

    /// Makes an identity.
    package init(transport: PlainName, user: PlainName?, name: PlainName) {
        self.transport = transport
        self.user = user
        self.name = name
    }

    /// Reads the text of an identity.
    package init?(_ text: String) {
        let parts = text.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count == 3, let transport = PlainName(String(parts[0])),
            let name = PlainName(String(parts[2]))
        else { return nil }
        let user = PlainName(String(parts[1]))
        guard user != nil || parts[1] == Self.nobody else { return nil }
        self.init(transport: transport, user: user, name: name)
    }

    /// The text.
    package var description: String {
        [transport.text, user?.text ?? Self.nobody, name.text].joined(
            separator: String(Self.separator))
    }

    /// The order of the texts.
    package static func < (left: ClientID, right: ClientID) -> Bool {
        left.description < right.description
    }
}

/// The programs that get records as sinks of the configuration.
extension ClientID {
    /// The transport of these programs.
    package static let programTransport = PlainName(known: "exec")

    /// Whether it is such a program.
    package var isProgram: Bool { transport == Self.programTransport }

    /// The identity of the program of a sink, by the name of the sink.
    package init(programOfSink name: String) {
        self.init(
            transport: Self.programTransport, user: nil,
            name: PlainName(name) ?? Self.plainName(of: name))
    }

    /// A name of plain characters for one with others; a checksum tells similar names apart.
    private static func plainName(of name: String) -> PlainName {
        let checksum = name.utf8.reduce(UInt32(0x811c_9dc5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        let plain = name.unicodeScalars.filter { PlainName("a\($0)") != nil }.prefix(32)
        let text = "sink" + String(String.UnicodeScalarView(plain)) + "-"
        return PlainName(text + String(checksum, radix: 16)) ?? PlainName(known: "sink")
    }
}
