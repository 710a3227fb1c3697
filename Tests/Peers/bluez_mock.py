"""A bluetoothd for tests, as a template for python-dbusmock.

Its adapters and devices announce themselves the way bluetoothd does: manufacturer data is a{qv}; a known device's level
and data are announced when they change, and with DuplicateData every time; nothing is announced while nobody listens;
a registered monitor is read and activated.  dbusmock's own bluez5 template does none of that.

    python -m dbusmock --system --template Tests/Peers/bluez_mock.py --parameters '{"monitors": true}'

Parameters: "monitors": whether AdvertisementMonitorManager1 is offered; "release": a registered monitor is released
instead of activated; "busy": how many times StartDiscovery answers InProgress.  "advertising": "yes", "full" (no room), "unanswered" or "no"
(not offered).  Prints "ready", and a line for whatever
clients do.
"""

import dbus
import dbus.service
from dbusmock import OBJECT_MANAGER_IFACE, mockobject

BUS_NAME = "org.bluez"
MAIN_OBJ = "/"
SYSTEM_BUS = True
IS_OBJECT_MANAGER = True

MOCK = "org.beacond.BluezMock"
ADAPTER = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
MANAGER = "org.bluez.AdvertisementMonitorManager1"
MONITOR = "org.bluez.AdvertisementMonitor1"
ADVERTISING_MANAGER = "org.bluez.LEAdvertisingManager1"
ADVERTISEMENT = "org.bluez.LEAdvertisement1"
APPLE = 0x004C

options = {"monitors": True, "release": False, "busy": 0, "advertising": "yes"}


def say(*words):
    print(*words, flush=True)


def failure(name, text):
    return dbus.exceptions.DBusException(text, name="org.bluez.Error." + name)


def announce_added(path, interfaces):
    mockobject.objects["/"].EmitSignal(
        OBJECT_MANAGER_IFACE, "InterfacesAdded", "oa{sa{sv}}", [dbus.ObjectPath(path), interfaces])


def announce_removed(path, interfaces):
    mockobject.objects["/"].EmitSignal(
        OBJECT_MANAGER_IFACE, "InterfacesRemoved", "oas", [dbus.ObjectPath(path), interfaces])


def announce_changed(path, interface, changed, invalidated=()):
    thing = mockobject.objects[path]
    thing.props[interface].update(changed)
    thing.EmitSignal(
        dbus.PROPERTIES_IFACE, "PropertiesChanged", "sa{sv}as",
        [interface, dbus.Dictionary(changed, signature="sv"), dbus.Array(invalidated, signature="s")])


