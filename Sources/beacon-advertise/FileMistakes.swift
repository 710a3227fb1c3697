import Console
import YAMLText

/// Reports a file with mistakes as wrong usage, with all of them.
enum FileMistakes {
    static func asUsage<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as DocumentError {
            throw CommandFailure.usage("\(error)")
        }
    }
}
