// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.engine.HostedJob;
import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.jspecify.annotations.Nullable;

/** The one task that hears what all others have come to, says what comes next, and tells whoever started the job. */
final class WatchBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;
    private static final int IDLE_MS = 2;

    private final Cargo cargo;
    private transient @Nullable Task task;

    WatchBolt(Cargo cargo) {
        this.cargo = cargo;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declareStream(TaskHost.ORDERS, true, new Fields("orders"));
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        Map<String, Object> settings = new HashMap<>(Wiring.ticking());
        settings.put(IdleBolt.SLEEP_MS, IDLE_MS);
        return settings;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        Desk desk = Desk.of(cargo, conf);
        try {
            task = new Task(cargo, desk, context, collector);
        } catch (Throwable thrown) {
            String reason = HostedPlan.failure(context.getStormId(), TaskHost.WATCH, thrown);
            desk.tell(Note.of(Note.Kind.FAILED, 0, 0, reason));
            desk.close();
        }
    }

    @Override
    public void execute(Tuple tuple) {
        Task running = task;
        if (running != null) {
            running.hear(tuple.getValue(0) instanceof Note note ? note : null);
        }
    }

    @Override
    public void cleanup() {
        Task running = task;
        if (running != null) {
            running.close();
        }
    }

    /** What there is where the bolt runs. */
    private static final class Task {
        private final Desk desk;
        private final OutputCollector collector;
        private final HostedPlan plan;
        private final HostedJob job;
        private final HostedPlan.Part[] partOf;
        private final List<Integer> bolts = new ArrayList<>();

        /** Storm's numbers of those that write, in the order in which they commit. */
        private final List<Integer> writers = new ArrayList<>();

        /** Of each task, the life that is known; 0 for none. */
        private final long[] lives;

        private HostedOrders orders;
        private @Nullable CheckpointStats newest;
        private boolean over;

        Task(Cargo cargo, Desk desk, TopologyContext context, OutputCollector collector) throws Exception {
            this.desk = desk;
            this.collector = collector;
            plan = TaskHost.plan(cargo, desk.loader());
            job = new HostedJob(
                    plan, cargo.checkpoints(), cargo.last(), cargo.settings().badLimit());
            orders = job.orders();
            lives = new long[plan.tasks()];
            partOf = new HostedPlan.Part[plan.tasks()];
            for (HostedPlan.Part part : plan.parts()) {
                for (int task = 0; task < part.parallelism(); task++) {
                    partOf[part.firstTask() + task] = part;
                }
                for (int stormTask : TaskHost.tasks(context, TaskHost.component(part.number()))) {
                    if (!part.reads()) {
                        bolts.add(stormTask);
                    }
                    if (part.writes()) {
                        writers.add(stormTask);
                    }
                }
            }
            if (desk.begunBefore()) {
                end(lost());
            }
        }

        private Note failed(Throwable thrown) {
            if (TaskHost.stopping(thrown)) {
                return lost();
            }
            String reason = HostedPlan.failure(plan.graph().name(), "", thrown);
            return job.failedForGood() ? Note.failedForGood(reason) : Note.of(Note.Kind.FAILED, 0, 0, reason);
        }

        private Note lost() {
            return Note.of(
                    Note.Kind.LOST,
                    0,
                    0,
                    "a worker of topology '" + plan.graph().name() + "' died, and the state of its tasks is lost");
        }

        /** @param note null for Storm's tick */
        void hear(@Nullable Note note) {
            if (over) {
                return;
            }
            try {
                if (note != null) {
                    take(note);
                }
                if (!over) {
                    look(note == null);
                }
            } catch (Throwable thrown) {
                end(failed(thrown));
            }
        }

        private void take(Note note) {
            if (note.kind() == Note.Kind.FAILED) {
                end(note);
                return;
            }
            int task = note.task();
            if (lives[task] == 0 && note.kind() == Note.Kind.OPENED) {
                lives[task] = note.life();
            }
            boolean opening = lives[task] == 0 && note.kind() == Note.Kind.BAD; // rows of a table, which it reads first
            if (lives[task] != note.life() && !opening) {
                end(lost());
                return;
            }
            switch (note.kind()) {
                case OPENED -> job.opened(task);
                case SAVED -> {
                    List<Long> times = note.numbers();
                    job.saved(task, note.number(), note.bytes(), times.get(0), times.get(1));
                }
                case DRAINED -> job.drained(task);
                case COMMITTED -> job.committed(task, partOf[task]);
                case COUNTS -> {
                    job.counts(task, note.decoded(Note.COUNTS));
                    desk.tell(note);
                }
                case BAD -> {
                    job.bad(note.text(), note.decoded(Note.BAD));
                    desk.tell(note);
                }
                case PROCESS, ACKS, CONSOLE -> desk.tell(note);
                default -> {}
            }
        }

        private void look(boolean tick) {
            if (desk.cancelled()) {
                job.cancel();
            }
            job.look();
            job.takeWarnings().forEach(each -> desk.tell(Note.of(Note.Kind.WARNING, 0, 0, each)));
            Throwable failure = job.failure();
            if (failure != null) {
                end(failed(failure));
                return;
            }
            CheckpointStats last = job.lastCheckpoint();
            if (last != null && !last.equals(newest)) {
                newest = last;
                desk.tell(Note.of(Note.Kind.CHECKPOINT, 0, 0, "", Note.CHECKPOINT, last));
            }
            HostedOrders now = job.orders();
            if (now.version() > orders.version()) {
                boolean next = now.nextWriterOnly(orders);
                orders = now;
                desk.post(now);
                if (next) {
                    orderNext();
                } else {
                    order();
                }
            } else if (tick) {
                order(); // once more, in case that it was lost on the way
            }
            if (job.over()) {
                end(Note.of(Note.Kind.OVER, 0, 0));
            }
        }

        private void order() {
            Note note = Note.of(orders);
            for (int bolt : bolts) {
                collector.emitDirect(bolt, TaskHost.ORDERS, new Values(note));
            }
        }

        private void orderNext() {
            int place = (int) orders.committed();
            if (place < writers.size() && bolts.contains(writers.get(place))) {
                collector.emitDirect(writers.get(place), TaskHost.ORDERS, new Values(Note.of(orders)));
            }
        }

        private void end(Note last) {
            over = true;
            job.close();
            desk.tell(last);
        }

        void close() {
            job.close();
            desk.close();
        }
    }
}