class Adapter(mockobject.DBusMockObject):
    """An adapter: who listens on it, and how."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.monitors = {}
        self.filters = {}
        self.discoverers = set()
        self.advertisements = {}

    @property
    def is_powered(self):
        return bool(self.props[ADAPTER]["Powered"])

    @property
    def is_listening(self):
        return self.is_powered and bool(self.monitors or self.discoverers)

    @property
    def announces_duplicates(self):
        return any(self.filters.get(client, {}).get("DuplicateData") for client in self.discoverers)

    def client(self, sender, path):
        # By its unique name: there is nobody to start, and nothing to introspect.
        return self.connection.get_object(sender, path, introspect=False)

    @dbus.service.method(ADAPTER, in_signature="a{sv}", sender_keyword="sender")
    def SetDiscoveryFilter(self, wanted, sender=None):
        if not self.is_powered:
            raise failure("NotReady", "Resource Not Ready")
        say("filter", " ".join(f"{key}={wanted[key]}" for key in sorted(wanted)))
        self.filters[sender] = wanted

    @dbus.service.method(ADAPTER, sender_keyword="sender")
    def StartDiscovery(self, sender=None):
        if not self.is_powered:
            raise failure("NotReady", "Resource Not Ready")
        if options["busy"] > 0:
            options["busy"] -= 1
            raise failure("InProgress", "Operation already in progress")
        self.discoverers.add(sender)
        say("discovery on")

    @dbus.service.method(ADAPTER, sender_keyword="sender")
    def StopDiscovery(self, sender=None):
        if sender not in self.discoverers:
            raise failure("Failed", "No discovery started")
        self.discoverers.discard(sender)
        say("discovery off")

    @dbus.service.method(MANAGER, in_signature="o", sender_keyword="sender", async_callbacks=("done", "failed"))
    def RegisterMonitor(self, application, sender=None, done=None, failed=None):
        if (sender, application) in self.monitors:
            failed(failure("AlreadyExists", "Already Exists"))
            return

        def listed(objects):
            monitors = []
            for path, interfaces in objects.items():
                properties = interfaces.get(MONITOR)
                if properties is None or not path.startswith(application):
                    continue
                patterns = properties["Patterns"]
                say("monitor", properties["Type"], f"period={properties['RSSISamplingPeriod']}", patterns.signature,
                    " ".join(f"{int(start)}:{int(kind):02X}:{bytes(content).hex().upper()}"
                             for start, kind, content in patterns))
                monitors.append(path)
            done()
            for path in monitors:
                monitor = self.client(sender, path)
                if options["release"]:
                    monitor.Release(dbus_interface=MONITOR, ignore_reply=True)
                else:
                    self.monitors[(sender, application)] = monitor
                    monitor.Activate(dbus_interface=MONITOR, ignore_reply=True)

        self.client(sender, application).GetManagedObjects(
            dbus_interface=OBJECT_MANAGER_IFACE, reply_handler=listed,
            error_handler=lambda error: failed(failure("Failed", str(error))))

    @dbus.service.method(MANAGER, in_signature="o", sender_keyword="sender")
    def UnregisterMonitor(self, application, sender=None):
        monitor = self.monitors.pop((sender, application), None)
        if monitor is None:
            raise failure("DoesNotExist", "Does Not Exist")
        say("monitor off")
        monitor.Release(dbus_interface=MONITOR, ignore_reply=True)

    @dbus.service.method(ADVERTISING_MANAGER, in_signature="oa{sv}", sender_keyword="sender",
                         async_callbacks=("done", "failed"))
    def RegisterAdvertisement(self, path, _options, sender=None, done=None, failed=None):
        if options["advertising"] == "full":
            failed(failure("NotPermitted", "Maximum advertisements reached"))
            return

        def read(properties):
            data = properties["ManufacturerData"]
            say("advertisement", properties["Type"], data.signature,
                " ".join(f"{int(company):04X}:{bytes(octets).hex().upper()}" for company, octets in data.items()),
                f"{int(properties['MinInterval'])}-{int(properties['MaxInterval'])}")
            self.advertisements[sender, path] = self.client(sender, path)
            if options["advertising"] != "unanswered":
                done()

        self.client(sender, path).GetAll(
            ADVERTISEMENT, dbus_interface=dbus.PROPERTIES_IFACE, reply_handler=read,
            error_handler=lambda error: failed(failure("Failed", str(error))))

    @dbus.service.method(ADVERTISING_MANAGER, in_signature="o", sender_keyword="sender")
    def UnregisterAdvertisement(self, path, sender=None):
        if self.advertisements.pop((sender, path), None) is None:
            raise failure("DoesNotExist", "Does Not Exist")
        say("advertisement off")


def load(_mock, parameters):
    options.update({key: value for key, value in parameters.items() if key in options})
    say("ready")


@dbus.service.method(MOCK, in_signature="sb")
def AddAdapter(self, name, is_powered):
    path = "/org/bluez/" + name
    properties = {
        "Address": dbus.String("02:00:00:00:00:0" + name[-1]),
        "AddressType": dbus.String("public"),
        "Powered": dbus.Boolean(is_powered),
        "Discovering": dbus.Boolean(False),
    }
    self.AddObject(path, ADAPTER, properties, [], mock_class=Adapter)
    interfaces = {ADAPTER: properties}
    if options["monitors"]:
        manager = {"SupportedMonitorTypes": dbus.Array(["or_patterns"], signature="s"),
                   "SupportedFeatures": dbus.Array([], signature="s")}
        mockobject.objects[path].AddProperties(MANAGER, manager)
        interfaces[MANAGER] = manager
    if options["advertising"] != "no":
        manager = {"ActiveInstances": dbus.Byte(0), "SupportedInstances": dbus.Byte(5),
                   "SupportedFeatures": dbus.Array([], signature="s")}
        mockobject.objects[path].AddProperties(ADVERTISING_MANAGER, manager)
        interfaces[ADVERTISING_MANAGER] = manager
    announce_added(path, interfaces)


@dbus.service.method(MOCK, in_signature="s")
def RemoveAdapter(self, name):
    path = "/org/bluez/" + name
    for device in [other for other in mockobject.objects if other.startswith(path + "/")]:
        self.RemoveObject(device)
        announce_removed(device, [DEVICE])
    self.RemoveObject(path)
    announce_removed(path, [ADAPTER, MANAGER])


@dbus.service.method(MOCK, in_signature="sb")
def SetPowered(_self, name, is_powered):
    adapter = mockobject.objects["/org/bluez/" + name]
    if not is_powered:
        for monitor in adapter.monitors.values():
            monitor.Release(dbus_interface=MONITOR, ignore_reply=True)
        for advertisement in adapter.advertisements.values():
            advertisement.Release(dbus_interface=ADVERTISEMENT, ignore_reply=True)
        adapter.monitors = {}
        adapter.advertisements = {}
        adapter.discoverers = set()
    announce_changed("/org/bluez/" + name, ADAPTER, {"Powered": dbus.Boolean(is_powered)})


@dbus.service.method(MOCK, in_signature="sssnay", out_signature="b")
def Hear(self, name, address, kind, rssi, data):
    """A device advertises: Apple's manufacturer data. Whether anything was announced."""
    adapter = mockobject.objects["/org/bluez/" + name]
    if not adapter.is_listening:
        return False
    path = f"/org/bluez/{name}/dev_{address.replace(':', '_')}"
    data = dbus.Dictionary({dbus.UInt16(APPLE): dbus.Array(data, signature="y", variant_level=1)}, signature="qv")
    if path not in mockobject.objects:
        properties = {
            "Address": dbus.String(address), "AddressType": dbus.String(kind), "Alias": dbus.String(address),
            "Adapter": dbus.ObjectPath("/org/bluez/" + name), "Paired": dbus.Boolean(False),
            "RSSI": dbus.Int16(rssi), "ManufacturerData": data,
        }
        self.AddObject(path, DEVICE, properties, [])
        announce_added(path, {DEVICE: properties})
        for monitor in adapter.monitors.values():
            monitor.DeviceFound(dbus.ObjectPath(path), dbus_interface=MONITOR, ignore_reply=True)
        return True
    known = mockobject.objects[path].props[DEVICE]
    changed = {}
    if known["RSSI"] != rssi:
        changed["RSSI"] = dbus.Int16(rssi)
    if known["ManufacturerData"] != data or adapter.announces_duplicates:
        changed["ManufacturerData"] = data
    if changed:
        announce_changed(path, DEVICE, changed)
    return bool(changed)
