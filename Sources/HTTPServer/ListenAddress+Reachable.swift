import Glibc

extension ListenAddress {
    /// An address of this machine that others in the network reach, with the same port.
    ///
    /// Nil when no network interface with an IPv4 address is up.
    package var reachable: ListenAddress? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var next = first
        while let interface = next?.pointee {
            next = interface.ifa_next
            let isUp = interface.ifa_flags & UInt32(IFF_UP) != 0
            let isLoopback = interface.ifa_flags & UInt32(IFF_LOOPBACK) != 0
            guard isUp, !isLoopback, let address = interface.ifa_addr,
                Int32(address.pointee.sa_family) == AF_INET,
                let own = SocketAddress(ofIPv4: address)
            else { continue }
            return ListenAddress("\(own.host):\(port)")
        }
        return nil
    }
}

extension SocketAddress {
    fileprivate init?(ofIPv4 address: UnsafePointer<sockaddr>) {
        let bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
            withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
        }
        self.init(bytes: bytes, port: 0)
    }
}
