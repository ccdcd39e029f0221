// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The files that other programs wrote, by {@code written-by-others/make.py}, and what they hold by its rules. */
public final class Others {
    public static final int ROWS = 100;

    private Others() {}

    public record Flat(long id, String name, @Nullable Double value, int small, boolean flag) {}

    public record Price(double amount, String currency) {}

    public record Line(String article, int count) {}

    public record Nested(
            long id,
            @Nullable List<String> tags,
            List<@Nullable Integer> holes,
            List<int[]> grid,
            @Nullable Price price,
            List<Line> lines,
            Map<String, @Nullable Long> scores) {
        /** Arrays have no equals of their own. */
        public String text() {
            return id + " " + tags + holes
                    + grid.stream()
                            .map(IntStream::of)
                            .map(each -> each.boxed().toList())
                            .toList()
                    + price + lines + scores;
        }
    }

    public static String file(String name) {
        try {
            return Path.of(Objects.requireNonNull(Others.class.getResource("/written-by-others/" + name))
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    public static List<Flat> flat() {
        return LongStream.range(0, ROWS)
                .mapToObj(i -> new Flat(i, "näme " + i % 7, i % 3 == 0 ? null : i * 0.5, (int) i - 50, i % 2 == 0))
                .toList();
    }

    public static List<Nested> nested() {
        return IntStream.range(0, ROWS).mapToObj(Others::nested).toList();
    }

    private static Nested nested(int i) {
        List<@Nullable Integer> holes = new ArrayList<>();
        Map<String, @Nullable Long> scores = new LinkedHashMap<>();
        for (int j = 0; j < i % 3; j++) {
            holes.add(j % 2 == 1 ? null : Integer.valueOf(j));
            scores.put("k" + j, j == 1 ? null : Long.valueOf(j * 10L));
        }
        return new Nested(
                i,
                i % 5 == 4
                        ? null
                        : IntStream.range(0, i % 4).mapToObj(j -> "t" + j).toList(),
                holes,
                IntStream.range(0, i % 4)
                        .mapToObj(k -> IntStream.range(0, k).toArray())
                        .toList(),
                i % 7 == 6 ? null : new Price(i * 1.5, "EUR"),
                IntStream.range(0, i % 3).mapToObj(j -> new Line("a" + j, j)).toList(),
                scores);
    }
}
