// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Emits the numbers from 0 with themselves as ids, again if one fails, and notes what becomes of them: pages acked, failed, closed,
 * emitted. The fields: n, key = n mod 10, and the task.
 */
public final class Numbers extends BaseRichSpout {
    private static final long serialVersionUID = 1L;

    private final String journal;
    private final int many;
    private boolean withIds = true;
    private transient Deque<Integer> todo;
    private transient SpoutOutputCollector collector;
    private transient int task;

    public Numbers(Journal journal, int many) {
        this.journal = journal.id;
        this.many = many;
    }

    public Numbers withoutIds() {
        withIds = false;
        return this;
    }

    private Journal journal() {
        return Journal.of(journal);
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
        collector = output;
        task = context.getThisTaskId();
        todo = new ArrayDeque<>();
        int tasks = context.getComponentTasks(context.getThisComponentId()).size();
        for (int n = context.getThisTaskIndex(); n < many; n += tasks) {
            todo.add(n);
        }
    }

    @Override
    public void nextTuple() {
        Integer n = todo.poll();
        if (n == null) {
            return;
        }
        int open = journal().counter("open").incrementAndGet();
        journal().counter("most open").accumulateAndGet(open, Math::max);
        Values values = new Values(n, n % 10, task);
        journal().note("emitted", n);
        if (withIds) {
            collector.emit(values, n);
        } else {
            collector.emit(values);
        }
    }

    @Override
    public void ack(Object id) {
        journal().note("acked", id); // before it is no longer open
        journal().counter("open").decrementAndGet();
    }

    @Override
    public void fail(Object id) {
        journal().note("failed", id);
        journal().counter("open").decrementAndGet();
        todo.add((Integer) id);
    }

    @Override
    public void deactivate() {
        journal().note("deactivated", task);
    }

    @Override
    public void close() {
        journal().note("closed", task);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("n", "key", "task"));
    }
}
