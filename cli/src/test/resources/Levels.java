// SPDX-License-Identifier: Apache-2.0
// region job
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.files.TextLines;

/** Prints the water levels above a mark. */
public class Levels implements TopologyDefinition {
    @Override
    public void define(Topology topology, Settings settings) {
        long mark = settings.number("above", 300);
        topology.from(TextLines.read(settings.text("in", "levels.txt")))
                .map(Levels::level)
                .filter(level -> level > mark)
                .to(Sinks.print());
    }

    static Long level(String line) {
        try {
            return Long.valueOf(line);
        } catch (NumberFormatException e) {
            throw new BadRecordException("not a number", line);
        }
    }
}
// endregion
