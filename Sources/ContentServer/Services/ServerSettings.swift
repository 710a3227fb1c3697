/// How the content server runs.
package struct ServerSettings: Sendable {
    /// The folder with the database and the media.
    package var state: String
    /// Where the pages and the content are found from outside, without a slash at the end, for links that are printed
    /// or copied: `https://content.museum.example`.
    package var address: String
    /// The names under which this server is addressed, besides addresses and `localhost`.
    package var hosts: [String] = []
    /// Addresses or networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count.
    package var proxies: [AddressRange] = []
    /// The folder with third-party scripts and styles, served below `/vendor/`; nil if there is none.
    package var vendor: String?
    /// A folder whose templates, languages and assets are read instead of the embedded ones, at each request.
    package var resources: String?
    /// The bearer token that readers of `/v1` have to send; nil if everyone may read.
    package var readToken: String?
    /// The largest uploaded file, in bytes.
    package var largestUpload: Int64 = 2 << 30

    package init(state: String, address: String) {
        self.state = state
        self.address = address
    }
}
