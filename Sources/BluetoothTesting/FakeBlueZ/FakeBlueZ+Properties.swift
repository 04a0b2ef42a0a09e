import DBus

extension FakeBlueZ {
    /// The writable properties, by interface.
    private static let writable: [String: Set<String>] = [
        FakeInterface.adapter: [
            "Alias", "Powered", "Discoverable", "DiscoverableTimeout", "Pairable",
            "PairableTimeout",
        ],
        FakeInterface.device: ["Alias", "Trusted", "Blocked"],
    ]

    func answerProperties(_ request: BusRequest, _ reply: BusReply) {
        guard let interface = request.body.first?.string else {
            return reply.fail(.invalidArguments)
        }
        guard let properties = tree.properties(request.path, interface) else {
            return reply.fail(.noInterface(interface))
        }
        switch (request.member, request.body.count) {
        case ("GetAll", 1): reply.return([.properties(properties)])
        case ("Get", 2):
            let name = request.body[1].string ?? ""
            guard let value = properties[name] else { return reply.fail(.noProperty(name)) }
            reply.return([.variant(value)])
        case ("Set", 3):
            guard let name = request.body[1].string, case .variant(let value) = request.body[2]
            else { return reply.fail(.invalidArguments) }
            set(request.path, interface, name, value, reply)
        default: failUnknown(request, reply)
        }
    }

    private func set(
        _ path: String, _ interface: String, _ name: String, _ value: BusValue, _ reply: BusReply
    ) {
        guard let old = tree.properties(path, interface)?[name] else {
            return reply.fail(.noProperty(name))
        }
        guard Self.writable[interface]?.contains(name) == true else {
            return reply.fail(.readOnly(name))
        }
        guard value.signature == old.signature else { return reply.fail(.invalidArguments) }
        if interface == FakeInterface.adapter, name == "Powered", let isOn = value.boolean {
            if let fault = adapters[path]?.powerFault { return reply.fail(fault) }
            setPower(path, isOn)
        } else if interface == FakeInterface.device, name == "Blocked", value.boolean == true {
            tearDownLink(path)
            emit(tree.set(path, interface, [name: value]))
        } else {
            emit(tree.set(path, interface, [name: value]))
        }
        reply.return()
    }
}
