// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.Map;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;

/** Components in Python, as topologies have them. */
final class Shell {
    private Shell() {}

    /** A bolt with one field, or with those that are named. */
    static final class PythonBolt extends ShellBolt implements IRichBolt {
        private static final long serialVersionUID = 1L;

        private final String[] fields;

        PythonBolt(String script) {
            this(script, "python3", "n");
        }

        PythonBolt(String script, String interpreter, String... fields) {
            super(interpreter, script);
            this.fields = fields;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(fields));
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return Map.of();
        }
    }

    /** A spout with one field, or with those that are named. */
    static final class PythonSpout extends ShellSpout implements IRichSpout {
        private static final long serialVersionUID = 1L;

        private final String[] fields;

        PythonSpout(String script) {
            this(script, "python3", "n");
        }

        PythonSpout(String script, String interpreter, String... fields) {
            super(interpreter, script);
            this.fields = fields;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(fields));
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return Map.of();
        }
    }
}
