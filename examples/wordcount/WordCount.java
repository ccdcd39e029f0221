// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.TextLines;
import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * How often each word comes in a text.
 *
 * <p>Settings: {@code in=FILE} reads another text, {@code least=N} shows words that come so often at least.
 */
public final class WordCount implements TopologyDefinition {
    record Word(String word, long n) {}

    private static final Pattern WORD = Pattern.compile("\\p{L}+");

    @Override
    public void define(Topology topology, Settings settings) {
        String in = settings.has("in")
                ? settings.text("in", "")
                : settings.file("in", "river.txt").toString();
        long least = settings.number("least", 5);

        // region job
        topology.from(TextLines.read(in))
                .flatMap(line -> WORD.matcher(line.toLowerCase(Locale.ROOT))
                        .results()
                        .map(match -> match.group())
                        .toList())
                .as(String.class)
                .keyBy(word -> word)
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .map(result -> new Word(result.key(), result.value()))
                .filter(word -> word.n() >= least)
                .to(Sinks.<Word>table("Words by how often they come")
                        .sortedBy((a, b) -> Comparator.comparing(Word::n)
                                .reversed()
                                .thenComparing(Word::word)
                                .compare(a, b)));
        // endregion
    }
}
