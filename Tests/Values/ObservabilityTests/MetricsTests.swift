import Observability
import Testing

@Suite("Metrics")
struct MetricsTests {
    @Test("Counters, gauges and histograms are written in the Prometheus text form")
    func exposition() {
        let metrics = Metrics()
        let events = metrics.counter("events_total", help: "Events\nwritten.", labels: ["type"])
        events.increment(["a\"b\\c\n"])
        events.increment(by: 2.5, ["z"])
        events.increment(by: -1, ["z"])
        let depth = metrics.gauge("depth", help: "Depth.")
        depth.set(4)
        depth.add(-1)
        let times = metrics.histogram("seconds", help: "Time.", buckets: [0.1, 1], labels: ["route"])
        times.observe(0.1, ["x"])
        times.observe(.milliseconds(500), ["x"])
        times.observe(7, ["x"])
        let expected = #"""
            # HELP depth Depth.
            # TYPE depth gauge
            depth 3
            # HELP events_total Events\nwritten.
            # TYPE events_total counter
            events_total{type="a\"b\\c\n"} 1
            events_total{type="z"} 2.5
            # HELP seconds Time.
            # TYPE seconds histogram
            seconds_bucket{route="x",le="0.1"} 1
            seconds_bucket{route="x",le="1"} 2
            seconds_bucket{route="x",le="+Inf"} 3
            seconds_sum{route="x"} 7.6
            seconds_count{route="x"} 3

            """#
        #expect(metrics.text() == expected)
    }

    @Test("A counter without labels starts at zero; the same name returns the same counter")
    func registry() {
        let metrics = Metrics()
        let one = metrics.counter("a_total", help: "A.")
        #expect(metrics.text().hasSuffix("\na_total 0\n"))
        metrics.counter("a_total", help: "A.").increment()
        #expect(one.value() == 1)
    }

    @Test("Concurrent changes are all counted")
    func concurrent() async {
        let counter = Metrics().counter("b_total", help: "B.")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<1_000 { counter.increment() } } }
        }
        #expect(counter.value() == 4_000)
    }
}

@Suite("The trace context")
struct TraceContextTests {
    @Test("What is written can be parsed, and a child stays in its trace")
    func roundTrip() throws {
        let trace = TraceContext.make()
        let read = try #require(TraceContext(traceparent: trace.traceparent))
        #expect(read == trace)
        #expect(trace.child().traceId == trace.traceId)
        #expect(trace.child().spanId != trace.spanId)
        #expect(
            TraceContext(traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")?.isSampled == false)
        #expect(TraceContext(traceparent: "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more") != nil)
    }

    @Test(
        "What the recommendation does not allow is refused",
        arguments: [
            "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more",
            "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
        ])
    func refused(_ text: String) { #expect(TraceContext(traceparent: text) == nil) }
}
