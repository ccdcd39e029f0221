// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contracts see what is wrong. */
final class ContractsTest {
    private enum Fault {
        NONE,
        SEEKS_TOO_FAR,
        OFFSET_IS_POSITION,
        SPLITS_OVERLAP,
        REUSES,
        NOT_FINISHED_FOR_GOOD,
        SHOWS_AT_ONCE,
        WRITES_TWICE,
        LEAVES_A_BYTE,
        SHARES_ITS_COPIES,
        HASHES_BY_IDENTITY
    }

    @Test
    void shouldSeeFaultsOfSources() {
        SourceContract<int[]> sound = new Cells(Fault.NONE).contract();
        assertThatCode(sound::shouldGoOnFromAnyPosition).doesNotThrowAnyException();
        assertThatCode(sound::shouldSayWhereRecordsStand).doesNotThrowAnyException();
        assertThatCode(() -> sound.shouldReadEachRecordOnce_howeverManyTasksRead(4))
                .doesNotThrowAnyException();
        assertThatCode(sound::shouldNotChangeRecordsThatItHandedOut).doesNotThrowAnyException();
        assertThatCode(sound::shouldStayFinished).doesNotThrowAnyException();

        assertThatThrownBy(new Cells(Fault.SEEKS_TOO_FAR).contract()::shouldGoOnFromAnyPosition)
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(new Cells(Fault.OFFSET_IS_POSITION).contract()::shouldSayWhereRecordsStand)
                .isInstanceOf(AssertionError.class);
        SourceContract<int[]> overlapping = new Cells(Fault.SPLITS_OVERLAP).contract();
        assertThatCode(() -> overlapping.shouldReadEachRecordOnce_howeverManyTasksRead(1))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> overlapping.shouldReadEachRecordOnce_howeverManyTasksRead(4))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(new Cells(Fault.REUSES).contract()::shouldNotChangeRecordsThatItHandedOut)
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(new Cells(Fault.NOT_FINISHED_FOR_GOOD).contract()::shouldStayFinished)
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void shouldSeeFaultsOfSinks() {
        assertThatCode(new Shelf(Fault.NONE).contract()::shouldShowNothing_whereItDidNotFinish)
                .doesNotThrowAnyException();
        assertThatCode(new Shelf(Fault.NONE).contract()::shouldShowWhatEachTaskWrote_onceAndInOrder)
                .doesNotThrowAnyException();
        assertThatThrownBy(new Shelf(Fault.SHOWS_AT_ONCE).contract()::shouldShowNothing_whereItDidNotFinish)
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(new Shelf(Fault.WRITES_TWICE).contract()::shouldShowWhatEachTaskWrote_onceAndInOrder)
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void shouldSeeFaultsOfCodecs() {
        CodecContract<int[]> sound = new Wasteful(Fault.NONE).contract();
        assertThatCode(sound::shouldReadJustWhatItWrote).doesNotThrowAnyException();
        assertThatCode(sound::shouldCopy).doesNotThrowAnyException();
        assertThatCode(sound::shouldHashEqualValuesAlike).doesNotThrowAnyException();

        assertThatThrownBy(new Wasteful(Fault.LEAVES_A_BYTE).contract()::shouldReadJustWhatItWrote)
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(new Wasteful(Fault.SHARES_ITS_COPIES).contract()::shouldCopy)
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(new Wasteful(Fault.HASHES_BY_IDENTITY).contract()::shouldHashEqualValuesAlike)
                .isInstanceOf(AssertionError.class);
    }

    /** Emits cells that hold 0, 1, 2 …, split i of n those from i on in steps of n. */
    private record Cells(Fault fault) implements Source<int[]> {
        private static final int COUNT = 9;

        SourceContract<int[]> contract() {
            return new SourceContract<>() {
                @Override
                protected Source<int[]> source() {
                    return Cells.this;
                }

                @Override
                protected List<int[]> records() {
                    return IntStream.range(0, COUNT)
                            .mapToObj(i -> new int[] {i})
                            .toList();
                }
            };
        }

        @Override
        public String name() {
            return "cells";
        }

        @Override
        public Type<int[]> type() {
            return Type.of(int[].class);
        }

        @Override
        public boolean replayable() {
            return true;
        }

        @Override
        public List<String> splits(int parallelism) {
            return IntStream.range(0, parallelism)
                    .mapToObj(i -> i + "/" + parallelism)
                    .toList();
        }

        @Override
        public SplitReader<int[]> open(String split, SourceContext context) {
            String[] parts = split.split("/");
            int step = Integer.parseInt(parts[1]);
            int[] one = new int[1];
            return new SplitReader<>() {
                private int next = Integer.parseInt(parts[0]);
                private boolean ended;

                @Override
                public int[] poll() {
                    if (next >= COUNT) {
                        next -= fault == Fault.NOT_FINISHED_FOR_GOOD && ended ? step : 0;
                        ended = true;
                        return null;
                    }
                    int[] cell = fault == Fault.REUSES ? one : new int[1];
                    cell[0] = next;
                    next += fault == Fault.SPLITS_OVERLAP ? 1 : step;
                    return cell;
                }

                @Override
                public boolean finished() {
                    return next >= COUNT;
                }

                @Override
                public long position() {
                    return next;
                }

                @Override
                public void seek(long position) {
                    next = (int) position + (fault == Fault.SEEKS_TOO_FAR ? 1 : 0);
                }

                @Override
                public long recordOffset() {
                    return fault == Fault.OFFSET_IS_POSITION ? next : next - step;
                }
            };
        }
    }

    /** What all sinks have shown: static, because a sink is serializable. */
    private static final List<String> SHOWN = new ArrayList<>();

    @BeforeEach
    void clear() {
        SHOWN.clear();
    }

    private record Shelf(Fault fault) implements Sink<String> {
        SinkContract<String> contract() {
            SHOWN.clear();
            return new SinkContract<>() {
                @Override
                protected Sink<String> sink() {
                    return Shelf.this;
                }

                @Override
                protected List<String> records() {
                    return List.of("a", "b", "c", "d", "e");
                }

                @Override
                protected List<String> written() {
                    return SHOWN;
                }
            };
        }

        @Override
        public String name() {
            return "shelf";
        }

        @Override
        public SinkWriter<String> open(SinkContext context) {
            List<String> kept = new ArrayList<>();
            return new SinkWriter<>() {
                @Override
                public void write(String value) {
                    (fault == Fault.SHOWS_AT_ONCE ? SHOWN : kept).add(value);
                    if (fault == Fault.WRITES_TWICE && value.equals("c")) {
                        kept.add(value);
                    }
                }

                @Override
                public void finish() {
                    SHOWN.addAll(kept);
                }
            };
        }
    }

    private record Wasteful(Fault fault) implements Codec<int[]>, Serializable {
        CodecContract<int[]> contract() {
            return new CodecContract<>() {
                @Override
                protected Type<int[]> type() {
                    return Type.custom(int[].class, Wasteful.this);
                }

                @Override
                protected List<int[]> values() {
                    return List.of(new int[] {1}, new int[] {1}, new int[] {2});
                }

                @Override
                protected void change(int[] value) {
                    value[0]++;
                }
            };
        }

        @Override
        public void encode(int[] value, ByteWriter out) {
            out.writeVarLong(value[0]);
            if (fault == Fault.LEAVES_A_BYTE) {
                out.writeByte(0);
            }
        }

        @Override
        public int[] decode(ByteReader in) {
            return new int[] {(int) in.readVarLong()};
        }

        @Override
        public int hash(int[] value) {
            return fault == Fault.HASHES_BY_IDENTITY ? System.identityHashCode(value) : value[0];
        }

        @Override
        public int[] copy(int[] value) {
            return fault == Fault.SHARES_ITS_COPIES ? value : value.clone();
        }
    }
}
