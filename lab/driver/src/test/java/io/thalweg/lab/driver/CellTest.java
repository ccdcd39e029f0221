// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CellTest {
    /** Otherwise a cell is measured with a setting that it does not have. */
    @Test
    void shouldRefuseASettingThatIsNotKnown() {
        assertThatThrownBy(() -> cell(Map.of("maxpending", "50")).check())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no setting 'maxpending'; did you mean 'max-pending'?");
        assertThatThrownBy(() -> cell(Map.of("wrokload", "relay")).check())
                .hasMessage("there is no setting 'wrokload'; did you mean 'workload'?");
        assertThatThrownBy(() -> cell(Map.of("colour", "blue")).check())
                .hasMessageStartingWith("there is no setting 'colour'; there are ack-timeout-s, ackers, acks, batch,");
    }

    @Test
    void shouldRefuseAValueThatCannotBe() {
        assertThatThrownBy(() -> cell(Map.of("guarantee", "AT_LEAST_ONCE")).check())
                .hasMessage("guarantee cannot be AT_LEAST_ONCE, but none, acked, at-least-once, exactly-once");
        assertThatThrownBy(() -> cell(Map.of("from", "nats")).check())
                .hasMessage("from cannot be nats, but generated, kafka");
        assertThatThrownBy(() -> cell(Map.of("batch", "all")).check())
                .hasMessage("batch must be a whole number, not all");
        assertThatThrownBy(() -> cell(Map.of("processes", "3")).check()).hasMessage("processes is 1 or 2, not 3");
        assertThatThrownBy(() -> cell(Map.of("payload", "7")).check())
                .hasMessage("payload is 0 or at least 8, which hold the record's number, not 7");
    }

    @Test
    void shouldRefuseToKillWhereNothingCouldBeToldOfIt() {
        Map<String, String> killed = Map.of("kill", "worker", "guarantee", "at-least-once");
        cell(killed).check();
        assertThatThrownBy(() -> cell(killed)
                        .with(Map.of("guarantee", "none"), Path.of(""))
                        .check())
                .hasMessageStartingWith("kill needs a guarantee");
        for (Map<String, String> more : List.of(Map.of("workload", "group-by"), Map.of("from", "kafka"))) {
            assertThatThrownBy(() -> cell(killed).with(more, Path.of("")).check())
                    .hasMessage("kill is of workload relay with generated records");
        }
        for (Map<String, String> more :
                List.of(Map.of("records", "10"), Map.of("check", "true"), Map.of("rate-search", "10"))) {
            assertThatThrownBy(() -> cell(killed).with(more, Path.of("")).check())
                    .hasMessageStartingWith("kill goes without records, check and rate-search");
        }
    }

    @Test
    void shouldRefuseWhatCannotBeToldApart() {
        assertThatThrownBy(() -> cell(Map.of("layers", "-1")).check()).hasMessage("layers is 0 or more, not -1");
        assertThatThrownBy(() -> cell(Map.of("layers", "0", "processes", "2", "placement", "between"))
                        .check())
                .hasMessage("placement between needs layers of relays, and there are none");
        assertThatThrownBy(() -> cell(Map.of("waiting", "spin")).check())
                .hasMessageStartingWith("waiting spin needs a rate of generated records");
        assertThatThrownBy(() -> cell(Map.of("waiting", "park", "rate", "1000", "from", "kafka"))
                        .check())
                .hasMessageStartingWith("waiting park needs a rate of generated records");
        cell(Map.of("waiting", "park", "rate", "1000")).check();
        assertThatThrownBy(() -> cell(Map.of("emission-s", "300")).check())
                .hasMessage("emission-s is of workload group-by with one source");
    }

    /** A figure would be reported as of a cell with that, which it is not. */
    @Test
    void shouldRefuseWhatWouldBePassedOver() {
        assertThatThrownBy(() ->
                        cell(Map.of("workload", "group-by", "payload", "100")).check())
                .hasMessage("payload is of workload relay, produce or consume");
        for (Map.Entry<String, String> each : Map.of(
                        "stamps", "true", "hoard", "1_000", "processer", "python", "stall-ms", "1")
                .entrySet()) {
            assertThatThrownBy(() -> cell(Map.of("workload", "windows", each.getKey(), each.getValue()))
                            .check())
                    .hasMessage(each.getKey() + " is of workload relay");
        }
        cell(Map.of("workload", "windows", "payload", "0", "hoard", "0", "stamps", "false"))
                .check();
        cell(Map.of("workload", "produce", "payload", "100", "rate", "10")).check();
        assertThatThrownBy(() -> cell(Map.of("child", "lean")).check()).hasMessage("child is of processer python");
        cell(Map.of("child", "lean", "processer", "python")).check();
        for (Map<String, String> each : List.of(
                Map.of("from", "kafka", "rate", "1000"),
                Map.of("from", "kafka", "rate-search", "9000"),
                Map.of("workload", "consume", "rate", "1000"))) {
            assertThatThrownBy(() -> cell(each).check())
                    .hasMessageStartingWith("a rate is of records that are generated");
        }
        for (Map<String, String> each : List.of(
                Map.of("heap", "1g", "processes", "2"),
                Map.of("heap", "1g", "workload", "produce"),
                Map.of("heap", "1g", "workload", "files"))) {
            assertThatThrownBy(() -> cell(each).check()).hasMessageStartingWith("heap is of engines in one process");
        }
        cell(Map.of("heap", "1g")).check();
    }

    /** Otherwise they would divide by zero somewhere, or be taken for nothing said. */
    @Test
    void shouldRefuseANumberThatIsTooSmall() {
        assertThatThrownBy(() -> cell(Map.of("sinks", "0")).check()).hasMessage("sinks is 1 or more, not 0");
        assertThatThrownBy(() -> cell(Map.of("step-ms", "0")).check()).hasMessage("step-ms is 1 or more, not 0");
        assertThatThrownBy(() -> cell(Map.of("records", "-5")).check()).hasMessage("records is 0 or more, not -5");
        cell(Map.of("records", "0", "max-pending", "0", "sinks", "1")).check();
    }

    /** From a rate of 0, the search would not end. */
    @Test
    void shouldRefuseASearchThatHasNowhereToBegin_orToGo() {
        assertThatThrownBy(
                        () -> cell(Map.of("rate-search", "50_000", "rate", "0")).check())
                .hasMessage("rate-search, 50_000, must be above rate, 0, and that above 0");
        assertThatThrownBy(() -> cell(Map.of("rate-search", "500")).check())
                .hasMessage("rate-search, 500, must be above rate, 1000, and that above 0");
        assertThatThrownBy(() -> cell(Map.of("rate-search", "fast")).check())
                .hasMessage("rate-search must be a whole number, not fast");
        cell(Map.of("rate-search", "50_000", "rate", "10", "latency-us", "500")).check();
    }

    @Test
    void shouldSayHowOftenARecordCrosses() {
        assertThat(cell(Map.of("placement", "between")).crossings()).isZero();
        assertThat(cell(Map.of("processes", "2", "layers", "0")).crossings()).isEqualTo(1);
        assertThat(cell(Map.of("processes", "2", "layers", "3")).crossings()).isEqualTo(1);
        assertThat(cell(Map.of("processes", "2", "layers", "3", "placement", "between"))
                        .crossings())
                .isEqualTo(2);
    }

    @Test
    void shouldHaveADefaultForWhatIsNotSet() {
        assertThat(cell(Map.of()).operation()).isEqualTo(Cell.Operation.TUMBLING);
        assertThat(cell(Map.of()).value("from")).isEqualTo("generated");
        assertThat(cell(Map.of()).number("replicas")).isEqualTo(1);
        assertThat(cell(Map.of()).payload()).isZero();
        assertThat(cell(Map.of("workload", "produce")).payload()).isEqualTo(1024);
        assertThat(cell(Map.of()).number("linger-ms", 7)).isEqualTo(7);
    }

    @Test
    void shouldTakeAnySettingOfAUsersTopology() {
        Cell cell = cell(Map.of("workload", "topology", "jar", "orders.jar", "set.input", "orders.csv"));
        cell.check();
        assertThat(cell.set()).isEqualTo(Map.of("input", "orders.csv"));
    }

    private static Cell cell(Map<String, String> settings) {
        return Cell.of(settings, Path.of(""));
    }
}
