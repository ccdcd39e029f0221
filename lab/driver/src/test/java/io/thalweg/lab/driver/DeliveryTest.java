// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeliveryTest {
    @TempDir
    private Path folder;

    private Cell cell(String guarantee) {
        return Cell.of(Map.of("kill", "worker", "guarantee", guarantee), folder);
    }

    private static void load(Cell cell, int from, int to, SinkMeter sink) {
        Load load = Load.open(cell, 0, 1);
        load.seek(from);
        while (load.position() < to) {
            sink.received(load.take());
        }
        load.close();
    }

    @Test
    void shouldCountWhatIsLostAndRepeated_overSeveralSinks() throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Cell cell = Cell.of(
                    Map.of("kill", "worker", "guarantee", "at-least-once", "sources", "2"),
                    folder.resolve(Integer.toString(seed)));
            Files.createDirectory(cell.folder().path());
            // bits so far apart take a gigabyte to sum up
            long base = seed == 0 ? 2_000_000_000L : random.nextInt(3) * 1_000_000L;
            int[] sent = {random.nextInt(500), random.nextInt(500)};
            Map<Long, Integer> times = new HashMap<>();
            for (int sinks = 0; sinks < 3; sinks++) {
                SinkMeter sink = Meters.of(cell).sink();
                for (int i = 0; i < 300; i++) {
                    long number = random.nextInt(1000) + (random.nextInt(5) == 0 ? base : 0);
                    sink.received(number);
                    times.merge(number, 1, Integer::sum);
                }
            }
            long lost = 0;
            for (int task = 0; task < 2; task++) {
                cell.folder().setPosition(task, 2, sent[task]);
                for (long i = 0; i < sent[task]; i++) {
                    lost += times.containsKey(task + 2 * i) ? 0 : 1;
                }
            }
            Meters.closeAll();

            assertThat(Delivery.of(cell))
                    .as("seed %d", seed)
                    .isEqualTo(new Delivery(sent[0] + sent[1], lost, 900 - times.size(), null));
        }
    }

    @Test
    void shouldAllowRepetitionAtLeastOnceAndNoLoss() throws Exception {
        Cell cell = cell("at-least-once");
        load(cell, 0, 100, Meters.of(cell).sink());
        load(cell, 90, 200, Meters.of(cell).sink());
        Delivery repeated = Delivery.of(cell);
        load(cell, 201, 300, Meters.of(cell).sink());
        Meters.closeAll();

        assertThat(repeated).isEqualTo(new Delivery(200, 0, 10, null));
        assertThat(repeated.problem(cell)).isNull();
        assertThat(repeated.problem(cell("exactly-once"))).startsWith("10 of 200 records came out again");
        assertThat(Delivery.of(cell).problem(cell)).startsWith("lost 1 of 300 records");
    }

    @Test
    void shouldCountWhatIsCommittedAlone_howeverOften() throws Exception {
        Cell cell = cell("exactly-once");
        SinkMeter sink = Meters.of(cell).sink();
        load(cell, 0, 100, sink);
        String first = sink.prepare();
        assertThat(Delivery.of(cell)).isEqualTo(new Delivery(100, 100, 0, null));

        load(cell, 100, 150, sink); // never prepared: its process is gone
        SinkMeter.commit(cell, first);
        SinkMeter.commit(cell, first);
        SinkMeter next = Meters.of(cell).sink();
        load(cell, 100, 200, next);
        SinkMeter.commit(cell, next.prepare());
        SinkMeter.commit(cell, next.prepare());
        Meters.closeAll();

        assertThat(Delivery.of(cell)).isEqualTo(new Delivery(200, 0, 0, null));
    }

    @Test
    void shouldNotTakeWhatItDoesNotKnowForRight() throws IOException {
        Cell cell = cell("at-least-once");
        SinkMeter sink = Meters.of(cell).sink();
        assertThat(Delivery.of(cell).problem(cell)).isEqualTo("only 0 of 1 sources said how far they came");

        load(cell, 0, 10, sink);
        sink.received(Output.LIMIT);
        Meters.closeAll();

        assertThat(Delivery.of(cell).problem(cell)).startsWith("more records than the 4294967296");
    }
}
