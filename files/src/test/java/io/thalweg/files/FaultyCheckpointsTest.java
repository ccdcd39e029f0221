// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.disk.FaultyDisk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checkpoints on a disk of which each call fails in turn, once or from then on, or in which the power goes. What the job writes goes to
 * another system that commits transactions and takes nothing back: a job that continues from an older checkpoint than one whose output is
 * there already repeats it, which files would hide by rolling it back.
 */
@Tag("faulty-disk")
final class FaultyCheckpointsTest {
    private static final long RECORDS = 40;
    private static final int STEPS_OF_A_CHECKPOINT = 5;

    /** Of the calls that may fail, each so many-th is tried: all of them with {@code -Pcrash}. */
    private static final int CALLS_APART = Long.getLong("thalweg.disk", 0) < 1_000 ? 5 : 1;

    /** To open the directory, to read the checkpoint and to take the next one; what follows is as in a run without an earlier one. */
    private static final int CALLS_OF_A_RESTORE = 64;

    private final FaultyDisk disk = FaultyDisk.mounted();
    private final List<String> warnings = new ArrayList<>();

    private enum Fault {
        ONCE,
        FROM_THEN_ON,
        POWER_LOSS
    }

    /** The other system. It has no part in what happens to the disk. */
    private static final class Transactions {
        private final Map<Long, List<Long>> prepared = new HashMap<>();
        private final TreeSet<Long> done = new TreeSet<>();
        private final List<Long> records = new ArrayList<>();
        private long last;

        long prepare(List<Long> rows) {
            last++;
            prepared.put(last, List.copyOf(rows));
            return last;
        }

        void commit(long number) {
            if (done.add(number)) {
                records.addAll(Objects.requireNonNull(prepared.remove(number), "a transaction that was rolled back"));
            }
        }

        void rollBack() {
            prepared.clear();
        }
    }

    private static Transactions transactions = new Transactions();

    private record Committing() implements Sink<Long> {
        private static final long serialVersionUID = 1;

        @Override
        public String name() {
            return "committing";
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            return new Writer();
        }

        @Override
        public int requiredParallelism() {
            return 1;
        }
    }

    private static final class Writer implements CheckpointedWriter<Long> {
        private final List<Long> rows = new ArrayList<>();

        /** By checkpoint. */
        private final TreeMap<Long, Long> sealed = new TreeMap<>();

        @Override
        public void write(Long row) {
            rows.add(row);
        }

        @Override
        public byte[] save(long checkpoint) {
            sealed.put(checkpoint == 0 ? Long.MAX_VALUE : checkpoint, transactions.prepare(rows));
            rows.clear();
            ByteWriter out = new ByteWriter(64);
            sealed.values().forEach(out::writeLong);
            return out.toByteArray();
        }

        @Override
        public void commit(long checkpoint) {
            Map<Long, Long> due = sealed.headMap(checkpoint, true);
            due.values().forEach(transactions::commit);
            due.clear();
        }

        @Override
        public void restore(List<byte[]> saved) {
            for (byte[] each : saved) {
                ByteReader in = new ByteReader(each);
                while (in.remaining() > 0) {
                    transactions.commit(in.readLong());
                }
            }
            transactions.rollBack();
        }

