// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import java.io.IOException;
import java.io.Serializable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;

/**
 * When all tasks of a restored job have opened: only then do sinks change their outputs, so that one whose state or input does not fit leaves
 * them as they are. Each task tells the JobManager of itself while it opens, so that who waits there waits for none that waits.
 *
 * @param checkpoint that the job is restored from; one that it took itself has nothing newer to lose
 * @param operators how many open: all of the topology but those that had ended before the checkpoint
 */
public record AllOpened(long checkpoint, int operators) implements Serializable {
    private static final String NAME = "thalweg-opened";
    private static final String NOTHING_NEW = "";
    private static final long LEAST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A task of an operator has opened. */
    public void opened(RuntimeContext context, String operator) throws IOException {
        TaskInfo task = context.getTaskInfo();
        tell(context, task.getIndexOfThisSubtask() + "/" + task.getNumberOfParallelSubtasks() + "/" + operator);
    }

    /** Waits until all tasks have. */
    public void await(RuntimeContext context) throws IOException, InterruptedException {
        long waitNs = LEAST_WAIT_NS;
        while (tell(context, NOTHING_NEW) < operators) {
            LockSupport.parkNanos(waitNs);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            waitNs = Math.min(2 * waitNs, LONGEST_WAIT_NS);
        }
    }

    private static int tell(RuntimeContext context, String task) throws IOException {
        return ((StreamingRuntimeContext) context)
                .getGlobalAggregateManager()
                .updateGlobalAggregate(NAME, task, new Opened());
    }

    /** On the JobManager: the tasks that have opened, by their number and the name of their operator. Of operators, counts those with all. */
    private static final class Opened implements AggregateFunction<String, Map<String, BitSet>, Integer> {
        private static final long serialVersionUID = 1L;

        @Override
        public Map<String, BitSet> createAccumulator() {
            return new HashMap<>();
        }

        @Override
        public Map<String, BitSet> add(String task, Map<String, BitSet> known) {
            if (!task.equals(NOTHING_NEW)) {
                int end = task.indexOf('/');
                known.computeIfAbsent(task.substring(end + 1), first -> new BitSet())
                        .set(Integer.parseInt(task.substring(0, end)));
            }
            return known;
        }

        @Override
        public Integer getResult(Map<String, BitSet> known) {
            Set<String> whole = new HashSet<>();
            for (Map.Entry<String, BitSet> each : known.entrySet()) {
                String tasksOf = each.getKey();
                int end = tasksOf.indexOf('/');
                if (each.getValue().cardinality() == Integer.parseInt(tasksOf.substring(0, end))) {
                    whole.add(tasksOf.substring(end + 1));
                }
            }
            return whole.size();
        }

        @Override
        public Map<String, BitSet> merge(Map<String, BitSet> one, Map<String, BitSet> other) {
            other.forEach((tasksOf, tasks) ->
                    one.computeIfAbsent(tasksOf, first -> new BitSet()).or(tasks));
            return one;
        }
    }
}
