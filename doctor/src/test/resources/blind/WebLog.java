// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts the hits of each page of a web server's log. One task takes the lines apart. */
public final class WebLog implements TopologyDefinition {
    record Hit(String page, int status, long bytes) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, WebLog::line).splitInto(2))
                .name("log")
                .shuffle()
                .map(WebLog::hit)
                .name("parse")
                .parallelism(1)
                .keyBy(Hit::page)
                .aggregate(Aggregates.count())
                .name("hits")
                .to(Sinks.discard());
    }

    static String line(long i) {
        return "10.0." + i % 256 + ".7 - - [05/Feb/2018:10:0" + i % 10 + ":11 +0000] \"GET /page/" + i % 300
                + "?user=" + i + " HTTP/1.1\" 200 " + (i % 9000 + 100);
    }

    static Hit hit(String line) {
        Pattern pattern = Pattern.compile(
                "^(\\S+) (\\S+) (\\S+) \\[(.*?)\\] \"(\\w+) ([^?\"]*)(\\?.*?)? (HTTP/.*?)\" (\\d{3}) (\\d+)$");
        Matcher matcher = pattern.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalStateException("no hit: " + line);
        }
        return new Hit(matcher.group(6), Integer.parseInt(matcher.group(9)), Long.parseLong(matcher.group(10)));
    }
}
