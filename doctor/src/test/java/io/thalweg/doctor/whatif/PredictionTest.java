// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.doctor.whatif.Prediction.Kind;
import io.thalweg.doctor.whatif.Station.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Networks whose answers are known from books, and what must hold for all of them. */
final class PredictionTest {
    private static final double ALWAYS = Double.POSITIVE_INFINITY;
    private static final Offset<Double> EXACT = within(1e-9);
    private static final int ROUNDS = 2_000;

    private static Station station(String name, int tasks, double us) {
        return new Station(
                List.of(new Step(name, us * 1_000, us * 1_000)), tasks, 1, true, name.equals("source"), 1, 0, true);
    }

    private static Network network(double arrivals, int threads, int cores, Station... stations) {
        List<Link> links = new ArrayList<>();
        for (int i = 1; i < stations.length; i++) {
            links.add(new Link(stations[i - 1].head(), stations[i].head(), 1, 0, 0, false));
        }
        return new Network(List.of(stations), links, threads, cores, 0.0, arrivals, 0, 0, 16, 512);
    }

    @Test
    void shouldKnowTheQueueWithRandomArrivalsAndEqualTimes() {
        for (double busy : new double[] {0.1, 0.5, 0.8, 0.95}) {
            double service = 1e-3;
            Network network = network(busy / service, 8, 8, station("serve", 1, 1_000));
            Prediction prediction = new Prediction(network);

            assertThat(prediction.kind()).isEqualTo(Kind.ARRIVALS);
            assertThat(prediction.busy(network.stations().get(0))).isEqualTo(busy, EXACT);
            assertThat(prediction.latencySeconds(0)).isEqualTo(service + busy * service / (2 * (1 - busy)), EXACT);
            assertThat(prediction.latencySeconds(1)).isEqualTo(service / (1 - busy), EXACT);
        }
    }

    @Test
    void shouldAddUpAPipeline() {
        double rate = 400;
        Network network = network(rate, 8, 8, station("a", 1, 1_000), station("b", 2, 4_000));

        double expected = 1e-3 / (1 - 0.4) + 4e-3 / (1 - 0.8);
        assertThat(new Prediction(network).latencySeconds(1)).isEqualTo(expected, EXACT);
    }

    @Test
    void shouldBeAsFastAsTheSlowestStation() {
        Network network = network(ALWAYS, 8, 8, station("source", 1, 10), station("b", 4, 100), station("c", 1, 20));
        Prediction prediction = new Prediction(network);

        assertThat(prediction.rate()).isEqualTo(40_000, EXACT);
        assertThat(prediction.kind()).isEqualTo(Kind.STATION);
        assertThat(prediction.limit()).contains("'b'");
        assertThat(new Prediction(network.withTasks("b", 5)).rate()).isEqualTo(50_000, EXACT);
        assertThat(new Prediction(network.withTasks("b", 50)).limit()).contains("'c'");
    }

    @Test
    void shouldBeLimitedByCoresAndByThreads() {
        Network work = network(ALWAYS, 8, 2, station("source", 8, 10), station("b", 8, 90));
        assertThat(new Prediction(work).rate()).isEqualTo(20_000, EXACT);
        assertThat(new Prediction(work).kind()).isEqualTo(Kind.CORES);
        assertThat(new Prediction(work.withCores(4)).rate()).isEqualTo(40_000, EXACT);

        Station waits = new Station(List.of(new Step("call", 1e6, 0)), 8, 1, true, false, 1, 0, true);
        Network calls = network(ALWAYS, 4, 2, station("source", 1, 1), waits);
        assertThat(new Prediction(calls).kind()).isEqualTo(Kind.THREADS);
        assertThat(new Prediction(calls).rate()).isEqualTo(4e9 / 1_001_000, within(1e-6));
    }

    /** A broker beside the job, say: of more cores it takes no more, and of fewer its part. */
    @Test
    void shouldLeaveOthersTheirCores() {
        Station work = new Station(List.of(new Step("source", 100_000, 100_000)), 8, 1, true, true, 1, 0, true);
        Network beside = new Network(List.of(work), List.of(), 8, 2, 0.5, ALWAYS, 0, 0, 16, 512);

        assertThat(new Prediction(beside).rate()).isEqualTo(15_000, EXACT);
        assertThat(new Prediction(beside).kind()).isEqualTo(Kind.CORES);
        assertThat(new Prediction(beside).limit()).isEqualTo("1.50 of 2 cores, which other processes leave");
        assertThat(new Prediction(beside.withCores(4)).rate()).isEqualTo(35_000, EXACT);
        assertThat(new Prediction(beside.withCores(1)).rate()).isEqualTo(7_500, EXACT);
        Network unknown = new Network(List.of(work), List.of(), 8, 2, null, ALWAYS, 0, 0, 16, 512);
        assertThat(new Prediction(unknown.withThreads(9)).rate()).isEqualTo(20_000, EXACT);
    }

    @Test
    void shouldHaveFullQueuesBeforeWhatLimits() {
        Network network = network(ALWAYS, 8, 8, station("source", 1, 10), station("b", 1, 100), station("c", 1, 1));
        double full = 16 * 512 * 100e-6;

        assertThat(new Prediction(network).latencySeconds(0)).isBetween(full, full + 0.001);
        assertThat(new Prediction(network.withQueues(32)).latencySeconds(0)).isBetween(2 * full, 2 * full + 0.001);
        assertThat(new Prediction(network.withTasks("b", 2)).latencySeconds(0))
                .isBetween(full, full + 0.001); // two queues, each served as fast
    }

