extension Setting.Option {
    package static let source = Self(name: "source", valueName: "source", help: "Where to listen; may be repeated.")
    package static let baseURL = Self(name: "base-url", valueName: "url", help: "The content site.")
    package static let stateDirectory = Self(
        name: "state-dir", valueName: "directory", help: "Where content is kept.")
    package static let socket = Self(
        name: "socket", valueName: "path", help: "The Unix socket by which it can be asked, or none.")
}
