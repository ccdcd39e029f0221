// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.chain.Alone;
import io.thalweg.engine.chain.FailureHistory;
import io.thalweg.engine.queue.Ring;
import io.thalweg.engine.work.Waker;
import io.thalweg.run.Clock;
import io.thalweg.run.KeyListener;
import io.thalweg.run.LostConnections;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What tasks and queues a job is made of, compared with rules that the test applies to a line of operators by itself. */
final class BuildTest {
    private static BuildSettings settings(boolean specialise) {
        return new BuildSettings(
                specialise,
                (operator, className) -> {},
                KeyListener.NONE,
                false,
                1,
                2,
                3,
                System.out,
                Clock.system(),
                Guarantee.NONE,
                null,
                new FailureHistory(0),
                "run",
                warning -> {},
                new LostConnections(Clock.system(), warning -> {}),
                0,
                null);
    }

    /** One operator of the line. */
    private record Step(int parallelism, boolean shuffled, boolean isolated) {
        /** Records that it is handed by the one before need no queue. */
        boolean fusedBehind(Step before) {
            boolean sameTask = before.parallelism == parallelism && (parallelism == 1 || !shuffled);
            return sameTask && !isolated && !before.isolated;
        }
    }

    private static TopologyGraph graph(List<Step> steps) {
        Topology topology = Topology.named("Line");
        Stream<Long> stream = topology.from(Sources.generate(10, i -> i)).name("n0");
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            Stream<Long> from = step.shuffled ? stream.shuffle() : stream;
            stream = from.map(value -> value + 1).name("n" + (i + 1)).parallelism(step.parallelism);
            stream = step.isolated ? stream.isolate() : stream;
        }
        stream.to(Sinks.discard());
        return topology.graph();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFuseWhatStaysInATask_andBuildOneTaskForEachOfAChain(boolean specialise) throws Exception {
        long first = Long.getLong("thalweg.seed", new Random().nextLong());
        for (int round = 0; round < 40; round++) {
            long seed = first + round;
            try {
                compare(new Random(seed), specialise);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void compare(Random random, boolean specialise) throws Exception {
        int sourceTasks = 1 + random.nextInt(3);
        List<Step> steps = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            steps.add(new Step(1 + random.nextInt(3), random.nextInt(3) == 0, random.nextInt(4) == 0));
        }
        Plan plan = new Plan(graph(steps), sourceTasks);

        List<List<String>> chains = new ArrayList<>(List.of(new ArrayList<>(List.of("n0"))));
        List<Integer> tasks = new ArrayList<>(List.of(sourceTasks));
        Step before = new Step(sourceTasks, false, false);
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (!step.fusedBehind(before)) {
                chains.add(new ArrayList<>());
                tasks.add(step.parallelism);
            }
            chains.get(chains.size() - 1).add("n" + (i + 1));
            before = step;
        }
        List<List<String>> built = new ArrayList<>();
        for (Build.Built each :
                Build.tasks(plan, settings(specialise), new Alone(), (operator, bad) -> {}, null, null)) {
            if (each.index() == 0) {
                built.add(each.operators().stream()
                        .filter(operator -> !operator.startsWith("sink"))
                        .toList());
            }
        }
        built.removeIf(List::isEmpty); // the sink alone
        assertThat(built).isEqualTo(chains);
        for (int i = 0; i < chains.size(); i++) {
            String head = chains.get(i).get(0);
            assertThat(plan.chains().stream()
                            .filter(chain -> chain.head().name().equals(head))
                            .map(Chain::parallelism))
                    .containsExactly(tasks.get(i));
        }
    }

    /** A queue between each pair of tasks that records may go between, and no other. */
    @Test
    void shouldConnectEachPairOfTasks_orThoseOfTheSameNumber() {
        TopologyGraph graph =
                graph(List.of(new Step(3, false, true), new Step(3, false, true), new Step(2, true, false)));
        Plan plan = new Plan(graph, 1);
        Map<Integer, Waker[]> wakers = new HashMap<>();
        plan.chains()
                .forEach(chain -> wakers.put(
                        chain.id(),
                        IntStream.range(0, chain.parallelism())
                                .mapToObj(i -> new Waker())
                                .toArray(Waker[]::new)));
        Queues queues = new Queues(plan, settings(false), wakers);
        Set<Ring> all = Collections.newSetFromMap(new IdentityHashMap<>());
        int pairs = 0;
        for (Edge edge : graph.edges()) {
            if (plan.fused(edge)) {
                continue;
            }
            int producers = plan.parallelism(graph.node(edge.from()));
            int consumers = plan.parallelism(graph.node(edge.to()));
            for (int from = 0; from < producers; from++) {
                List<Ring> own = queues.from(edge, from);
                assertThat(own).hasSize(plan.straight(edge) ? 1 : consumers);
                for (int to = 0; to < own.size(); to++) {
                    int consumer = plan.straight(edge) ? from : to;
                    int place = plan.straight(edge) ? 0 : from;
                    assertThat(queues.to(edge, consumer).get(place)).isSameAs(own.get(to));
                }
                all.addAll(own);
                pairs += own.size();
            }
        }
        assertThat(all).hasSize(pairs);
        assertThat(pairs).isEqualTo(3 + 3 + 6);
    }
}
