// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.List;

/**
 * Sheets without end, all of them in one object for each of two splits, which is filled again.
 *
 * @param lines of each sheet
 */
record SheetSource(int lines) implements Source<SheetSource.Sheet> {
    /** A record that can change, with a list of its own. */
    static final class Sheet {
        long key;
        String name = "";
        List<Line> lines = new ArrayList<>();

        long key() {
            return key;
        }
    }

    /** A part of it that can change, too. */
    static final class Line {
        String article = "";
        long amount;
        long cents;
    }

    @Override
    public String name() {
        return "sheets";
    }

    @Override
    public Type<Sheet> type() {
        return Type.of(Sheet.class);
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("odd", "even");
    }

    @Override
    public boolean reusesRecords() {
        return true;
    }

    @Override
    public SplitReader<Sheet> open(String split, SourceContext context) {
        Sheet sheet = new Sheet();
        sheet.name = split;
        for (int i = 0; i < lines; i++) {
            Line line = new Line();
            line.article = "article " + i;
            sheet.lines.add(line);
        }
        return new SplitReader<>() {
            private long read;

            @Override
            public Sheet poll() {
                sheet.key = read++;
                for (Line line : sheet.lines) {
                    line.amount = read & 7;
                    line.cents = read & 1_023;
                }
                return sheet;
            }

            @Override
            public boolean finished() {
                return false;
            }

            @Override
            public long position() {
                return read;
            }
        };
    }
}
