import ContentServer
import CurationStore
import TestSupport
import Testing

/// Who may do what: each operation of the server, asked by a stranger and with each role.
@Suite("Access", .timeLimit(.minutes(10)))
struct AccessTests {
    /// The least role that each operation needs. `everyone` also answers strangers; `token` answers programs only.
    private static let declared = [
        "everyone": """
        GET /api
        GET /api/v1/openapi.json
        GET /assets/{name}
        GET /link/{secret}
        GET /sign-in
        GET /v1/**
        GET /vendor/**
        POST /language
        POST /link/{secret}
        POST /sign-in
        POST /sign-out
        """,
        "token": "POST /v1/reports",
        "viewer": """
        GET /
        GET /account
        GET /beacons
        GET /beacons/new
        GET /beacons/{id}
        GET /beacons/{id}/delete
        GET /bin
        GET /components
        GET /devices
        GET /exchange
        GET /exchange/beacons.csv
        GET /exchange/site.zip
        GET /exchange/texts.csv
        GET /exchange/tour.xml
        GET /history
        GET /images/{id}
        GET /images/{id}/contents/{side}
        GET /images/{id}/delete
        GET /images/{id}/page
        GET /media
        GET /media/pick
        GET /media/{id}
        GET /media/{id}/crop
        GET /media/{id}/delete
        GET /media/{id}/file
        GET /media/{id}/picture
        GET /pictures/{hash}/{size}
        GET /plans
        GET /plans/{id}
        GET /plans/{id}/delete
        GET /publish
        GET /revisions
        GET /search
        GET /session
        GET /site
        GET /statistics
        GET /uncategorized
        POST /account/look
        POST /account/password
        POST /presence/{id}
        GET /api/v1/beacons
        GET /api/v1/beacons/{id}
        GET /api/v1/beacons/{id}/images
        GET /api/v1/beacons/{id}/uses
        GET /api/v1/beacons/{id}/versions/{number}
        GET /api/v1/changes
        GET /api/v1/changes/{number}
        GET /api/v1/check
        GET /api/v1/devices
        GET /api/v1/export/beacons.csv
        GET /api/v1/export/site.zip
        GET /api/v1/export/texts.csv
        GET /api/v1/export/tour.xml
        GET /api/v1/images
        GET /api/v1/images/{id}
        GET /api/v1/images/{id}/uses
        GET /api/v1/images/{id}/versions/{number}
        GET /api/v1/media
        GET /api/v1/media/{id}
        GET /api/v1/media/{id}/uses
        GET /api/v1/media/{id}/versions/{number}
        GET /api/v1/pending
        GET /api/v1/plans
        GET /api/v1/plans/{id}
        GET /api/v1/plans/{id}/uses
        GET /api/v1/plans/{id}/versions/{number}
        GET /api/v1/revisions
        GET /api/v1/revisions/{number}
        GET /api/v1/site
        GET /api/v1/statistics
        GET /api/v1/uncategorized/images
        """,
        "editor": """
        GET /preview
        GET /preview/view/{preview}
        GET /preview/view/{preview}/**
        POST /beacons
        POST /beacons/{id}
        POST /beacons/{id}/delete
        POST /beacons/{id}/images
        POST /beacons/{id}/order
        POST /bin/{id}/restore
        POST /devices/forget
        POST /exchange
        POST /exchange/apply
        POST /history/{number}/undo
        POST /images/{id}
        POST /images/{id}/contents/{side}
        POST /images/{id}/contents/{side}/delete
        POST /images/{id}/contents/{side}/picture
        POST /images/{id}/copy
        POST /images/{id}/delete
        POST /images/{id}/page
        POST /images/{id}/page/delete
        POST /images/{id}/picture
        POST /media
        POST /media/{id}
        POST /media/{id}/crop
        POST /media/{id}/delete
        POST /media/{id}/replace
        POST /paste
        POST /plans
        POST /plans/{id}
        POST /plans/{id}/delete
        POST /plans/{id}/places
        POST /preview
        POST /publish
        POST /revisions/{number}/roll-back
        POST /uncategorized/images
        POST /uncategorized/order
        DELETE /api/v1/beacons/{id}
        DELETE /api/v1/devices/{host}
        DELETE /api/v1/images/{id}
        DELETE /api/v1/media/{id}
        DELETE /api/v1/plans/{id}
        POST /api/v1/beacons
        POST /api/v1/beacons/{id}/restore
        POST /api/v1/changes/{number}/undo
        POST /api/v1/images
        POST /api/v1/import/beacons.csv
        POST /api/v1/import/site.zip
        POST /api/v1/import/texts.csv
        POST /api/v1/images/{id}/restore
        POST /api/v1/media/{id}/restore
        POST /api/v1/plans
        POST /api/v1/plans/{id}/restore
        POST /api/v1/revisions
        POST /api/v1/revisions/{number}/rollback
        POST /api/v1/uploads
        PUT /api/v1/beacons/{id}
        PUT /api/v1/beacons/{id}/images
        PUT /api/v1/images/{id}
        PUT /api/v1/media/{id}
        PUT /api/v1/plans/{id}
        PUT /api/v1/uncategorized/images
        """,
        "administrator": """
        GET /accounts
        GET /tokens
        POST /accounts
        POST /accounts/link
        POST /accounts/remove
        POST /accounts/role
        POST /accounts/withdraw
        POST /bin/empty
        POST /site
        POST /tokens
        POST /tokens/{number}/revoke
        DELETE /api/v1/accounts/{name}
        DELETE /api/v1/bin
        DELETE /api/v1/tokens/{number}
        GET /api/v1/accounts
        GET /api/v1/tokens
        PATCH /api/v1/accounts/{name}
        POST /api/v1/accounts
        POST /api/v1/accounts/{name}/link
        POST /api/v1/tokens
        PUT /api/v1/site
        """,
    ]

