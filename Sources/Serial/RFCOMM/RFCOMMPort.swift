import GatewayCore

/// Opens RFCOMM connections to one Bluetooth device.
struct RFCOMMPort: StreamOpener {
    let endpoint: RFCOMMEndpoint

    var name: String { endpoint.address.description }

    func open() throws(SerialError) -> any StreamDescriptor {
        try RFCOMMSocket.connect(to: endpoint)
    }
}
