/// The stocks that the tracker has where no file names others. The companies are made up: nobody should take a random
/// price for a real one's.
extension TrackedStock {
    public static let bundled: [TrackedStock] = [
        TrackedStock(
            symbol: "AERO", company: "Aeronaut Balloons",
            description: "Passenger balloons and the small airports they land on.", initialPrice: 412.80),
        TrackedStock(
            symbol: "ALP-1", company: "Alpine Ropeways",
            description: "Builds cable cars, and runs nine of them in the eastern Alps.", initialPrice: 96.35),
        TrackedStock(
            symbol: "AMBR", company: "Amber Lamps",
            description: "Street lamps that dim themselves while nobody passes.", initialPrice: 58.20),
        TrackedStock(
            symbol: "BARQ", company: "Barque Shipping",
            description: "Carries grain under sail between forty harbours.", initialPrice: 231.10),
        TrackedStock(
            symbol: "BLU.B", company: "Blue Anvil",
            description: "Forges tools by hydrogen instead of coal; this is its share without a vote.",
            initialPrice: 1_284.50),
        TrackedStock(
            symbol: "CEDR", company: "Cedar & Sons",
            description: "Furniture from trees that it plants itself.", initialPrice: 37.45),
        TrackedStock(
            symbol: "CLAY", company: "Claypipe Systems",
            description: "Drains, gutters and the sensors that say when they overflow.", initialPrice: 22.96),
        TrackedStock(
            symbol: "DUNE", company: "Dune Solar",
            description: "Solar fields in four deserts, and the cables to reach them.", initialPrice: 148.75),
        TrackedStock(
            symbol: "ECHO", company: "Echo Sounding",
            description: "Maps the sea bed for cables and wind farms.", initialPrice: 604.40),
        TrackedStock(
            symbol: "FERN", company: "Fern Pharma",
            description: "Medicines against tropical fevers.", initialPrice: 315.90),
        TrackedStock(
            symbol: "GLAS", company: "Glasshouse Foods",
            description: "Vegetables from greenhouses heated by data centres.", initialPrice: 44.15),
        TrackedStock(
            symbol: "H2O", company: "Clearwater Works",
            description: "Filters for wells, hospitals and whole towns.", initialPrice: 189.60),
        TrackedStock(
            symbol: "IRIS", company: "Iris Optics",
            description: "Lenses for telescopes, telephones and eyes.", initialPrice: 2_450.00),
        TrackedStock(
            symbol: "KELP", company: "Kelp Harvest",
            description: "Grows seaweed for food, fodder and packaging.", initialPrice: 12.34),
        TrackedStock(
            symbol: "LOOM", company: "Loomworks",
            description: "Knitting machines that make a garment in one piece.", initialPrice: 73.08),
        TrackedStock(
            symbol: "MINT", company: "Mint Savings Bank",
            description: "A bank without branches for people without payslips.", initialPrice: 51.72),
        TrackedStock(
            symbol: "NOVA-2", company: "Nova Launch",
            description: "Brings small satellites up with a rocket that comes back.", initialPrice: 877.25),
        TrackedStock(
            symbol: "OAK.N", company: "Oakridge Insurance",
            description: "Insures forests, vineyards and those who work in them.", initialPrice: 264.30),
        TrackedStock(
            symbol: "PLUM", company: "Plumline Survey",
            description: "Measures bridges from the air and tells which one is tired.", initialPrice: 118.05),
        TrackedStock(
            symbol: "QUAY", company: "Quayside Cranes",
            description: "Cranes that unload ships by themselves at night.", initialPrice: 405.66),
        TrackedStock(
            symbol: "RAIL", company: "Northern Sleeper",
            description: "Night trains from city centre to city centre.", initialPrice: 29.90),
        TrackedStock(
            symbol: "SALT", company: "Salt Cavern Storage",
            description: "Keeps summer's electricity for winter, as hydrogen underground.", initialPrice: 83.40),
        TrackedStock(
            symbol: "TIDE", company: "Tidewater Power",
            description: "Turbines in the narrow straits of four seas.", initialPrice: 141.17),
        TrackedStock(
            symbol: "VELO", company: "Velo Freight",
            description: "Delivers in cities by cargo bicycle.", initialPrice: 18.62),
        TrackedStock(
            symbol: "WREN", company: "Wren Robotics",
            description: "Robots that pick what is ripe and leave what is not.", initialPrice: 5_320.00),
    ]
}
