// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Source;
import io.thalweg.testkit.Serialized;
import io.thalweg.testkit.contract.SplitRecorder.Kept;
import io.thalweg.testkit.contract.SplitRecorder.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rules for every bounded source. Records are equal if their codec writes the same bytes. There may be bad records
 * among the good ones.
 *
 * @param <T> records
 */
@Timeout(900)
public abstract class SourceContract<T> {
    /** A source that reads a few records, the same each time. */
    protected abstract Source<? extends T> source() throws Exception;

    /** All its good records, in the order of its splits for a parallelism of 1, one after the other. */
    protected abstract List<? extends T> records() throws Exception;

    /**
     * Fails if reading from a position differs from the rest of reading from the beginning, bad records, lines and
     * offsets included.
     */
    public static <T> void checkReplay(Source<T> source) throws Exception {
        for (String split : source.splits(1)) {
            List<Step> all = SplitRecorder.whole(source, split);
            long begin;
            try (SplitRecorder<T> tape = new SplitRecorder<>(source, split)) {
                begin = tape.reader.position();
            }
            assertThat(SplitRecorder.from(begin, source, split))
                    .as("'%s' from its beginning, position %d", split, begin)
                    .isEqualTo(all);
            for (int i = 0; i < all.size(); i++) {
                Step step = all.get(i);
                if (step.good()) {
                    assertThat(SplitRecorder.from(step.position(), source, split))
                            .as("'%s' after record %d, %s", split, i, step)
                            .isEqualTo(all.subList(i + 1, all.size()));
                }
            }
        }
    }

    @Test
    void shouldReadAllRecords_inOrder_afterSerialization() throws Exception {
        Source<T> source = sent();
        List<Kept> read = new ArrayList<>();
        for (String split : source.splits(1)) {
            read.addAll(SplitRecorder.good(SplitRecorder.whole(source, split)));
        }
        assertThat(read).isEqualTo(expected(source));
    }

    /** All splits side by side, as tasks read them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldReadEachRecordOnce_howeverManyTasksRead(int parallelism) throws Exception {
        Source<T> source = sent();
        List<String> splits = source.splits(parallelism);
        assertThat(splits).as("names of the splits").doesNotHaveDuplicates();
        List<SplitRecorder<T>> open = new ArrayList<>();
        List<Kept> read = new ArrayList<>();
        try {
            for (String split : splits) {
                open.add(new SplitRecorder<>(source, split));
            }
            List<SplitRecorder<T>> unfinished = new ArrayList<>(open);
            while (!unfinished.isEmpty()) {
                for (SplitRecorder<T> tape : List.copyOf(unfinished)) {
                    if (!tape.poll()) {
                        unfinished.remove(tape);
                    }
                }
            }
        } finally {
            for (SplitRecorder<T> tape : open) {
                read.addAll(tape.good());
                tape.close();
            }
        }
        assertThat(read).containsExactlyInAnyOrderElementsOf(expected(source));
    }

    @Test
    void shouldGoOnFromAnyPosition() throws Exception {
        Source<T> source = sent();
        assumeThat(source.replayable()).isTrue();
        checkReplay(source);
    }

    /** A fingerprint taken at a position matches there and at all earlier positions, however often it is saved. */
    @Test
    void shouldKnowItsInputAgain() throws Exception {
        Source<T> source = sent();
        assumeThat(source.replayable()).isTrue();
        source.checkSplits(source.splits(1));
        for (String split : source.splits(1)) {
            List<Step> all = SplitRecorder.whole(source, split);
            byte[] known = {};
            try (SplitRecorder<T> tape = new SplitRecorder<>(source, split)) {
                for (int i = 0; i < all.size() && tape.poll(); i++) {
                    known = tape.reader.fingerprint();
                }
            }
            for (int i = 0; i < all.size(); i++) {
                if (all.get(i).good()) {
                    known = goesOn(known, source, split, all, i);
                }
            }
        }
    }

    /** Reads to after a record, and returns the fingerprint there. */
    private byte[] goesOn(byte[] known, Source<T> source, String split, List<Step> all, int after) throws Exception {
        try (SplitRecorder<T> tape = new SplitRecorder<>(source, split)) {
            if (known.length > 0) {
                assertThat(tape.reader.changed(known))
                        .as("'%s' after record %d", split, after)
                        .isNull();
            }
            tape.reader.seek(all.get(after).position());
            byte[] again = tape.reader.fingerprint();
            assertThat(tape.rest())
                    .as("'%s' after record %d", split, after)
                    .isEqualTo(all.subList(after + 1, all.size()));
            return again;
        }
    }

