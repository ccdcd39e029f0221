// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.GraphDescription;
import io.thalweg.api.stats.CheckpointStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The contents of a checkpoint, for the tasks of a job that is restored from it. Any thread may read. */
public final class SavedState {
    /** Name of the state that a sink's writer saves. */
    public static final String WRITER = "writer";

    private final Path path;
    private final CheckpointStats info;
    private final GraphDescription graph;
    private final Map<StateName, State> states;
    private final boolean acceptsChangedInput;

    private record State(StateFormat format, Map<Integer, List<byte[]>> pieces) {}

    private SavedState(
            Path path,
            CheckpointStats info,
            GraphDescription graph,
            Map<StateName, State> states,
            boolean acceptsChangedInput) {
        this.graph = graph;
        this.acceptsChangedInput = acceptsChangedInput;
        this.path = path;
        this.info = info;
        this.states = states;
    }

    /**
     * Reads a checkpoint.
     *
     * @throws DamagedException if it is damaged
     * @throws IOException if the disk does not give it
     */
    public static SavedState read(Path path) throws IOException {
        CheckpointFile.verify(path);
        Map<StateName, State> states = new LinkedHashMap<>();
        GraphDescription[] graph = new GraphDescription[1];
        CheckpointStats info = CheckpointFile.read(path, new CheckpointFile.Reader() {
            @Override
            public void graph(GraphDescription described) {
                graph[0] = described;
            }

            @Override
            public void state(StateName name, StateFormat format) {
                states.computeIfAbsent(name, n -> new State(format, new HashMap<>()));
            }

            @Override
            public void piece(StateName name, int group, byte[] bytes) {
                State state = states.get(name);
                if (state != null) {
                    state.pieces.computeIfAbsent(group, g -> new ArrayList<>()).add(bytes);
                }
            }
        });
        if (graph[0] == null) {
            throw new DamagedException("it does not describe its graph");
        }
        return new SavedState(path, info, graph[0], states, false);
    }

    public CheckpointStats info() {
        return info;
    }

    /** The graph of the job that took the checkpoint. */
    public GraphDescription graph() {
        return graph;
    }

    public Path path() {
        return path;
    }

    /** The names of operators that have state here. */
    public Set<String> operators() {
        Set<String> operators = new TreeSet<>();
        states.forEach((name, state) -> {
            if (!state.format.text().equals(name.name())) {
                operators.add(name.operator()); // progress counts for any operator of that name
            }
        });
        return operators;
    }

    /** The same without the state of these operators. */
    public SavedState without(Set<String> operators, boolean acceptsChangedInput) {
        Map<StateName, State> left = new LinkedHashMap<>(states);
        left.keySet().removeIf(name -> operators.contains(name.operator()));
        return new SavedState(path, info, graph, left, acceptsChangedInput);
    }

    /** True if splits continue at their saved positions even if their contents have changed. */
    public boolean acceptsChangedInput() {
        return acceptsChangedInput;
    }

    /** The state of keys of one key group: consecutive entries. */
    public record Piece(int group, ByteReader in) {}

    /** The state of the keys that a task owns. */
    public List<Piece> keyed(StateName name, StateFormat format, int task, int parallelism) {
        List<Piece> pieces = new ArrayList<>();
        State state = find(name, format);
        for (int group = 0; state != null && group < StableHash.KEY_GROUPS; group++) {
            if (StableHash.taskOf(group, parallelism) == task) {
                for (byte[] piece : state.pieces.getOrDefault(group, List.of())) {
                    pieces.add(new Piece(group, new ByteReader(piece)));
                }
            }
        }
        return pieces;
    }

    /**
     * Returns a codec that reads the values of a state, which may have an older schema than the type has now.
     *
     * @throws ConnectorException if their schema cannot be read as that type
     */
    public <T> Codec<T> reader(StateName name, Type<T> type) {
        State state = states.get(name);
        try {
            return state == null ? type.codec() : state.format.reader(type);
        } catch (CodecException e) {
            throw unfit(name, String.valueOf(e.getMessage()));
        }
    }

    /** What each of the tasks wrote whole, as many as there were. */
    public List<ByteReader> whole(StateName name, String format) {
        return whole(name, StateFormat.of(format));
    }

    /** What each of the tasks wrote whole, as many as there were. */
    public List<ByteReader> whole(StateName name, StateFormat format) {
        State state = find(name, format);
        if (state == null) {
            return List.of();
        }
        return state.pieces.getOrDefault(StableHash.KEY_GROUPS, List.of()).stream()
                .map(ByteReader::new)
                .toList();
    }

    /** What sinks saved, by operator, one entry for each task. */
    public Map<String, List<byte[]>> writers() {
        Map<String, List<byte[]>> writers = new LinkedHashMap<>();
        states.forEach((name, state) -> {
            if (name.name().equals(WRITER)) {
                writers.put(
                        name.operator(),
                        state.pieces.getOrDefault(StableHash.KEY_GROUPS, List.of()).stream()
                                .map(piece -> new ByteReader(piece).readBytes())
                                .toList());
            }
        });
        return writers;
    }

    /**
     * Checks, before anything is opened, that a state can be restored as one of this job. A missing state passes.
     *
     * @param values type of its values; null if none has a user's type
     * @throws ConnectorException if it cannot
     */
    public void check(StateName name, StateFormat format, @Nullable Type<?> values) {
        find(name, format);
        if (values != null) {
            reader(name, values);
        }
    }

    /**
     * Checks that an operator still declares all the states that it had declared.
     *
     * @param prefix of the names of states that users declare
     * @throws ConnectorException if a state is not declared any more, so that it would be lost
     */
    public void checkDeclared(String operator, String prefix, Set<String> declared) {
        states.forEach((name, state) -> {
            boolean own = name.operator().equals(operator) && name.name().startsWith(prefix);
            if (own && !state.pieces.isEmpty() && !declared.contains(name.name().substring(prefix.length()))) {
                throw unfit(name, "the operator does not declare it any more; it declares " + declared);
            }
        });
    }

    private @Nullable State find(StateName name, StateFormat format) {
        State state = states.get(name);
        String difference = state == null ? null : format.differs(state.format);
        if (difference != null) {
            throw unfit(name, difference);
        }
        return state;
    }

    private ConnectorException unfit(StateName name, String reason) {
        return new ConnectorException(
                "topology '" + info.topology() + "': cannot continue from " + path + ": state " + name
                        + ": " + reason + "; run the operator as it was, or continue without its state with"
                        + " --discard-state '" + name.operator() + "'");
    }
}
