// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.Outcome;
import io.thalweg.testkit.TestRunner;
import io.thalweg.testkit.TestSource;
import io.thalweg.testkit.contract.TimeCase.Row;
import io.thalweg.testkit.contract.TimeCase.Stamped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules of windows, watermarks and lateness, as specified in {@code time-rules.txt}, for any runner. */
@Timeout(900)
public abstract class TimeRulesContract {
    /** The runner under test. */
    protected abstract TestRunner road();

    static List<TimeCase> cases() {
        return TimeCase.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void shouldKeepTheRulesOfTime(TimeCase rule) throws Exception {
        TestSource<Stamped> source = source(rule);
        check(rule, road().run(topology(rule, source).graph()));
    }

    static TestSource<Stamped> source(TimeCase rule) {
        TestSource<Stamped> source =
                TestSource.of(Type.of(Stamped.class), rule.splits().size());
        for (int split = 0; split < rule.splits().size(); split++) {
            source.addTo(split, rule.splits().get(split));
        }
        return source.end();
    }

    static void check(TimeCase rule, Outcome outcome) {
        assertThat(settled(outcome.sink("windows")))
                .as("%s: windows", rule)
                .containsExactlyInAnyOrderElementsOf(rule.results());
        assertThat(outcome.sink("late"))
                .as("%s: late", rule)
                .containsExactlyInAnyOrderElementsOf(List.copyOf(rule.late()));
        assertThat(outcome.late())
                .as("%s: number of late records", rule)
                .isEqualTo(rule.late().size());
        assertThat(outcome.bad()).as("%s: number of bad records", rule).isEqualTo(rule.bad());
    }

    /** Its own sinks are not opened. */
    static Topology topology(TimeCase rule, TestSource<Stamped> source) {
        CollectSink<Row> windows = CollectSink.of(Row.class);
        CollectSink<Stamped> late = CollectSink.of(Stamped.class);
        SideOutput<Stamped> side = SideOutput.of("late", Stamped.class);
        Topology topology = Topology.named(rule.name());
        Stream<WindowResult<String, List<Stamped>>> results = topology.from(source)
                .eventTime(Stamped::time, Duration.ofMillis(rule.boundMs()))
                .keyBy(Stamped::key)
                .window(rule.window())
                .allowedLateness(Duration.ofMillis(rule.allowedLatenessMs()))
                .lateTo(side)
                .aggregate(Aggregates.list(Type.of(Stamped.class)));
        results.map(TimeRulesContract::row).to(windows).name("windows");
        results.side(side).to(late).name("late");
        return topology;
    }

    private static Row row(WindowResult<String, List<Stamped>> result) {
        return new Row(
                result.key(),
                result.start(),
                result.end(),
                result.value().stream()
                        .map(stamped -> Objects.requireNonNull(stamped.time()))
                        .sorted()
                        .toList());
    }

    /**
     * Of the results for a key and window the last one counts. A session that grew after it had fired leaves the result
     * of its first part behind.
     */
    private static Collection<Row> settled(List<Object> rows) {
        Map<Row, Row> last = new LinkedHashMap<>();
        for (Object each : rows) {
            Row row = (Row) each;
            last.put(new Row(row.key(), row.start(), row.end(), List.of()), row);
        }
        List<Row> settled = new ArrayList<>(last.values());
        settled.removeIf(row -> last.values().stream().anyMatch(other -> isPartOf(row, other)));
        return settled;
    }

    private static boolean isPartOf(Row row, Row other) {
        return other.key().equals(row.key())
                && other.start() <= row.start()
                && row.end() <= other.end()
                && other.times().size() > row.times().size()
                && other.times().containsAll(row.times());
    }
}
