/// Where no file names others. The companies are made up, so that no random price passes for a real one's.
extension TrackedStock {
    public static let bundled = listed.map { TrackedStock(symbol: $0, company: $2, description: $3, initialPrice: $1) }

    private static let listed: [(symbol: String, price: Double, company: String, description: String)] = [
        ("AERO", 412.80, "Aeronaut Balloons", "Passenger balloons and the small airports they land on."),
        ("ALP-1", 96.35, "Alpine Ropeways", "Builds cable cars, and runs nine of them in the eastern Alps."),
        ("AMBR", 58.20, "Amber Lamps", "Street lamps that dim themselves in empty streets."),
        ("BARQ", 231.10, "Barque Shipping", "Carries grain under sail between forty harbours."),
        (
            "BLU.B", 1_284.50, "Blue Anvil",
            "Forges tools by hydrogen instead of coal; this is its share without a vote."
        ),
        ("CEDR", 37.45, "Cedar & Sons", "Furniture from trees that it plants itself."),
        ("CLAY", 22.96, "Claypipe Systems", "Drains, gutters and the sensors that say when they overflow."),
        ("DUNE", 148.75, "Dune Solar", "Solar fields in four deserts, and the cables to reach them."),
        ("ECHO", 604.40, "Echo Sounding", "Maps the sea bed for cables and wind farms."),
        ("FERN", 315.90, "Fern Pharma", "Medicines against tropical fevers."),
        ("GLAS", 44.15, "Glasshouse Foods", "Vegetables from greenhouses heated by data centres."),
        ("H2O", 189.60, "Clearwater Works", "Filters for wells, hospitals and whole towns."),
        ("IRIS", 2_450.00, "Iris Optics", "Lenses for telescopes, telephones and eyes."),
        ("KELP", 12.34, "Kelp Harvest", "Grows seaweed for food, fodder and packaging."),
        ("LOOM", 73.08, "Loomworks", "Knitting machines that make a garment in one piece."),
        ("MINT", 51.72, "Mint Savings Bank", "A bank without branches for people without payslips."),
        ("NOVA-2", 877.25, "Nova Launch", "Brings small satellites up with a rocket that comes back."),
        ("OAK.N", 264.30, "Oakridge Insurance", "Insures forests, vineyards and those who work in them."),
        ("PLUM", 118.05, "Plumline Survey", "Measures bridges from the air and finds the worn ones."),
        ("QUAY", 405.66, "Quayside Cranes", "Cranes that unload ships by themselves at night."),
        ("RAIL", 29.90, "Northern Sleeper", "Night trains from city centre to city centre."),
        ("SALT", 83.40, "Salt Cavern Storage", "Keeps summer's electricity for winter, as hydrogen underground."),
        ("TIDE", 141.17, "Tidewater Power", "Turbines in the narrow straits of four seas."),
        ("VELO", 18.62, "Velo Freight", "Delivers in cities by cargo bicycle."),
        ("WREN", 5_320.00, "Wren Robotics", "Robots that pick what is ripe and leave what is not."),
    ]
}
