// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.connector.ConnectorException;
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

/** All that a checkpoint holds, for the tasks of a job that goes on from it. Any thread may read. */
public final class SavedState {
    /** Name of the state that a sink's writer saves. */
    public static final String WRITER = "writer";

    private final Path path;
    private final CheckpointStats info;
    private final Map<StateName, State> states;
    private final boolean acceptsChangedInput;

    private record State(String format, Map<Integer, List<byte[]>> pieces) {}

    private SavedState(Path path, CheckpointStats info, Map<StateName, State> states, boolean acceptsChangedInput) {
        this.acceptsChangedInput = acceptsChangedInput;
        this.path = path;
        this.info = info;
        this.states = states;
    }

    /** @throws IOException where the file cannot be read or is damaged */
    public static SavedState read(Path path) throws IOException {
        CheckpointFile.verify(path);
        Map<StateName, State> states = new LinkedHashMap<>();
        CheckpointStats info = CheckpointFile.read(path, new CheckpointFile.Reader() {
            @Override
            public void state(StateName name, String format) {
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
        return new SavedState(path, info, states, false);
    }

    public CheckpointStats info() {
        return info;
    }

    public Path path() {
        return path;
    }

    /** Operators that have state here. */
    public Set<String> operators() {
        Set<String> operators = new TreeSet<>();
        states.forEach((name, state) -> {
            if (!state.format.equals(name.name())) {
                operators.add(name.operator()); // what only says how far it is belongs to any operator of that name
            }
        });
        return operators;
    }

    /** Without what the named operators remembered. */
    public SavedState without(Set<String> operators, boolean acceptsChangedInput) {
        Map<StateName, State> left = new LinkedHashMap<>(states);
        left.keySet().removeIf(name -> operators.contains(name.operator()));
        return new SavedState(path, info, left, acceptsChangedInput);
    }

    /** Splits are read on from where they were saved even if they are not what they were. */
    public boolean acceptsChangedInput() {
        return acceptsChangedInput;
    }

    /** What is remembered of the keys that a task owns, in pieces of one entry after the other. */
    public List<ByteReader> keyed(StateName name, String format, int task, int parallelism) {
        List<ByteReader> pieces = new ArrayList<>();
        State state = find(name, format);
        for (int group = 0; state != null && group < StableHash.KEY_GROUPS; group++) {
            if (StableHash.taskOf(group, parallelism) == task) {
                state.pieces.getOrDefault(group, List.of()).forEach(piece -> pieces.add(new ByteReader(piece)));
            }
        }
        return pieces;
    }

    /** What each of the tasks wrote whole, as many as there were. */
    public List<ByteReader> whole(StateName name, String format) {
        State state = find(name, format);
        if (state == null) {
            return List.of();
        }
        return state.pieces.getOrDefault(StableHash.KEY_GROUPS, List.of()).stream()
                .map(ByteReader::new)
                .toList();
    }

    /** What the writers of sinks saved, by operator. */
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

    private @Nullable State find(StateName name, String format) {
        State state = states.get(name);
        if (state != null && !state.format.equals(format)) {
            throw new ConnectorException("cannot restore " + path + ": state " + name + " holds " + state.format
                    + " there, and " + format + " in this job; --discard-state '" + name.operator()
                    + "' begins without it");
        }
        return state;
    }
}
