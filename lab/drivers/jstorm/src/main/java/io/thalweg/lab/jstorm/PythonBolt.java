// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.task.OutputCollector;
import backtype.storm.task.OutputCollectorCb;
import backtype.storm.task.ShellBolt;
import backtype.storm.task.TopologyContext;
import backtype.storm.topology.IRichBolt;
import backtype.storm.topology.OutputFieldsDeclarer;
import backtype.storm.tuple.Fields;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.PythonCommand;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.TupleLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A relay in Python, in a process of its own, by JStorm's ShellBolt: JSON over its standard input and output. */
final class PythonBolt extends ShellBolt implements IRichBolt {
    private static final long serialVersionUID = 1L;

    private final TupleLayout tuples;

    private volatile boolean ending;

    private PythonBolt(TupleLayout tuples, String... command) {
        super(command);
        this.tuples = tuples;
    }

    /** Puts the scripts into the folder, of which {@code child} names one. */
    static PythonBolt of(Cell cell, TupleLayout tuples, Path folder) throws IOException, RefusedException {
        return new PythonBolt(tuples, PythonCommand.ofStorm(cell, folder).toArray(String[]::new));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void prepare(Map conf, TopologyContext context, OutputCollector collector) {
        super.prepare(conf, context, new Collector(collector));
    }

    @Override
    public void cleanup() {
        ending = true;
        super.cleanup();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(tuples.fields()));
    }

    @Override
    public @Nullable Map<String, Object> getComponentConfiguration() {
        return null;
    }

    /** An error that is reported halts the JVM, and the bolt reports the end of its child as one even when it ended it itself. */
    private final class Collector extends OutputCollector {
        Collector(OutputCollectorCb collector) {
            super(collector);
        }

        @Override
        public void reportError(Throwable error) {
            if (!ending) {
                super.reportError(error);
            }
        }
    }
}
