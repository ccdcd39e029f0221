package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.testkit.TopologyTester;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class WordCountTest {
    @Test
    void shouldCountWordsInAnyCase() {
        Topology topology = Topology.named("word-count");
        new WordCount().define(topology, Settings.none());
        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("lines", "To be, or not", "to be");
            tester.end();
            assertEquals(
                    Set.of(
                            new WordCount.Count("to", 2),
                            new WordCount.Count("be", 2),
                            new WordCount.Count("or", 1),
                            new WordCount.Count("not", 1)),
                    Set.copyOf(tester.records("counts")));
        }
    }
}
