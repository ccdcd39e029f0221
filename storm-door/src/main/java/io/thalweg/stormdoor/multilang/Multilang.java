// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.storm.Config;
import org.apache.storm.multilang.JsonSerializer;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.tuple.Tuple;

/**
 * Runs the command of a {@code ShellBolt} or {@code ShellSpout} as these do, with a child that may die and one that is faster: they end
 * the JVM with their child, and know JSON only.
 */
public final class Multilang {
    /** Option of a topology: the framings that a child may ask for, beside JSON. */
    public static final String FRAMINGS = "topology.multilang.framings";

    private Multilang() {}

    /** A bolt with threads of its own, which may fail between two calls, and emits for a child. */
    public interface Failing {
        /** To be called before {@code prepare}. */
        void onFailure(Consumer<Throwable> told);

        /** To be called before {@code prepare}. */
        void emitBy(Emitter emitter);
    }

    /** Emits a tuple as an {@code OutputCollector} does, for a child that waits until it knows where the tuple goes. */
    public interface Emitter {
        /** @param chosen gets the tasks, before any of them gets the tuple: that may wait for room, and wakes their threads */
        void emit(String stream, List<Tuple> anchors, List<Object> values, Consumer<List<Integer>> chosen);
    }

    /**
     * What runs the command of this bolt. The bolt itself if it is not a {@code ShellBolt}, if it has methods of its own where that has
     * some, or if the topology names another serializer.
     *
     * @param python makes a folder with the Python package, which children find
     */
    public static IBolt bolt(IBolt bolt, Map<String, Object> conf, Supplier<Path> python) {
        ShellCommand command = json(conf) ? ShellCommand.of(bolt, ShellBolt.class, IBolt.class) : null;
        return command == null ? bolt : new ChildBolt(command, python.get());
    }

    /**
     * The same as {@link #bolt} for spouts.
     *
     * @param most how many tuples of all tasks of the executor may be pending; 0 if any number may
     */
    public static ISpout spout(ISpout spout, Map<String, Object> conf, Supplier<Path> python, int most) {
        ShellCommand command = json(conf) ? ShellCommand.of(spout, ShellSpout.class, ISpout.class) : null;
        return command == null ? spout : new ChildSpout(command, python.get(), most);
    }

    private static boolean json(Map<String, Object> conf) {
        Object serializer = conf.get(Config.TOPOLOGY_MULTILANG_SERIALIZER);
        return serializer == null || serializer.equals(JsonSerializer.class.getName());
    }
}