    /** What may happen to an input between a checkpoint and a restore. */
    public enum Change {
        /** It was truncated to less than was read. */
        TRUNCATED(true),
        /** Records that were read were replaced by others. */
        REPLACED(true),
        /** It was replaced by a new, longer one of the same name. */
        ROTATED(true),
        /** Records were appended. */
        GROWN(false),
        /** It is a copy with the same content. */
        MOVED(false);

        private final boolean refused;

        Change(boolean refused) {
            this.refused = refused;
        }
    }

    /**
     * Changes the input of {@link #source}, which was read to its end; false if that cannot happen to it, as it is where this
     * is not overridden.
     */
    protected boolean change(Change how) throws Exception {
        return false;
    }

    @ParameterizedTest
    @EnumSource(Change.class)
    void shouldSeeThatItsInputChanged(Change how) throws Exception {
        Source<T> source = sent();
        List<byte[]> known = new ArrayList<>();
        List<String> splits = source.splits(1);
        for (String split : splits) {
            try (SplitRecorder<T> tape = new SplitRecorder<>(source, split)) {
                tape.rest();
                known.add(tape.reader.fingerprint());
            }
        }
        assumeThat(change(how)).isTrue();
        boolean changed = false;
        for (int i = 0; i < splits.size(); i++) {
            try (SplitRecorder<T> tape = new SplitRecorder<>(source, splits.get(i))) {
                changed |= tape.reader.changed(known.get(i)) != null;
            } catch (ConnectorException e) {
                changed = true; // it is not even what the source can read
            }
        }
        assertThat(changed).as("the input was %s", how).isEqualTo(how.refused);
    }

    @Test
    void shouldSayWhereRecordsStand() throws Exception {
        Source<T> source = sent();
        for (String split : source.splits(1)) {
            long position = Long.MIN_VALUE;
            long line = 0;
            for (Step step : SplitRecorder.whole(source, split)) {
                if (step.good()) {
                    assertThat(step.offset())
                            .as("offset of %s, which begins behind the record before and ahead of its own end", step)
                            .isGreaterThanOrEqualTo(position)
                            .isLessThan(step.position());
                    assertThat(step.line()).as("line of %s", step).isGreaterThanOrEqualTo(line);
                    position = step.position();
                    line = step.line();
                }
            }
        }
    }

    @Test
    void shouldStayFinished() throws Exception {
        Source<T> source = sent();
        for (String split : source.splits(1)) {
            try (SplitRecorder<T> tape = new SplitRecorder<>(source, split)) {
                List<Step> all = List.copyOf(tape.rest());
                assertThat(tape.poll()).as("'%s' has more after its end", split).isFalse();
                assertThat(tape.steps).as("'%s' has more after its end", split).isEqualTo(all);
            }
        }
    }

    @Test
    void shouldNotChangeRecordsThatItHandedOut() throws Exception {
        Source<T> source = sent();
        assumeThat(source.reusesRecords()).isFalse();
        for (String split : source.splits(1)) {
            try (SplitRecorder<T> tape = new SplitRecorder<>(source, split)) {
                tape.rest();
                assertThat(tape.again())
                        .as("'%s' does not say that it reuses records", split)
                        .isEqualTo(tape.good());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldCloseBeforeItsEnd(int polls) throws Exception {
        Source<T> source = sent();
        for (String split : source.splits(1)) {
            try (SplitRecorder<T> tape = new SplitRecorder<>(source, split)) {
                for (int i = 0; i < polls; i++) {
                    tape.poll();
                }
            }
            assertThat(SplitRecorder.whole(source, split))
                    .as("'%s', read again", split)
                    .isNotNull();
        }
    }

    @SuppressWarnings("unchecked") // a source of some kind of T hands out T
    private Source<T> sent() throws Exception {
        return (Source<T>) Serialized.copyOf(source(), "the source");
    }

    private List<Kept> expected(Source<T> source) throws Exception {
        Codec<T> codec = source.type().codec();
        List<Kept> expected = new ArrayList<>();
        for (T record : records()) {
            expected.add(Kept.of(record, codec));
        }
        return expected;
    }
}
