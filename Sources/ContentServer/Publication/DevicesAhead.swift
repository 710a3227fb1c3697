import CurationStore

extension Catalogue {
    /// Devices hold a later revision than this server, and what to do: for `{{>ahead}}`. Nothing if none does.
    func devicesAhead(_ numbers: RevisionNumbers) -> PageValue {
        guard let ahead = numbers.ahead else { return .none }
        let (held, current, next) = ("\(ahead)", "\(numbers.current)", "\(numbers.next)")
        return [
            "words": .text(text("revisions.ahead", held, current, next)),
            "current": numbers.current > 0 ? .text(current) : .none,
            "button": .text(text("revisions.ahead.button", current, next)),
        ]
    }
}
