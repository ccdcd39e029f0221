// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import org.apache.flink.api.common.accumulators.Accumulator;

/**
 * An accumulator of the lines that a source or sink has for its user: the first ones of each task. Thread-safe: any thread may tell one, and
 * Flink serializes it for its heartbeats meanwhile.
 */
public final class Warned implements Accumulator<String, Warned.Told> {
    private static final long serialVersionUID = 1L;
    private static final int MOST_LINES = 100;
    private static final int MOST_CHARACTERS = 2_000;

    /** Of what all tasks of the operator keep, as {@link BadRecords} has it. */
    private static final int MOST_CHARACTERS_OF_ALL = 1 << 20;

    /**
     * The value of the accumulator.
     *
     * @param attempt how often Flink has started the task before
     * @param first the first lines of the attempt
     * @param more how many it has told besides
     */
    public record Told(int attempt, ArrayList<String> first, long more) implements Serializable {}

    private final int attempt;
    private final int mostCharacters;
    private int characters;
    private ArrayList<String> first = new ArrayList<>();
    private long more;

    /**
     * @param attempt how often Flink has started the task before
     * @param tasks how many the operator has
     */
    public Warned(int attempt, int tasks) {
        this.attempt = attempt;
        mostCharacters = MOST_CHARACTERS_OF_ALL / tasks;
    }

    private Warned(Warned from) {
        attempt = from.attempt;
        mostCharacters = from.mostCharacters;
        characters = from.characters;
        first = new ArrayList<>(from.first);
        more = from.more;
    }

    @Override
    public synchronized void add(String line) {
        String kept = line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + "…" : line;
        if (first.size() < MOST_LINES && characters + kept.length() <= mostCharacters) {
            first.add(kept);
            characters += kept.length();
        } else {
            more++;
        }
    }

    @Override
    public synchronized Told getLocalValue() {
        return new Told(attempt, new ArrayList<>(first), more);
    }

    @Override
    public synchronized void resetLocal() {
        characters = 0;
        first = new ArrayList<>();
        more = 0;
    }

    @Override
    public void merge(Accumulator<String, Told> other) {
        Told told = other.getLocalValue();
        synchronized (this) {
            told.first().forEach(this::add);
            more += told.more();
        }
    }

    @Override
    public synchronized Accumulator<String, Told> clone() {
        return new Warned(this);
    }

    private synchronized void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
    }
}
