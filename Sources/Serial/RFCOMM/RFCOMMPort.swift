import GatewayCore

/// Opens the serial port of one Bluetooth device.
struct RFCOMMPort: StreamOpener {
    let endpoint: RFCOMMEndpoint

    var name: String { endpoint.address.description }

    func open() throws(SerialError) -> any StreamDescriptor {
        try RFCOMMSocket.connect(to: endpoint)
    }
}
