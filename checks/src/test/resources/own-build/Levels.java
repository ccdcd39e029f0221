// SPDX-License-Identifier: Apache-2.0
package com.example;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.files.TextLines;
import io.thalweg.parquet.Parquet;

/** Prints the water levels above a mark, from text or from Parquet. */
public final class Levels implements TopologyDefinition {
    public record Level(long level) {}

    @Override
    public void define(Topology topology, Settings settings) {
        String in = settings.text("in", "levels.txt");
        long mark = settings.number("above", 300);
        if (in.endsWith(".parquet")) {
            topology.from(Parquet.read(in, Level.class))
                    .name("levels")
                    .filter(level -> level.level() > mark)
                    .to(Sinks.print())
                    .name("high");
        } else {
            topology.from(TextLines.read(in))
                    .name("levels")
                    .map(Long::valueOf)
                    .filter(level -> level > mark)
                    .to(Sinks.print())
                    .name("high");
        }
    }
}
