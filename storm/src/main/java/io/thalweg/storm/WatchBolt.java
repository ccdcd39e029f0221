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

/** The bolt, with a single task, that coordinates the tasks of a job: it collects their messages, sends orders, and reports to the
 * client. */
final class WatchBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;
    private static final int IDLE_MS = 2;

    /** Each task says it each second. */
    private static final int MOST_UNSAVED = 60;

    private final JobDescriptor descriptor;
    private transient @Nullable ControlChannel channel;
    private transient @Nullable Task task;

    WatchBolt(JobDescriptor descriptor) {
        this.descriptor = descriptor;
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
        ControlChannel own = ControlChannel.of(descriptor, conf);
        channel = own;
        try {
            if (own.begunBefore()) {
                giveUp(own);
                own.send(ControlMessage.lost(
                        TaskHost.plan(descriptor, own.loader()).graph().name()));
            } else {
                task = new Task(descriptor, own, context, collector);
            }
        } catch (Throwable thrown) {
            String reason = HostedPlan.failure(context.getStormId(), TaskHost.WATCH, thrown);
            own.send(ControlMessage.of(ControlMessage.Kind.FAILED, 0, 0, reason));
        }
    }

    /**
     * The client ends the topology; one whose client is gone would go on reading and writing, without a checkpoint, and another job could
     * begin beside it.
     */
    private static void giveUp(ControlChannel channel) {
        try {
            channel.post(channel.orders().givenUp());
        } catch (RuntimeException e) {
            // then the client alone ends it
        }
    }

    @Override
    public void execute(Tuple tuple) {
        Task running = task;
        if (running != null) {
            running.receive(tuple.getValue(0) instanceof ControlMessage message ? message : null);
        }
    }

    @Override
    public void cleanup() {
        Task running = task;
        if (running != null) {
            running.close();
        }
        ControlChannel own = channel;
        if (own != null) {
            own.close();
        }
    }

    /** The state of the bolt in its worker, which is not serialized. */
    private static final class Task {
        private final ControlChannel channel;
        private final OutputCollector collector;
        private final HostedPlan plan;
        private final HostedJob job;
        private final HostedPlan.Part[] partOf;
        private final List<Integer> bolts = new ArrayList<>();

        /** Storm's ids of the tasks with sinks, in the order in which they commit. */
        private final List<Integer> writers = new ArrayList<>();

        /** The last known life of each task; 0 for none. */
        private final long[] lives;

        /** How often each task has said that it has drained while its last state had not come. */
        private final int[] unsaved;

        private HostedOrders orders;
        private @Nullable CheckpointStats newest;
        private boolean over;

        Task(JobDescriptor descriptor, ControlChannel channel, TopologyContext context, OutputCollector collector)
                throws Exception {
            this.channel = channel;
            this.collector = collector;
            plan = TaskHost.plan(descriptor, channel.loader());
            job = new HostedJob(
                    plan,
                    descriptor.checkpoints(),
                    descriptor.last(),
                    descriptor.settings().badLimit());
            orders = job.orders();
            lives = new long[plan.tasks()];
            unsaved = new int[plan.tasks()];
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
            channel.post(orders); // a watch bolt that follows sees them, even if no others are given
            channel.clean();
        }

        private ControlMessage failed(Throwable thrown) {
            if (TaskHost.stopping(thrown)) {
                return ControlMessage.lost(plan.graph().name());
            }
            String reason = HostedPlan.failure(plan.graph().name(), "", thrown);
            return job.failedForGood()
                    ? ControlMessage.failedForGood(reason)
                    : ControlMessage.of(ControlMessage.Kind.FAILED, 0, 0, reason);
        }

        /** @param message null for Storm's tick */
        void receive(@Nullable ControlMessage message) {
            if (over) {
                return;
            }
            try {
                if (message != null) {
                    take(message);
                }
                if (!over) {
                    look(message == null);
                }
            } catch (Throwable thrown) {
                end(failed(thrown));
            }
        }

        private void take(ControlMessage message) {
            if (message.kind() == ControlMessage.Kind.FAILED || message.kind() == ControlMessage.Kind.LOST) {
                end(message);
                return;
            }
            int task = message.task();
            if (lives[task] == 0 && message.kind() == ControlMessage.Kind.OPENED) {
                lives[task] = message.life();
            }
            boolean opening = lives[task] == 0
                    && (message.kind()
                                    == ControlMessage.Kind.BAD // rows of a table, which a task reads before it is open
                            || message.kind() == ControlMessage.Kind.WARNING); // such as what it waits for until then
            if (lives[task] != message.life() && !opening) {
                end(ControlMessage.lost(plan.graph().name()));
                return;
            }
            switch (message.kind()) {
                case OPENED -> job.opened(task, message.number() != 0);
                case SAVED -> {
                    List<Long> times = message.numbers();
                    job.saved(task, message.number(), message.bytes(), times.get(0), times.get(1));
                }
                case REACHED -> job.reached((int) message.number());
                case DRAINED -> drained(task, message.number() != 0);
                case COMMITTED -> job.committed(task, partOf[task]);
                case COUNTS -> {
                    job.counts(task, message.decoded(ControlMessage.COUNTS));
                    channel.send(message);
                }
                case BAD -> {
                    job.bad(message.text(), message.decoded(ControlMessage.BAD));
                    channel.send(message);
                }
                case PROCESS, ACKS, CONSOLE, WARNING -> channel.send(message);
                default -> {}
            }
        }

        /** @param saved the task has sent its last state before, which batches of Storm may bring later */
        private void drained(int task, boolean saved) {
            if (!saved || job.hasLast(task)) {
                job.drained(task);
            } else if (++unsaved[task] > MOST_UNSAVED) {
                HostedPlan.Part part = partOf[task];
                String name = part.name() + "[" + (task - part.firstTask()) + "]";
                end(ControlMessage.of(
                        ControlMessage.Kind.LOST,
                        0,
                        0,
                        "topology '" + plan.graph().name() + "': the last state of task '" + name
                                + "' was lost, as where a connection between two workers broke"));
            }
        }

        private void look(boolean tick) {
            if (channel.cancelled()) {
                job.cancel();
            }
            job.look();
            job.takeWarnings()
                    .forEach(each -> channel.send(ControlMessage.of(ControlMessage.Kind.WARNING, 0, 0, each)));
            Throwable failure = job.failure();
            if (failure != null) {
                end(failed(failure));
                return;
            }
            CheckpointStats last = job.lastCheckpoint();
            if (last != null && !last.equals(newest)) {
                newest = last;
                channel.send(
                        ControlMessage.of(ControlMessage.Kind.CHECKPOINT, 0, 0, "", ControlMessage.CHECKPOINT, last));
            }
            HostedOrders now = job.orders();
            if (now.version() > orders.version()) {
                boolean next = now.nextWriterOnly(orders);
                orders = now;
                channel.post(now);
                if (next) {
                    orderNext();
                } else {
                    order();
                }
            } else if (tick) {
                order(); // again, in case the first message was lost
            }
            if (job.over()) {
                end(ControlMessage.of(ControlMessage.Kind.OVER, 0, 0));
            }
        }

        private void order() {
            ControlMessage message = ControlMessage.of(orders);
            for (int bolt : bolts) {
                collector.emitDirect(bolt, TaskHost.ORDERS, new Values(message));
            }
        }

        private void orderNext() {
            int place = (int) orders.committed();
            if (place < writers.size() && bolts.contains(writers.get(place))) {
                collector.emitDirect(writers.get(place), TaskHost.ORDERS, new Values(ControlMessage.of(orders)));
            }
        }

        private void end(ControlMessage last) {
            over = true;
            job.close();
            channel.send(last);
            if (last.kind() != ControlMessage.Kind.OVER) {
                giveUp(channel);
            }
        }

        void close() {
            job.close();
        }
    }
}
