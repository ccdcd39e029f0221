// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The cell's load: each task of it a split. */
record LoadSource<T>(Cell cell, Type<T> type, Opening<T> opening) implements Source<T> {
    /** Makes the records of one task. */
    interface Opening<T> extends Serializable {
        Maker<T> open();
    }

    interface Maker<T> {
        /** The next record of the load, which it takes. */
        T next(Load load);
    }

    @Override
    public String name() {
        return "load";
    }

    @Override
    public List<String> splits(int parallelism) {
        return IntStream.range(0, cell.sources()).mapToObj(Integer::toString).toList();
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public boolean reusesRecords() {
        return cell.reusesRecord();
    }

    @Override
    public SplitReader<T> open(String split, SourceContext context) {
        Load load = Load.open(cell, Integer.parseInt(split), cell.sources(), context::wakeUp);
        return new Reader<>(load, opening.open(), cell);
    }

    private static final class Reader<T> implements SplitReader<T> {
        private final Load load;
        private final Maker<T> maker;
        private final boolean paced;

        Reader(Load load, Maker<T> maker, Cell cell) {
            this.load = load;
            this.maker = maker;
            paced = cell.ratePerSecond() > 0 && !cell.pushed();
        }

        @Override
        public @Nullable T poll() {
            return load.ended() || !load.due() ? null : maker.next(load);
        }

        @Override
        public boolean finished() {
            return load.ended();
        }

        @Override
        public long position() {
            return load.position();
        }

        @Override
        public void seek(long position) {
            load.seek(position);
        }

        @Override
        public long nextDueNs() {
            return paced ? load.dueNs() : 0;
        }

        @Override
        public void close() {
            load.close();
        }
    }
}
