public class AXDataAxisDescriptor {}

public final class AXNumericDataAxisDescriptor: AXDataAxisDescriptor {
    public enum ScaleType: Int, Sendable { case linear, log10, ln }

    public var scaleType = ScaleType.linear

    public init(
        title: String, range: ClosedRange<Double>, gridlinePositions: [Double],
        valueDescriptionProvider: @escaping (Double) -> String
    ) {}
}

public final class AXDataPoint {
    public init(x: Double, y: Double? = nil, label: String? = nil) {}
}

public final class AXDataSeriesDescriptor {
    public init(name: String, isContinuous: Bool, dataPoints: [AXDataPoint]) {}
}

public final class AXChartDescriptor {
    public init(
        title: String?, summary: String?, xAxis: AXDataAxisDescriptor, yAxis: AXNumericDataAxisDescriptor?,
        additionalAxes: [AXDataAxisDescriptor] = [], series: [AXDataSeriesDescriptor]
    ) {}
}
