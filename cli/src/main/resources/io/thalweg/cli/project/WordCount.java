package com.example;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.Windows;
import io.thalweg.files.TextLines;
import java.util.Locale;
import java.util.stream.Stream;

/** Counts the words of a text. The setting {@code in} names its file. */
public final class WordCount implements TopologyDefinition {
    public record Count(String word, long n) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(TextLines.read(settings.text("in", "words.txt")))
                .name("lines")
                .flatMap(line -> Stream.of(line.toLowerCase(Locale.ROOT).split("\\W+"))
                        .filter(word -> !word.isEmpty())
                        .toList())
                .as(String.class)
                .keyBy(word -> word)
                .window(Windows.whole())
                .aggregate(Aggregates.count())
                .map(result -> new Count(result.key(), result.value()))
                .to(Sinks.<Count>table("Words"))
                .name("counts");
    }
}
