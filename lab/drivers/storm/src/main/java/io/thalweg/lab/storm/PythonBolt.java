// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.PythonCommand;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.TupleLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.jspecify.annotations.Nullable;

/** A relay in Python, in a process of its own, by Storm's multilang protocol: JSON over its standard input and output. */
final class PythonBolt extends ShellBolt implements IRichBolt {
    private static final long serialVersionUID = 1L;

    private final TupleLayout tuples;

    private PythonBolt(TupleLayout tuples, String... command) {
        super(command);
        this.tuples = tuples;
        changeChildCWD(false);
    }

    /** Puts the scripts into the folder, of which {@code child} names one. */
    static PythonBolt of(Cell cell, TupleLayout tuples, Path folder) throws IOException, RefusedException {
        return new PythonBolt(tuples, PythonCommand.ofStorm(cell, folder).toArray(String[]::new));
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(tuples.fields()));
    }

    @Override
    public @Nullable Map<String, Object> getComponentConfiguration() {
        return null;
    }
}
