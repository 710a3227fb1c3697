@main
struct BeaconContentImages {
    static func main() {}
}
