/// What the command line asks for.
struct Request {
    enum Job {
        case check
        case picture(PictureJob)
    }

    var job = Job.check
    /// The most pixels of a picture.
    var pixels = 50_000_000
    /// Bytes of address space.
    var memory: UInt64 = 1536 << 20

    /// Nil for what is no request.
    init?(_ arguments: some Sequence<String>) {
        var words = Array(arguments)[...]
        while let word = words.first, word.hasPrefix("--") {
            guard let value = words.dropFirst().first.flatMap({ Int($0) }), value > 0 else { return nil }
            switch word {
            case "--pixels": pixels = value
            case "--memory": memory = UInt64(value)
            default: return nil
            }
            words = words.dropFirst(2)
        }
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard let name = words.first, numbers.count == words.count - 1 else { return nil }
        switch (name, numbers.count) {
        case ("check", 0): job = .check
        case ("inspect", 0): job = .picture(.inspect)
        case ("turn", 1): job = .picture(.turn(orientation: numbers[0]))
        case ("crop", 4):
            job = .picture(.crop(left: numbers[0], top: numbers[1], width: numbers[2], height: numbers[3]))
        case ("thumbnail", 1): job = .picture(.thumbnail(width: numbers[0]))
        default: return nil
        }
    }
}

enum PictureJob {
    case inspect
    case turn(orientation: Int)
    case crop(left: Int, top: Int, width: Int, height: Int)
    case thumbnail(width: Int)
}
