/// Opens the serial port of one Bluetooth device.
struct RFCOMMPort: StreamOpener {
    let endpoint: RFCOMMEndpoint

    var name: String { endpoint.address }

    func open() throws(SerialError) -> any StreamDescriptor {
        try RFCOMMSocket.connect(to: endpoint)
    }
}