        @Override
        public void finish() {
            commit(Long.MAX_VALUE);
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void begin() {
        warnings.clear();
    }

    private static TopologyGraph graph() {
        Topology topology = Topology.named("numbers");
        topology.from(Sources.generate(RECORDS, n -> n))
                .name("in")
                .to(new Committing())
                .name("out");
        return topology.graph();
    }

    private void format(long seed) {
        transactions = new Transactions();
        disk.format(seed);
        disk.heal();
    }

    /** Runs the job until it ends or fails; what it failed of, or null. */
    private @Nullable String attempt() throws InterruptedException {
        RunSettings settings = RunSettings.defaults()
                .withThreads(0)
                .withParallelism(1)
                .withSteps(2, 2, 2)
                .withSpecialise(false)
                .withWarnings(warnings::add)
                .withGuarantee(
                        Guarantee.EXACTLY_ONCE,
                        CheckpointSettings.in(disk.root().resolve("state/checkpoints"))
                                .restoringLatest());
        try {
            Job job = new EmbeddedRunner(settings).start(graph());
            for (int step = 0; job.step(); step++) {
                if (step % STEPS_OF_A_CHECKPOINT == 0) {
                    job.checkpoint();
                }
            }
            job.await();
            return null;
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void schedule(Fault fault, long call) {
        if (fault == Fault.ONCE) {
            disk.failCall(call);
        } else {
            disk.losePowerAt(call);
        }
    }

    private void end(Fault fault) {
        if (fault == Fault.POWER_LOSS) {
            disk.restart();
        } else {
            disk.kill();
        }
    }

    private static @Nullable String difference() {
        List<Long> sorted = new ArrayList<>(transactions.records);
        sorted.sort(null);
        List<Long> all = LongStream.range(0, RECORDS).boxed().toList();
        return sorted.equals(all) ? null : "there is " + sorted;
    }

    /** The numbers of the calls that give checkpoints their names, in a run without faults. */
    private List<Long> renames() throws InterruptedException {
        format(1);
        List<Long> calls = new ArrayList<>();
        disk.onRename(to -> {
            if (String.valueOf(to.getFileName()).startsWith("checkpoint-")) {
                calls.add(disk.calls());
            }
        });
        assertThat(attempt()).isNull();
        assertThat(difference()).isNull();
        assertThat(calls).hasSizeGreaterThan(3);
        return calls;
    }

    @Test
    void shouldCommitEachRecordOnce_whicheverCallFails() throws Exception {
        List<String> failures = new ArrayList<>();
        long first = 1;
        for (Fault fault : Fault.values()) {
            boolean hit = true;
            for (long call = first; hit && failures.size() < 5; call += CALLS_APART) {
                format(call);
                schedule(fault, call);
                String failed = attempt();
                hit = disk.hit() != null;
                String story = fault + " hit " + disk.hit() + " (" + failed + ")";
                end(fault);
                String again = failed == null ? null : attempt();
                disk.restart();
                String wrong = again == null ? difference() : again;
                boolean contradicts =
                        failed != null && failed.matches(".*checkpoint ([0-9]+) to .*checkpoint \\1 is whole");
                wrong = wrong == null && contradicts ? "a checkpoint that was not written is whole" : wrong;
                if (wrong != null) {
                    failures.add(story + ": " + wrong);
                }
            }
            first = first % CALLS_APART + 1; // others for the next, where not all are tried
        }
        assertThat(failures).isEmpty();
    }

    /** It may have died before the name of a checkpoint was forced to the disk, before its output was shown, or after that. */
    @Test
    void shouldCommitEachRecordOnce_whicheverCallFailsAfterTheProcessDied() throws Exception {
        List<String> failures = new ArrayList<>();
        List<Long> renames = renames();
        long rename = renames.get(renames.size() / 2);
        long first = 1;
        for (long death : List.of(rename + 1, rename + 2, renames.get(renames.size() / 2 + 1))) {
            for (Fault fault : Fault.values()) {
                for (long call = first; call <= CALLS_OF_A_RESTORE && failures.size() < 5; call += CALLS_APART) {
                    String wrong = wrongAfter(death, fault, call);
                    if (wrong != null) {
                        failures.add("died at call " + death + "; " + fault + " at call " + call + wrong);
                    }
                }
                first = first % CALLS_APART + 1;
            }
        }
        assertThat(failures).isEmpty();
    }

    private @Nullable String wrongAfter(long death, Fault fault, long call) throws InterruptedException {
        format(call);
        disk.losePowerAt(death);
        assertThat(attempt()).isNotNull();
        disk.kill();
        warnings.clear();
        schedule(fault, call);
        String failed = attempt();
        String hit = disk.hit();
        end(fault);
        boolean readsAgain = fault == Fault.ONCE && isOfAReadCheckpoint(hit);
        String wrong = readsAgain ? failed : null;
        String again = failed == null ? null : attempt();
        disk.restart();
        wrong = wrong == null ? again : wrong;
        wrong = wrong == null ? difference() : wrong;
        wrong = wrong == null && !warnings.isEmpty() ? warnings.toString() : wrong;
        return wrong == null ? null : ", hit " + hit + " (" + failed + "): " + wrong;
    }

    private static boolean isOfAReadCheckpoint(@Nullable String hit) {
        return hit != null && hit.matches("[0-9]+ (read|open\\[(READ)?]) .*/checkpoint-[0-9]+");
    }
}
