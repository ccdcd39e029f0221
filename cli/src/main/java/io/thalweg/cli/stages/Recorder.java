// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.cli.stages.Sample.Item;
import io.thalweg.engine.HostedChain;
import io.thalweg.engine.HostedPlan;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs the operators of a job once, one after the other on one thread, and keeps what came to each. Sinks get nothing.
 */
final class Recorder {
    private static final Object END = new Object();

    private static final long MOMENT_MS = 1;

    /** How long answers from outside, and a source that does not return, are waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Of the heap: then what was kept is enough. */
    private static final double MOST_HEAP = 0.5;

    /** Of that: more is left only once the heap is collected, so that it is not collected again and again. */
    private static final double FULL_WHEN_COLLECTED = 0.9;

    private static final int MOST_COLLECTIONS = 2;

    private final TopologyGraph job;
    private final long mostRecords;
    private final Clock clock = Clock.system();
    private final CountDownLatch never = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final List<Sample> samples = new ArrayList<>();
    private final long[] passed;
    private final StageGraphs graphs;
    private final HostedPlan plan;

    /** By number of the part. */
    private final Map<Integer, HostedChain> chains = new HashMap<>();

    private final Map<Integer, Deque<Item>> work = new HashMap<>();

    /** What was read is being processed, or nobody wants more. Guarded by this. */
    private boolean closed;

    private final AtomicLong bad = new AtomicLong();
    private volatile boolean enough;
    private volatile @Nullable Throwable failure;
    private volatile boolean complete;
    private volatile boolean full;
    private volatile long readNs;

    /** @throws io.thalweg.api.graph.TopologyException if its operators cannot run one by one */
    Recorder(TopologyGraph job, long mostRecords) {
        this.job = job;
        this.mostRecords = mostRecords;
        passed = new long[job.edges().size()];
        job.nodes().forEach(node -> samples.add(new Sample()));
        graphs = StageGraphs.recording(job, this::look);
        plan = Hosting.plan(job, graphs);
    }

    private io.thalweg.api.operator.PeekFunction<Object> look(int node) {
        int number = job.edges().indexOf(job.inputsOf(job.node(node)).get(0));
        Codec<Object> codec = job.edges().get(number).type().codec();
        return value -> keep(node, number, new Item(0, codec.copy(value), Long.MIN_VALUE, Long.MIN_VALUE));
    }

    private synchronized void keep(int node, int edge, Item item) {
        if (!closed) {
            samples.get(node).add(item);
            passed[edge] += item.value() == null ? 0 : 1;
        }
    }

