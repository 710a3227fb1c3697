package import Bus
package import Events

/// Answers to method calls. Pure: the same call and the same state give the same answer.
package struct BusAnswers: Sendable {
    private let values: BusValues

    package init(values: BusValues) {
        self.values = values
    }

    package enum Outcome: Sendable {
        case answer(BusMessage)
        /// Sync the whole site; the answer says that the sync has started.
        case sync
    }

    package func outcome(_ call: BusMessage, _ snapshot: EventHub.Snapshot) -> Outcome {
        // A call may omit the interface.
        switch (call.interface, call.member) {
        case ("org.freedesktop.DBus.Introspectable", "Introspect"), (nil, "Introspect"):
            guard let text = Beacond1.introspection(of: call.path ?? "") else { return .answer(noObject(call)) }
            return .answer(call.answer([.string(text)]))
        case _ where call.path != Beacond1.path: return .answer(noObject(call))
        case ("org.freedesktop.DBus.Properties", "Get"), (nil, "Get"): return .answer(get(call, snapshot))
        case ("org.freedesktop.DBus.Properties", "GetAll"), (nil, "GetAll"): return .answer(getAll(call, snapshot))
        case ("org.freedesktop.DBus.Properties", "Set"), (nil, "Set"):
            return .answer(call.failure(BusError(.propertyReadOnly, "the properties of beacond can only be read")))
        case (Beacond1.interface, "GetRanging"), (nil, "GetRanging"):
            return .answer(withoutArguments(call) ?? call.answer(values.ranging(snapshot)))
        case (Beacond1.interface, "Sync"), (nil, "Sync"):
            return withoutArguments(call).map { .answer($0) } ?? .sync
        default:
            return .answer(
                call.failure(
                    BusError(
                        .unknownMethod,
                        "there is no method \(call.interface ?? "")\(call.member.map { ".\($0)" } ?? "")")))
        }
    }

    private func get(_ call: BusMessage, _ snapshot: EventHub.Snapshot) -> BusMessage {
        guard call.body.count == 2, case .string(let interface) = call.body[0], case .string(let name) = call.body[1]
        else {
            return call.failure(BusError(.invalidArguments, "Get takes an interface and a property"))
        }
        guard interface == Beacond1.interface || interface.isEmpty, let value = values.properties(snapshot)[name] else {
            return call.failure(BusError(.unknownProperty, "there is no property \(interface).\(name)"))
        }
        return call.answer([.variant(value)])
    }

    private func getAll(_ call: BusMessage, _ snapshot: EventHub.Snapshot) -> BusMessage {
        guard call.body.count == 1, case .string(let interface) = call.body[0] else {
            return call.failure(BusError(.invalidArguments, "GetAll takes an interface"))
        }
        // An unknown interface is answered like one without properties.
        let isOurs = interface == Beacond1.interface || interface.isEmpty
        return call.answer([.properties(isOurs ? values.properties(snapshot) : [:])])
    }

    private func noObject(_ call: BusMessage) -> BusMessage {
        call.failure(BusError(.unknownObject, "there is no object \(call.path ?? ""), only \(Beacond1.path)"))
    }

    private func withoutArguments(_ call: BusMessage) -> BusMessage? {
        call.body.isEmpty
            ? nil : call.failure(BusError(.invalidArguments, "\(call.member ?? "") takes no arguments"))
    }
}

extension BusError.Name {
    fileprivate static let propertyReadOnly = Self(rawValue: "org.freedesktop.DBus.Error.PropertyReadOnly")
}