    @Test
    void shouldKnowLittlesLaw() {
        Network acked =
                new Network(List.of(station("source", 8, 10)), List.of(), 8, 4, 0.0, ALWAYS, 100, 0.01, 16, 512);

        assertThat(new Prediction(acked).rate()).isEqualTo(10_000, EXACT);
        assertThat(new Prediction(acked).kind()).isEqualTo(Kind.PENDING);
        assertThat(new Prediction(acked.withPending(200)).rate()).isEqualTo(20_000, EXACT);
        assertThat(new Prediction(acked.withPending(1_000_000)).kind()).isEqualTo(Kind.CORES);
    }

    /** Its tasks ask at the same time, and what they do with the answers takes little. */
    @Test
    void shouldReadFasterWithMoreTasksWhereAnswersTakeTheTime() {
        Station source = new Station(List.of(new Step("source", 100, 100)), 1, 1, true, true, 1, 1_000, true);
        Network one = new Network(List.of(source), List.of(), 2, 2, 0.0, ALWAYS, 0, 0, 16, 512);

        Prediction prediction = new Prediction(one);
        assertThat(prediction.rate()).isEqualTo(1e9 / 1_000, EXACT);
        assertThat(prediction.kind()).isEqualTo(Kind.FETCHING);
        assertThat(prediction.limit()).contains("what 'source' reads from");
        assertThat(new Prediction(one.withTasks("source", 2)).rate()).isEqualTo(2e9 / 1_000, EXACT);
        assertThat(new Prediction(one.withTasks("source", 50)).kind()).isEqualTo(Kind.CORES);
    }

    @Test
    void shouldPayForEachNewQueueAndForNoneWhenFused() {
        Station chain = new Station(
                List.of(new Step("source", 100, 100), new Step("map", 100, 100), new Step("sink", 100, 100)),
                2,
                1,
                true,
                true,
                1,
                0,
                true);
        Network fused = new Network(List.of(chain), List.of(), 2, 2, 0.0, ALWAYS, 0, 0, 16, 512);

        Network apart = fused.apart();

        assertThat(apart.stations()).hasSize(3);
        assertThat(apart.links()).hasSize(2);
        assertThat(new Prediction(fused).rate()).isEqualTo(2e9 / 300, within(1e-6));
        assertThat(new Prediction(apart).rate())
                .isEqualTo(2e9 / (300 + 2 * Network.TYPICAL_HAND_OVER_NS), within(1e-6));
        assertThat(new Prediction(apart.withBatches(1)).rate()).isLessThan(new Prediction(apart).rate());
        assertThat(apart.fused().stations()).hasSize(1);
        assertThat(apart.fused().links()).isEmpty();
    }

    private static Network random(Random random) {
        int stations = 1 + random.nextInt(5);
        Station[] all = new Station[stations];
        for (int i = 0; i < stations; i++) {
            double occupied = 1 + random.nextInt(100_000);
            all[i] = new Station(
                    List.of(new Step(i == 0 ? "source" : "s" + i, occupied, occupied * random.nextDouble())),
                    1 + random.nextInt(8),
                    1 + random.nextDouble(),
                    random.nextInt(4) > 0,
                    i == 0,
                    1,
                    i == 0 && random.nextBoolean() ? random.nextInt(100_000) : 0,
                    true);
        }
        double arrivals = random.nextInt(3) == 0 ? 1 + random.nextInt(1_000_000) : ALWAYS;
        Network network = network(arrivals, 1 + random.nextInt(16), 1 + random.nextInt(16), all);
        double others = random.nextInt(3) == 0 ? random.nextDouble() * network.cores() : 0;
        return new Network(
                network.stations(),
                network.links(),
                network.threads(),
                network.cores(),
                others,
                arrivals,
                0,
                0,
                network.queueBatches(),
                network.batchRecords());
    }

    @Test
    void shouldNeverGetSlowerByMoreOfAnything() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            Network network = random(random);
            String where = "seed " + seed + ", round " + round + ": " + network;
            double rate = new Prediction(network).rate() * (1 - 1e-9);
            Station any =
                    network.stations().get(random.nextInt(network.stations().size()));

            assertThat(new Prediction(network.withCores(network.cores() + 1)).rate())
                    .as(where)
                    .isGreaterThanOrEqualTo(rate);
            assertThat(new Prediction(network.withThreads(network.threads() + 1)).rate())
                    .as(where)
                    .isGreaterThanOrEqualTo(rate);
            assertThat(new Prediction(network.withTasks(any.head(), any.tasks() + 1)).rate())
                    .as(where)
                    .isGreaterThanOrEqualTo(any.tasks() == 1 ? 0 : rate);
            assertThat(rate).as(where).isLessThanOrEqualTo(network.arrivals());
        }
    }

    @Test
    void shouldTakeLongerTheMoreComesAndTheLongerQueuesAre() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            Network network = random(random);
            String where = "seed " + seed + ", round " + round + ": " + network;
            Prediction most = new Prediction(network.withArrivals(ALWAYS));
            double some = most.rate() * (0.1 + 0.4 * random.nextDouble());
            Prediction few = new Prediction(network.withArrivals(some));
            Prediction more = new Prediction(network.withArrivals(some * 1.5));

            assertThat(more.latencySeconds(0)).as(where).isGreaterThanOrEqualTo(few.latencySeconds(0) * (1 - 1e-9));
            assertThat(few.latencySeconds(1)).as(where).isGreaterThanOrEqualTo(few.latencySeconds(0) * (1 - 1e-9));
            assertThat(new Prediction(network.withQueues(64)).latencySeconds(0))
                    .as(where)
                    .isGreaterThanOrEqualTo(new Prediction(network).latencySeconds(0) * (1 - 1e-9));
        }
    }
}