    /**
     * Records until there are enough records, the input has ended, or the time is over.
     *
     * @throws JobFailedException if an operator or a source fails; the message is one line
     */
    Recording record(Duration atMost) throws InterruptedException {
        try {
            open();
            Thread reader = new Thread(() -> read(atMost), "thalweg-stages");
            reader.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            reader.setDaemon(true); // a source may not return from waiting for input
            reader.start();
            boolean returned = done.await(atMost.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
            enough = true;
            synchronized (this) {
                closed = true;
            }
            Throwable thrown = failure;
            if (thrown != null) {
                throw Hosting.failure(job.name(), "", thrown);
            }
            synchronized (this) {
                closed = false;
                finish();
                closed = true;
            }
            if (!returned) {
                complete = false;
            }
        } finally {
            synchronized (this) {
                closed = true;
            }
            chains.values().forEach(HostedChain::abandon);
        }
        return new Recording(job, samples, passed, readNs, bad.get(), complete, full);
    }

    private void open() {
        Map<Integer, List<String>> splits = plan.splits(Hosting.SETTINGS);
        for (HostedPlan.Part part : plan.parts()) {
            work.put(part.number(), new ArrayDeque<>());
            if (!part.writes()) {
                chains.put(
                        part.number(),
                        new HostedChain(plan, Hosting.SETTINGS, splits, part, 0, Hosting.GO, new Host()));
            }
        }
    }

    private List<HostedChain> sources() {
        return plan.parts().stream()
                .filter(part -> part.reads() && !part.writes())
                .map(part -> chains.get(part.number()))
                .toList();
    }

    private void read(Duration atMost) {
        try {
            long untilNs = clock.nowNs() + atMost.toNanos();
            long spentNs = 0;
            boolean open = true;
            while (open && !enough && clock.nowNs() - untilNs < 0 && hasRoom()) {
                open = false;
                boolean busy = false;
                for (HostedChain source : sources()) {
                    long beganNs = clock.nowNs();
                    busy |= source.turn();
                    spentNs += clock.nowNs() - beganNs;
                    open |= !source.over();
                }
                readNs = spentNs;
                synchronized (this) {
                    if (!closed) {
                        process();
                    }
                }
                if (!busy && open) {
                    never.await(MOMENT_MS, TimeUnit.MILLISECONDS);
                }
            }
            complete = !open;
        } catch (Throwable e) {
            failure = e;
        } finally {
            done.countDown();
        }
    }

    private boolean hasRoom() {
        long read = 0;
        synchronized (this) {
            for (Node node : job.nodes()) {
                read += node.spec().source() != null ? emitted(node) : 0;
            }
        }
        return read < mostRecords && !isFull();
    }

    /** Garbage counts as used memory until it is collected. */
    private boolean isFull() {
        if (usedShare() < MOST_HEAP) {
            return false;
        }
        boolean used = true;
        for (int collection = 0; collection < MOST_COLLECTIONS && used; collection++) {
            System.gc();
            used = usedShare() >= MOST_HEAP * FULL_WHEN_COLLECTED;
        }
        full = used;
        return used;
    }

    private static double usedShare() {
        Runtime runtime = Runtime.getRuntime();
        return (double) (runtime.totalMemory() - runtime.freeMemory()) / runtime.maxMemory();
    }

    private long emitted(Node node) {
        return new Recording(job, samples, passed, 0, 0, false, false).emitted(node);
    }

    /** Has every operator process what came to it; parts are in the order in which records pass them. */
    private void process() throws Exception {
        for (HostedPlan.Part part : plan.parts()) {
            HostedChain chain = chains.get(part.number());
            Deque<Item> queue = work.get(part.number());
            if (chain == null || queue == null) {
                continue;
            }
            Item item = queue.poll();
            while (item != null) {
                give(part, chain, item);
                item = queue.poll();
            }
            if (!part.reads()) {
                turns(part, chain);
            }
        }
    }

    private void give(HostedPlan.Part part, HostedChain chain, Item item) throws Exception {
        Object value = item.value();
        try {
            if (value == END) {
                chain.end(item.input(), false);
            } else if (value == null) {
                chain.watermark(item.input(), item.time());
            } else {
                await(part, chain);
                chain.record(item.input(), value, item.time(), item.stamp(), 1);
            }
        } catch (Exception e) {
            throw Hosting.failure(job.name(), part.name(), e);
        }
    }

    /** Until it may have another record. */
    private void await(HostedPlan.Part part, HostedChain chain) throws Exception {
        long untilNs = clock.nowNs() + PATIENCE.toNanos();
        while (chain.waitsForAnswers()) {
            if (!chain.turn()) {
                moment(part, untilNs);
            }
        }
    }

    private void moment(HostedPlan.Part part, long untilNs) throws InterruptedException {
        if (clock.nowNs() - untilNs >= 0) {
            throw new JobFailedException(
                    "topology '" + job.name() + "', operator '" + part.name() + "': no answer from outside within 30 s",
                    null);
        }
        never.await(MOMENT_MS, TimeUnit.MILLISECONDS);
    }

    private void turns(HostedPlan.Part part, HostedChain chain) throws Exception {
        try {
            chain.turns();
        } catch (Exception e) {
            throw Hosting.failure(job.name(), part.name(), e);
        }
    }

    /** Ends the input of all operators, so that windows fire. */
    private void finish() {
        try {
            for (HostedPlan.Link link : plan.links()) {
                if (plan.parts().get(link.from()).reads() && !complete) {
                    queue(link.number(), new Item(0, END, 0, 0));
                }
            }
            for (HostedPlan.Part part : plan.parts()) {
                HostedChain chain = chains.get(part.number());
                if (chain != null && !part.reads()) {
                    process();
                    end(part, chain);
                }
            }
        } catch (JobFailedException e) {
            throw e;
        } catch (Exception e) {
            throw Hosting.failure(job.name(), "", e);
        }
    }

    /** Until it has emitted everything; what it looks up outside may take a while. */
    private void end(HostedPlan.Part part, HostedChain chain) throws Exception {
        long untilNs = clock.nowNs() + PATIENCE.toNanos();
        while (!chain.over()) {
            turns(part, chain);
            if (!chain.over()) {
                moment(part, untilNs);
            }
        }
    }

    private void queue(int number, Item item) {
        HostedPlan.Link link = plan.links().stream()
                .filter(each -> each.number() == number)
                .findFirst()
                .orElseThrow();
        HostedPlan.Part to = plan.parts().get(link.to());
        List<HostedPlan.Input> inputs = plan.inputs(to, 0);
        for (int input = 0; input < inputs.size(); input++) {
            if (inputs.get(input).link() == number) {
                Deque<Item> queue = work.get(to.number());
                Item given = new Item(input, item.value(), item.time(), item.stamp());
                if (queue != null && !to.writes()) {
                    queue.add(given);
                }
                if (item.value() != END) {
                    Edge edge = plan.graph().edges().get(number);
                    Object value = item.value();
                    Object copy = value == null ? null : edge.type().codec().copy(value);
                    keep(
                            graphs.nodes().get(edge.to()),
                            graphs.edges().get(number),
                            new Item(input, copy, item.time(), item.stamp()));
                }
            }
        }
    }

    /** Passes what a chain emits to those behind it. */
    private final class Host extends StageHost {
        @Override
        public void bad(String operator, BadRecord record) {
            bad.incrementAndGet();
        }

        @Override
        public void record(int link, int target, Object value, long time, long stamp) {
            add(link, new Item(0, value, time, stamp));
        }

        @Override
        public void watermark(int link, long watermark) {
            add(link, new Item(0, null, watermark, 0));
        }

        @Override
        public void end(int link, boolean cancelled) {
            add(link, new Item(0, END, 0, 0));
        }

        private void add(int link, Item item) {
            synchronized (Recorder.this) {
                if (!closed) {
                    queue(link, item);
                }
            }
        }
    }
}
