// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.study.Studies;
import io.thalweg.lab.study.Study;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What engines cannot run, as their driver.yaml files declare it. */
final class RefusalTest {
    private static final Map<String, Engine> ENGINES =
            Engine.all(Path.of("").toAbsolutePath().resolve("../..").normalize());

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "duckdb | workload=relay | DuckDB is a database",
                "flink | workload=files variant=object-reuse | jobs over files are run by the variant files",
                "flink | workload=windows variant=files | the variant files runs jobs over files alone",
                "flink | guarantee=acked | Flink confirms records by checkpoints",
                "flink | processer=python | Flink's DataStream API in Java has no operator",
                "flink | workload=produce | Flink is no Kafka broker",
                "flink | from=kafka workload=group-by | from Kafka, the lab runs only relays",
                "flink | workload=topology jar=Mine.java variant=translated guarantee=at-least-once | a topology of your own is measured in one",
                "flink | workload=topology jar=Mine.java variant=translated processes=2 | a topology of your own is measured in one",
                "hand | guarantee=at-least-once | a loop keeps nothing to continue from",
                "hand | guarantee=acked | records are confirmed one by one in relays with a payload alone",
                "hand | processes=2 | a loop runs in one process",
                "hand | from=kafka variant=ring | a topic is read by a relay in one loop",
                "hand | variant=loop processer=python payload=100 | one thread that writes to a child",
                "hand | variant=ring processer=python payload=100 layers=2 | with children in Python, the loop is written",
                "hand | variant=ring processer=python payload=100 child=arrow stamps=true | record batches have no column",
                "hand | workload=telecom | loops are written for relay",
                "hand | workload=windows operation=session | of windows, only tumbling ones",
                "hand | sources=2 | a loop has one source",
                "hand | stall-ms=200 | nothing is planted in the loops",
                "flink | stall-ms=200 | nothing is planted in the jobs written for Flink",
                "jet | slowdown-percent=10 | nothing is planted in the jobs written for Jet",
                "jstorm | stall-ms=200 | nothing is planted in the relays written for JStorm",
                "storm | slowdown-percent=10 | nothing is planted in the spouts and bolts written for Storm",
                "kstreams | from=kafka stall-ms=200 | the lab's relays on Kafka Streams hand on",
                "hand | hoard=1000 relays=2 | a loop has one relay for each layer",
                "hand | kill=worker guarantee=acked payload=100 | a loop runs in the lab's own process",
                "jet | guarantee=acked | Jet confirms records by snapshots",
                "jet | processer=python | Jet runs Python over gRPC",
                "jet | workload=consume | Jet is no Kafka broker",
                "jet | from=kafka workload=telecom | from Kafka, the lab runs only relays",
                "jet | from=kafka processes=2 | Jet reads Kafka on both members",
                "jet | processes=2 workload=group-by | on two members, the lab runs only relays",
                "jet | workload=windows operation=join | Jet has no join of two streams",
                "jet | workload=telecom guarantee=exactly-once | the lab's probes have no serializer",
                "jstorm | processes=2 | not testable here: JStorm's supervisor",
                "jstorm | workload=group-by | the lab runs only relays on JStorm",
                "jstorm | guarantee=exactly-once | the lab runs JStorm with its acks",
                "jstorm | from=kafka | JStorm's Kafka spout",
                "jstorm | processer=python child=thalweg | a child by Thalweg's package asks for frames",
                "jstorm | processer=python hoard=1000 | a processer in Python only hands on",
                "kafka | workload=relay | Kafka's brokers keep records",
                "kafka | workload=produce replicas=2 | each replica needs a broker",
                "kafka | workload=produce payload=0 | a value in Kafka needs 8 bytes",
                "kstreams | from=generated | Kafka Streams reads nothing but Kafka topics",
                "kstreams | from=kafka workload=group-by | the lab runs only relays on Kafka Streams",
                "kstreams | from=kafka guarantee=acked | Kafka Streams commits offsets",
                "kstreams | from=kafka processes=2 | between processes, Kafka Streams has no transfer",
                "kstreams | from=kafka sources=2 | in Kafka Streams all stages of a partition",
                "kstreams | from=kafka sinks=2 | in Kafka Streams all stages of a partition",
                "kstreams | from=kafka stamps=true | the lab's relays on Kafka Streams",
                "kstreams | from=kafka hoard=1 | the lab's relays on Kafka Streams",
                "kstreams | from=kafka processer=python | the lab's relays on Kafka Streams",
                "polars | workload=windows | Polars is a library of data frames",
                "storm | workload=files variant=files | the lab has no jobs over files for storm",
                "storm | guarantee=exactly-once | Storm's spouts and bolts promise at least once",
                "storm | from=kafka workload=telecom | from Kafka, the lab runs only relays",
                "storm | workload=windows | Storm's windows keep every tuple",
                "storm | workload=serve | Storm is no Kafka broker",
                "storm | workload=topology jar=Mine.java variant=translated guarantee=acked | a topology of your own is measured in one",
                "storm | workload=topology jar=Mine.java variant=translated processes=2 | a topology of your own is measured in one",
                "storm | variant=translated guarantee=exactly-once | Storm's spouts and bolts promise at least once",
                "storm | variant=translated workload=windows processes=2 | windows and sinks are one task on Storm",
                "storm | variant=storm-door processes=2 | not applicable: Thalweg runs in one process",
                "storm | variant=storm-door from=kafka | Thalweg's front end for Storm is measured with generated records",
                "storm | variant=storm-door waiting=park | Thalweg's front end for Storm waits in its own way",
                "storm | variant=tuned processer=python child=thalweg | a child by Thalweg's package asks for frames",
                "storm | variant=storm-door processer=python child=arrow stamps=true payload=100 | record batches have no column",
                "storm | processer=python hoard=1000 | a processer in Python only hands on",
                "storm | variant=translated processer=python | the translated job is measured with relays in Java alone",
                "thalweg | processes=2 | not applicable: Thalweg runs in one process",
                "thalweg | from=kafka workload=telecom | from Kafka, the lab runs only relays on Thalweg",
                "thalweg | processer=python child=lean | a child that speaks Storm's protocol",
                "thalweg | workload=produce | Thalweg is no Kafka broker",
                "thalweg | record=reused payload=100 | only a record that is a number alone",
                "thalweg | record=reused processer=python | only a record that is a number alone",
                "flink | record=reused rate=10000 | only a record that is a number alone",
                "hand | record=reused workload=group-by | only a record that is a number alone",
                "jet | record=reused | Jet's queues hold the records themselves",
                "storm | record=reused | a tuple of Storm must not change",
                "jstorm | record=reused | a tuple of JStorm must not change",
                "kstreams | from=kafka record=reused | a record of Kafka Streams is read from its topic",
                "flink | workload=topology variant=chained | a topology is run by the variant translated, as --on flink",
                "storm | workload=topology variant=default | a topology is run by the variant translated, as --on storm",
                "jet | workload=topology variant=dag | topologies of Thalweg do not run on jet",
                "thalweg | workload=topology variant=apart | not applicable: a topology itself says",
                "thalweg | kill=worker guarantee=acked | acks are kept in the process",
                "flink | kill=worker guarantee=exactly-once processes=2 | on Flink, the lab kills the TaskManager",
                "flink | kill=worker guarantee=exactly-once variant=translated | on Flink, the lab kills the TaskManager",
                "storm | kill=worker guarantee=acked variant=translated | on Storm, the lab kills the worker of a cluster",
                "storm | kill=worker guarantee=acked processer=python | on Storm, the lab kills the worker of a cluster",
                "jet | kill=worker guarantee=exactly-once variant=pipeline | on Jet, the lab kills the member that runs all",
                "jet | kill=worker guarantee=exactly-once variant=dag processes=2 | on Jet, the lab kills the member that runs all",
                "jstorm | kill=worker guarantee=at-least-once | JStorm runs within the lab's own process",
            })
    void shouldSayWhatAnEngineCannotRun(String engine, String settings, String why) {
        assertThat(engine(engine).refusal(cell(settings))).startsWith(why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "duckdb | workload=files variant=files",
                "flink | workload=files variant=files",
                "flink | guarantee=exactly-once processes=2",
                "flink | from=kafka processes=2",
                "flink | variant=translated workload=windows operation=join",
                "flink | variant=translated processes=2 placement=between guarantee=exactly-once",
                "flink | variant=translated processes=2 from=kafka guarantee=at-least-once",
                "flink | kill=worker guarantee=exactly-once",
                "flink | variant=translated stall-ms=200",
                "hand | hoard=1000 layers=2",
                "storm | kill=worker guarantee=at-least-once",
                "thalweg | kill=worker guarantee=exactly-once",
                "hand | payload=1000 stamps=true guarantee=acked max-pending=50",
                "hand | payload=1000 stamps=true relays=4 rate=10000 pushed=true",
                "hand | workload=group-by cardinality=100 sinks=2",
                "hand | workload=windows operation=tumbling",
                "hand | variant=ring processer=python payload=1000 stamps=true guarantee=acked max-pending=50 relays=2 rate=6000",
                "hand | variant=ring processer=python payload=1000 child=arrow guarantee=acked max-pending=10000",
                "thalweg | record=reused variant=apart guarantee=at-least-once",
                "flink | record=reused variant=unchained guarantee=at-least-once",
                "hand | record=reused variant=ring",
                "jet | processes=2 guarantee=exactly-once",
                "jet | kill=worker guarantee=exactly-once variant=dag",
                "jet | workload=windows operation=session",
                "jet | workload=relay operation=join",
                "jstorm | guarantee=acked max-pending=50",
                "jstorm | processer=python child=lean payload=1000 stamps=true guarantee=acked max-pending=50",
                "kafka | workload=produce brokers=3 replicas=3",
                "kafka | workload=serve",
                "kafka | workload=consume",
                "kstreams | from=kafka sources=2 relays=2 sinks=2",
                "storm | variant=translated guarantee=acked workload=windows",
                "storm | variant=translated processes=2 placement=between guarantee=acked max-pending=50",
                "storm | variant=translated processes=2 from=kafka guarantee=at-least-once",
                "storm | workload=topology jar=Mine.java variant=translated",
                "flink | workload=topology jar=Mine.java variant=translated",
                "storm | processer=python guarantee=at-least-once processes=2",
                "storm | variant=storm-door processer=python child=arrow payload=1000",
                "thalweg | guarantee=acked payload=1000 stamps=true",
                "thalweg | workload=topology jar=mine.jar variant=fused",
            })
    void shouldRunTheRest(String engine, String settings) {
        assertThat(engine(engine).refusal(cell(settings))).isNull();
    }

    /** Otherwise two reasons could contradict each other, and one of them would never be read. */
    @Test
    void shouldDeclareEveryRefusalOnce() {
        for (Engine engine : ENGINES.values()) {
            List<Refusal> refuses = engine.description().refuses();
            assertThat(refuses).as(engine.description().engine()).isNotEmpty();
            assertThat(refuses.stream().map(Refusal::why)).doesNotHaveDuplicates();
            assertThat(refuses.stream().flatMap(each -> each.when().stream())).doesNotHaveDuplicates();
        }
    }

    /** Those that drivers refused after their JVM had started, when these studies were run for docs/studies. */
    @Test
    void shouldRefuseTheCellsOfOurStudiesThatEnginesCannotRun() {
        Map<String, Set<String>> refused = new TreeMap<>();
        for (Study study : Studies.all()) {
            Studies.find(study.name())
                    .plan(List.of(), (name, settings) -> engine(name).usualVariant(settings), false)
                    .forEach(group -> group.forEach(each -> {
                        if (engine(each.engine()).refusal(Cell.of(each.settings(), folder)) != null) {
                            refused.computeIfAbsent(study.name() + " " + each.engine(), key -> new TreeSet<>())
                                    .add(each.caseName());
                        }
                    }));
        }
        StringBuilder text = new StringBuilder();
        refused.forEach((where, cases) ->
                text.append(where).append(": ").append(String.join(", ", cases)).append('\n'));
        assertThat(text).hasToString("""
                        failure storm: exactly-once
                        flink-storm-360 hand: between-processes-at-least-once-generated, \
                        between-processes-at-least-once-kafka, between-processes-none-generated, \
                        between-processes-none-kafka, checkpoint-interval checkpoint-ms=10, checkpoint-interval checkpoint-ms=100, \
                        checkpoint-interval checkpoint-ms=1000, checkpoint-interval checkpoint-ms=10000, \
                        in-process-at-least-once-generated, in-process-at-least-once-kafka, in-process-none-kafka, kafka-partitions partitions=1, kafka-partitions partitions=2, \
                        kafka-partitions partitions=4, kafka-sources sources=1, kafka-sources sources=2, \
                        kafka-sources sources=4
                        flink-storm-360 jet: between-processes-at-least-once-generated, \
                        between-processes-at-least-once-kafka, between-processes-none-generated, between-processes-none-kafka, in-process-none-reused
                        flink-storm-360 kstreams: between-processes-at-least-once-generated, \
                        between-processes-at-least-once-kafka, between-processes-none-generated, \
                        between-processes-none-kafka, checkpoint-interval checkpoint-ms=10, checkpoint-interval checkpoint-ms=100, \
                        checkpoint-interval checkpoint-ms=1000, checkpoint-interval checkpoint-ms=10000, \
                        in-process-at-least-once-generated, in-process-none-generated, in-process-none-reused, kafka-partitions partitions=1, kafka-partitions partitions=2, \
                        kafka-partitions partitions=4, \
                        kafka-sources sources=2, kafka-sources sources=4
                        flink-storm-360 storm: checkpoint-interval checkpoint-ms=10, checkpoint-interval checkpoint-ms=100, \
                        checkpoint-interval checkpoint-ms=1000, checkpoint-interval checkpoint-ms=10000, in-process-none-reused
                        flink-storm-360 thalweg: between-processes-at-least-once-generated, \
                        between-processes-at-least-once-kafka, between-processes-none-generated, \
                        between-processes-none-kafka
                        jstorm-2014 flink: ackers ackers=1, ackers ackers=2, ackers ackers=4, bolt-layers layers=0, \
                        bolt-layers layers=1, bolt-layers layers=2, bolt-layers layers=3, bolt-layers layers=4, bolt-layers \
                        layers=5, message-bytes payload=10, message-bytes payload=100, message-bytes payload=1000, \
                        message-bytes payload=3000, message-bytes payload=500, message-bytes payload=5000, pending \
                        max-pending=0, pending max-pending=100, pending max-pending=1000, pending max-pending=10000, tasks \
                        tasks=1, tasks tasks=2, tasks tasks=4, tasks tasks=8, workers processes=1, workers processes=2
                        jstorm-2014 jstorm: workers processes=2
                        jstorm-2014 thalweg: workers processes=2
                        kafka-emr kafka: job
                        kafka-emr thalweg: acks acks=-1, acks acks=0, acks acks=1, batch batch=1000, batch batch=10000, batch batch=262144, batch batch=65536, compression compression=lz4, compression compression=none, compression compression=zstd, consume threads=1, consume threads=2, linger linger-ms=0, linger linger-ms=5, linger linger-ms=50, message-bytes payload=100, message-bytes payload=1000000, message-bytes payload=1024, message-bytes payload=10240, message-bytes payload=102400, partitions partitions=1, partitions partitions=10, partitions partitions=100, producers producers=1, producers producers=2, producers producers=4, replicas replicas=1, replicas replicas=2, replicas replicas=3
                        portability flink: storm-2012-e
                        storm-2012 flink: e, g relays=1, g relays=2, g-children child=arrow, g-children child=lean, g-children child=storm.py, g-children child=thalweg, g-half, spin-10000
                        storm-2012 hand: c, d, g relays=1, g relays=2, g-children child=arrow, g-children child=lean, g-children child=storm.py, g-children child=thalweg, g-half
                        storm-2012 jet: c, d, e, g relays=1, g relays=2, g-children child=arrow, g-children child=lean, g-children child=storm.py, g-children child=thalweg, g-half
                        storm-2012 jstorm: b-equal-rate rate=100000, b-equal-rate rate=400000, b-equal-rate rate=800000, c, d, g-children child=arrow, g-children child=thalweg, park-10000, pushed-10000, spin-10000
                        storm-2012 storm: b-equal-rate rate=100000, b-equal-rate rate=400000, b-equal-rate rate=800000, c, d, g-children child=arrow, g-children child=thalweg, park-10000, pushed-10000, spin-10000
                        storm-2012 thalweg: c, d, g-children child=lean, g-children child=storm.py
                        telecom-2015 hand: flatten reading=best, flatten reading=same, whole size=small, whole size=typical, \
                        whole-same size=small, whole-same size=typical, whole-worst reading=best, whole-worst reading=same
                        telecom-2015 jet: flatten reading=best, flatten reading=same, whole size=small, whole size=typical, \
                        whole-same size=small, whole-same size=typical, whole-worst reading=best, whole-worst reading=same
                        windows hand: heap-running cardinality=1000, heap-running cardinality=1000000, heap-sessions \
                        cardinality=1000000, heap-sessions cardinality=700000, join, running, sessions, sliding, sliding-60
                        windows jet: join
                        """);
    }

    @Test
    void shouldRefuseStagesThatCannotBe() throws Exception {
        Path file = folder.resolve("driver.yaml");
        Files.writeString(file, """
                engine: mine
                main: org.acme.Mine
                jvm: []
                variants: {fast: {says: it is, stages: chained}}
                """);
        assertThatThrownBy(() -> Engine.read(file))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("stages is fused or apart, not chained");
    }

    @Test
    void shouldRefuseAConditionThatCannotBe() throws Exception {
        assertWrong("{operaton: join}", "there is no setting 'operaton'; did you mean 'operation'?");
        assertWrong("{operation: jion}", "operation cannot be jion, but tumbling, sliding, session, running, join");
        assertWrong("{processes: over two}", "there is no setting 'two'; there are ack-timeout-s, ackers,");
        assertWrong("{processes: over from}", "processes cannot be compared to from, no number");
        assertWrong("{processes: 1.5}", "processes must be a whole number, not 1.5");
        assertWrong("{from: over kafka}", "from is no number, so nothing is over or under it");
        assertWrong("{topic: mine}", "topic has no default, so it cannot be a condition");
        assertWrong("{variant: slow}", "there is no variant 'slow'; there are [fast]");
        assertWrong("{guarantee: [none, not acked]}", "guarantee: a list holds values alone");
        assertWrong("{}", "a refusal needs a condition: it cannot");
        assertWrong("[]", "a refusal needs when and why");
    }

    private void assertWrong(String when, String why) throws Exception {
        Path file = folder.resolve("driver.yaml");
        Files.writeString(file, """
                engine: mine
                main: org.acme.Mine
                jvm: []
                variants: {fast: {says: it is}}
                refuses:
                  - {when: %s, why: it cannot}
                """.formatted(when));
        assertThatThrownBy(() -> Engine.read(file))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith(file + ": " + why);
    }

    private static Engine engine(String name) {
        return Objects.requireNonNull(ENGINES.get(name), name);
    }

    private Cell cell(String settings) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String setting : settings.split(" ")) {
            all.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        return Cell.of(all, folder);
    }
}