    private static let least: [String: String] = Dictionary(
        uniqueKeysWithValues: declared.flatMap { role, operations in
            operations.split(separator: "\n").map { (String($0), role) }
        })

    private static func mayAsk(_ least: String, _ role: Account.Role?) -> Bool {
        switch least {
        case "everyone": true
        case "token": false
        default: role.flatMap { role in Account.Role(rawValue: least).map { role >= $0 } } ?? false
        }
    }

    @Test("is declared for each operation of the server, and for no other")
    func complete() async throws {
        let server = try await CuratorServer()
        let operations = CuratorRouter.operations(server.services)
        #expect(operations.subtracting(Self.least.keys).sorted() == [])
        #expect(Set(Self.least.keys).subtracting(operations).sorted() == [])
    }

    @Test("is as declared", arguments: [nil] + Account.Role.allCases)
    func asDeclared(role: Account.Role?) async throws {
        let server = try await CuratorServer()
        // Who asks is not the only administrator.
        try await server.account("other", .administrator)
        try await server.account("ana", role ?? .viewer)
        let (cookie, csrf) = role == nil ? try await server.visit() : try await server.signIn("ana")
        var wrong: [String] = []
        // Signing in or out ends the session.
        for operation in Self.least.keys.sorted() where !operation.contains("/sign-") {
            let answer = try await ask(operation, server, cookie, csrf)
            let isRefused =
                [401, 403].contains(answer.status)
                || answer.status == 303 && answer.fields["location"]?.hasPrefix("/sign-in") == true
            let may = Self.mayAsk(Self.least[operation] ?? "", role)
            if isRefused == may || answer.status >= 500 { wrong.append("\(operation): \(answer.status)") }
        }
        #expect(wrong == [])
    }

    private func ask(
        _ operation: String, _ server: CuratorServer, _ cookie: String, _ csrf: String
    ) async throws -> RawResponse {
        let parts = operation.split(separator: " ").map(String.init)
        let path = parts[1].replacing("{id}", with: "abc").replacing("{number}", with: "1")
            .replacing("{host}", with: "x").replacing("{side}", with: "left").replacing("{hash}", with: "x")
            .replacing("{size}", with: "320").replacing("{preview}", with: "x").replacing("**", with: "x")
            .replacing("{secret}", with: "x").replacing("{name}", with: "x")
        var fields = ["Cookie: \(cookie)", "X-CSRF-Token: \(csrf)", "If-Match: *"]
        if parts[0] == "GET" { return try await server.ask(path, fields) }
        let isProgram = path.hasPrefix("/api/") || path.hasPrefix("/v1/")
        fields.append("Content-Type: \(isProgram ? "application/json" : "application/x-www-form-urlencoded")")
        return try await server.ask(path, method: parts[0], fields, body: isProgram ? "{}" : "csrf=\(csrf)")
    }
}
