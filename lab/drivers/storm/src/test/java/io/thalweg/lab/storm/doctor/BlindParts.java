// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm.doctor;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Spouts and bolts of the blind half. */
final class BlindParts {
    private static final long NS_PER_MS = 1_000_000;

    private BlindParts() {}

    /** Calls of customers, so many per second. */
    static final class Calls extends BaseRichSpout {
        private static final long serialVersionUID = 1;
        private final long perSecond;
        private final boolean reliable;
        private final int ofOneInTen;
        private final boolean objects;
        private long beganMs;
        private long emitted;
        private SpoutOutputCollector collector;

        /**
         * @param ofOneInTen so many of ten calls are of one customer
         * @param objects a call is an object
         */
        Calls(long perSecond, boolean reliable, int ofOneInTen, boolean objects) {
            this.perSecond = perSecond;
            this.reliable = reliable;
            this.ofOneInTen = ofOneInTen;
            this.objects = objects;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector out) {
            collector = out;
            beganMs = System.currentTimeMillis();
        }

        @Override
        public void nextTuple() {
            if (emitted >= (System.currentTimeMillis() - beganMs) * perSecond / 1_000) {
                return;
            }
            String customer = emitted % 10 < ofOneInTen ? "the railway" : "customer " + emitted % 977;
            Object call = objects ? new Call(emitted, customer) : (Object) emitted;
            if (reliable) {
                collector.emit(new Values(customer, call), emitted);
            } else {
                collector.emit(new Values(customer, call));
            }
            emitted++;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("customer", "call"));
        }
    }

    /** Storm has no serializer of its own for it. */
    static final class Call implements Serializable {
        private static final long serialVersionUID = 1;
        private final long number;
        private final String customer;
        private final long[] seconds = {3, 5, 8};

        Call(long number, String customer) {
            this.number = number;
            this.customer = customer;
        }

        @Override
        public String toString() {
            return number + " of " + customer + ": " + seconds.length;
        }
    }

    /** Computes for about a millisecond, and passes the tuple on. */
    static final class Digest extends BaseBasicBolt {
        private static final long serialVersionUID = 1;
        private static final int ROUNDS = 1_000_000;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            long hash = tuple.getString(0).hashCode();
            for (int i = 0; i < ROUNDS; i++) {
                hash = 31 * hash + (hash >>> 17) + i;
            }
            collector.emit(new Values(tuple.getString(0), hash));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("customer", "call"));
        }
    }

    /** Stores the total of each customer, which takes three milliseconds. */
    static final class Totals extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            LockSupport.parkNanos(3 * NS_PER_MS);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Asks a service, which answers after six milliseconds, for each tuple. */
    static final class Tariff extends BaseBasicBolt {
        private static final long serialVersionUID = 1;
        private transient ServerSocket service;
        private transient Socket asked;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            try {
                service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Thread answers = new Thread(this::answer, "tariffs");
                answers.setDaemon(true);
                answers.start();
                asked = new Socket(InetAddress.getLoopbackAddress(), service.getLocalPort());
                asked.setTcpNoDelay(true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void answer() {
            try (Socket client = service.accept()) {
                client.setTcpNoDelay(true);
                for (int question = client.getInputStream().read(); question >= 0; ) {
                    LockSupport.parkNanos(6 * NS_PER_MS);
                    client.getOutputStream().write(question);
                    question = client.getInputStream().read();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            try {
                asked.getOutputStream().write(tuple.getString(0).length());
                collector.emit(new Values(
                        tuple.getString(0), (long) asked.getInputStream().read()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void cleanup() {
            try {
                asked.close();
                service.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("customer", "call"));
        }
    }

    /** Passes on what is worth it. */
    static final class Passes extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            if (!tuple.getValue(1).toString().isEmpty()) {
                collector.emit(new Values(tuple.getString(0), tuple.getValue(1)));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("customer", "call"));
        }
    }
}
