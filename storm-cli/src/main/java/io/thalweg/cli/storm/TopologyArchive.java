// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.Main;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Runs a small topology that loads the classes that most topologies need. The launcher starts it with {@code -XX:ArchiveClassesAtExit}
 * before the first {@code thalweg storm run}, so that later starts need not load and verify them.
 */
public final class TopologyArchive {
    private TopologyArchive() {}

    public static void main(String[] arguments) throws URISyntaxException {
        Path storm = Path.of(TopologyBuilder.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Main.main(new String[] {"storm", "run", storm.toString(), "--class", Typical.class.getName()});
    }

    /** A main as those of topologies are. */
    public static final class Typical {
        private static final CountDownLatch RECEIVED = new CountDownLatch(100);

        private Typical() {}

        public static void main(String[] arguments) throws Exception {
            TopologyBuilder topology = new TopologyBuilder();
            topology.setSpout("words", new TestWordSpout());
            topology.setBolt("exclaim", new Exclaim(), 2).fieldsGrouping("words", new Fields("word"));
            topology.setBolt("receive", new Receive()).shuffleGrouping("exclaim");
            try (LocalCluster cluster = new LocalCluster()) {
                cluster.submitTopology("typical", new Config(), topology.createTopology());
                RECEIVED.await(1, TimeUnit.MINUTES);
            }
        }
    }

    private static final class Exclaim extends BaseRichBolt {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("NullAway.Init") // Storm prepares a bolt before it uses it
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void execute(Tuple tuple) {
            collector.emit(tuple, new Values(tuple.getString(0) + "!"));
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    private static final class Receive extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            Typical.RECEIVED.countDown();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // nothing continues from here
        }
    }
}
