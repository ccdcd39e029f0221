// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm.doctor;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.windowing.TupleWindow;

/** Spouts and bolts of Storm's own API. */
final class NativeParts {
    private static final long NS_PER_SECOND = 1_000_000_000;

    private NativeParts() {}

    /** Emits numbers, so many per second; reliably or not. */
    static final class Numbers extends BaseRichSpout {
        private static final long serialVersionUID = 1;
        private final long perSecond;
        private final boolean reliable;
        private final long skewedTo;
        private final long atOnce;
        private long beganNs;
        private long emitted;
        private SpoutOutputCollector collector;

        private Numbers(long perSecond, boolean reliable, long skewedTo, long atOnce) {
            this.perSecond = perSecond;
            this.reliable = reliable;
            this.skewedTo = skewedTo;
            this.atOnce = atOnce;
        }

        static Numbers unreliable(long perSecond) {
            return new Numbers(perSecond, false, -1, 0);
        }

        static Numbers reliable(long perSecond) {
            return new Numbers(perSecond, true, -1, 0);
        }

        /** Nine of ten have this key. */
        Numbers skewedTo(long key) {
            return new Numbers(perSecond, reliable, key, atOnce);
        }

        /** That many more at the beginning. */
        Numbers after(long burst) {
            return new Numbers(perSecond, reliable, skewedTo, burst);
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector out) {
            collector = out;
            beganNs = now();
        }

        @Override
        public void nextTuple() {
            long due = perSecond == 0 ? Long.MAX_VALUE : atOnce + (now() - beganNs) * perSecond / NS_PER_SECOND;
            for (int i = 0; i < 100 && emitted < due; i++) {
                long key = skewedTo >= 0 && emitted % 10 != 0 ? skewedTo : emitted % 1_000;
                Values tuple = new Values(emitted, key);
                if (reliable) {
                    collector.emit(tuple, emitted);
                    emitted++;
                    return;
                }
                collector.emit(tuple);
                emitted++;
            }
        }

        private static long now() {
            return System.currentTimeMillis() * 1_000_000;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number", "key"));
        }
    }

    /** Passes tuples on after a pause, and acks them. */
    static final class Pause extends BaseBasicBolt {
        private static final long serialVersionUID = 1;
        private final long us;
        private final int onlyTask;
        private boolean paused = true;

        private Pause(long us, int onlyTask) {
            this.us = us;
            this.onlyTask = onlyTask;
        }

        static Pause of(long us) {
            return new Pause(us, -1);
        }

        static Pause ofOneTask(long us) {
            return new Pause(us, 1);
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            paused = us > 0 && (onlyTask < 0 || context.getThisTaskIndex() == onlyTask);
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            if (paused) {
                LockSupport.parkNanos(us * 1_000);
            }
            collector.emit(new Values(tuple.getValue(0), tuple.getValue(1)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number", "key"));
        }
    }

    /** Takes tuples and does what is wrong with one of so many. */
    static final class Wrong extends BaseRichBolt {
        private static final long serialVersionUID = 1;

        enum What {
            FAILS,
            FORGETS,
            REPORTS,
            DIES
        }

        private final What what;
        private final int oneOf;
        private OutputCollector collector;
        private long executed;

        Wrong(What what, int oneOf) {
            this.what = what;
            this.oneOf = oneOf;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
            collector = out;
        }

        @Override
        public void execute(Tuple tuple) {
            if (++executed % oneOf != 0) {
                collector.ack(tuple);
                return;
            }
            switch (what) {
                case FAILS -> collector.fail(tuple);
                case REPORTS -> {
                    collector.reportError(new IllegalStateException("no such customer: " + tuple.getValue(1)));
                    collector.ack(tuple);
                }
                case DIES -> throw new IllegalStateException("no number: " + tuple.getValue(0));
                default -> {} // it does nothing with it
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Sums of a second. */
    static final class Sums extends BaseWindowedBolt {
        private static final long serialVersionUID = 1;
        private OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
            collector = out;
        }

        @Override
        public void execute(TupleWindow window) {
            long sum = 0;
            for (Tuple tuple : window.get()) {
                sum += tuple.getLong(0);
            }
            collector.emit(new Values(sum, 0L));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number", "key"));
        }
    }

    /** The end. */
    static final class Nothing extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
