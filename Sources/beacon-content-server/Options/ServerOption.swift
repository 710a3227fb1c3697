import ArgumentParser
import Console

/// Every option of the server, declared once: its name, its environment variable, its default and its help.
enum ServerOption: String, CaseIterable {
    case state, listen, address, host, proxy, certificate, key, vendor, resources
    case readToken = "read-token-file"
    case signingKey = "signing-key"
    case publishFolder = "publish-folder"
    case uploadLimit = "upload-limit"
    case connections = "max-connections"
    case broker = "mqtt"
    case brokerPassword = "mqtt-password-file"
    case brokerAuthority = "mqtt-ca-file"
    case brokerCertificate = "mqtt-certificate-file"
    case brokerKey = "mqtt-key-file"
    case brokerClient = "mqtt-client"
    case topicPrefix = "mqtt-topic-prefix"

    var name: NameSpecification {
        switch self {
        case .certificate: .customLong("tls-certificate")
        case .key: .customLong("tls-key")
        default: .customLong(rawValue)
        }
    }

    /// The environment variable that stands for the option.
    var variable: String {
        let name =
            switch self {
            case .certificate: "tls-certificate"
            case .key: "tls-key"
            default: rawValue
            }
        return "BEACON_CONTENT_SERVER_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// Nil if there is nothing without the option.
    var standard: String? {
        switch self {
        case .state: "/var/lib/beacon-content-server"
        case .listen: "127.0.0.1:8090"
        case .vendor: "/usr/share/beacon-content-server/vendor"
        case .uploadLimit: "2048"
        case .connections: "1024"
        case .topicPrefix: "beacond"
        default: nil
        }
    }

    var help: ArgumentHelp {
        let (text, value) = words
        let end = standard.map { " (default: \($0); variable: \(variable))" } ?? " (variable: \(variable))"
        return ArgumentHelp(String(text.dropLast()) + end + ".", valueName: value)
    }

    private var words: (text: String, value: String) {
        switch self {
        case .state: ("The folder with the database and the media.", "folder")
        case .listen: ("The address and port to listen on.", "address:port")
        case .address: ("Where people find the pages, for links: https://content.museum.example.", "url")
        case .host: ("Another name under which the server is addressed; may be repeated.", "name")
        case .proxy:
            ("A proxy, or a network of proxies, whose X-Forwarded-For and -Proto count; may be repeated.", "address")
        case .certificate: ("Serve over TLS with this certificate and its chain, in PEM form.", "file")
        case .key: ("The key of the certificate, in PEM form.", "file")
        case .vendor: ("The folder with third-party scripts of the pages.", "folder")
        case .resources:
            ("For developers: read templates, languages and assets from this folder at each request.", "folder")
        case .readToken: ("Readers of /v1 have to send the token in this file.", "file")
        case .signingKey: ("Sign what is published with this key, which keygen makes.", "file")
        case .publishFolder:
            ("Keep the static site of every publication in this folder, for a web server to serve.", "folder")
        case .uploadLimit: ("The largest upload in MiB.", "number")
        case .connections: ("The most connections at the same time.", "number")
        case .broker:
            ("Take devices' reports from this MQTT broker: mqtt://USER@HOST:1883, or mqtts:// with TLS.", "url")
        case .brokerPassword: ("The file with the password of the broker's user.", "file")
        case .brokerAuthority:
            ("Certificates that are trusted for the broker instead of the system's, in PEM form.", "file")
        case .brokerCertificate:
            ("The server's own certificate for the broker, if that asks for one, in PEM form.", "file")
        case .brokerKey: ("The key of that certificate, not encrypted.", "file")
        case .brokerClient:
            ("The server's name at the broker, which keeps reports for it; else made of the computer's name.", "name")
        case .topicPrefix: ("The first level or levels of the devices' topics.", "prefix")
        }
    }

    /// The value that counts: the option, the variable, or the default.
    func value(_ given: String?) -> String? {
        given ?? Environment.variables[variable] ?? standard
    }

    /// The values of an option that may be repeated; in the variable they are separated by commas.
    func values(_ given: [String]) -> [String] {
        guard given.isEmpty else { return given }
        return (Environment.variables[variable] ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
    }

    /// - Throws: `CommandFailure` if it is not a whole number in this range.
    func number(_ given: String?, in range: ClosedRange<Int>) throws(CommandFailure) -> Int {
        let text = value(given) ?? ""
        guard let number = Int(text), range.contains(number) else {
            throw .usage(
                "--\(rawValue) \(text) is no whole number from \(range.lowerBound) to \(range.upperBound); "
                    + "write one, or leave it out")
        }
        return number
    }
}
