/// Names of BlueZ and D-Bus interfaces, objects and members (BlueZ D-Bus API, doc/org.bluez.*).
package enum BlueZName {
    static let service = "org.bluez"
    static let root = "/"
    package static let adapter = "org.bluez.Adapter1"
    package static let device = "org.bluez.Device1"
    static let battery = "org.bluez.Battery1"
    static let agent = "org.bluez.Agent1"
    static let agentManager = "org.bluez.AgentManager1"
    static let agentManagerPath = "/org/bluez"
    package static let gattManager = "org.bluez.GattManager1"
    package static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    package static let gattService = "org.bluez.GattService1"
    package static let gattCharacteristic = "org.bluez.GattCharacteristic1"
    static let gattDescriptor = "org.bluez.GattDescriptor1"
    package static let objectManager = "org.freedesktop.DBus.ObjectManager"
    static let peer = "org.freedesktop.DBus.Peer"
    package static let properties = "org.freedesktop.DBus.Properties"
    static let bus = "org.freedesktop.DBus"
    static let busPath = "/org/freedesktop/DBus"
    package static let propertiesChanged = "PropertiesChanged"
    static let interfacesAdded = "InterfacesAdded"
    static let interfacesRemoved = "InterfacesRemoved"
    static let nameOwnerChanged = "NameOwnerChanged"
    static let acquireNotify = "AcquireNotify"
    static let startNotify = "StartNotify"
    static let stopNotify = "StopNotify"

    /// The interfaces whose properties are mirrored; the others are not used.
    static let usedInterfaces: Set<String> = [
        adapter, gattManager, advertisingManager, device, battery, gattService, gattCharacteristic,
        gattDescriptor,
    ]

    /// Four match rules for any number of devices: a rule for each device would soon reach the
    /// limit of the bus for one connection.
    static let matchRules = [
        "type='signal',sender='\(service)',interface='\(objectManager)',"
            + "member='\(interfacesAdded)',arg0path='/org/bluez/'",
        "type='signal',sender='\(service)',interface='\(objectManager)',"
            + "member='\(interfacesRemoved)',arg0path='/org/bluez/'",
        "type='signal',sender='\(service)',interface='\(properties)',"
            + "member='\(propertiesChanged)',path_namespace='/org/bluez'",
        "type='signal',sender='\(bus)',interface='\(bus)',member='\(nameOwnerChanged)',"
            + "arg0='\(service)'",
    ]
}
