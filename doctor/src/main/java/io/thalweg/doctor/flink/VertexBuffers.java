// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.FlinkSamples;
import io.thalweg.doctor.observation.FlinkVertex;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Looks at the buffers through which the tasks of a vertex get and send records, and at the watermarks that come so. Not thread-safe. */
final class VertexBuffers {
    private static final String IN = "Shuffle.Netty.Input.";
    private static final String IN_POOL = IN + "Buffers.inPoolUsage";
    private static final String LOCAL_BUFFERS = IN + "numBuffersInLocal";
    private static final String REMOTE_BUFFERS = IN + "numBuffersInRemote";
    private static final String LOCAL_BYTES = IN + "numBytesInLocal";
    private static final String REMOTE_BYTES = IN + "numBytesInRemote";
    private static final String OUT_POOL = "Shuffle.Netty.Output.Buffers.outPoolUsage";
    private static final String INPUT =
            String.join(",", IN_POOL, LOCAL_BUFFERS, REMOTE_BUFFERS, LOCAL_BYTES, REMOTE_BYTES);

    /** What Flink says as long as none has come. */
    private static final long NO_WATERMARK = Long.MIN_VALUE;

    private final FlinkRest rest;
    private final String path;
    private final boolean receives;
    private final boolean sends;
    private final Map<String, Double> fullest = new HashMap<>();
    private final Map<String, Integer> looks = new HashMap<>();
    private final Map<String, Double> last = new HashMap<>();
    private final Map<String, Double> counted = new HashMap<>();
    private @Nullable Long watermark;
    private int looksAtWatermark;
    private int looksWithoutChange;

    /**
     * @param path of the vertex
     * @param receives from another one
     * @param sends to another one
     */
    VertexBuffers(FlinkRest rest, String path, boolean receives, boolean sends) {
        this.rest = rest;
        this.path = path;
        this.receives = receives;
        this.sends = sends;
    }

    /** Takes what was counted since the last look; the first one is where counting begins. */
    void look() throws IOException, InterruptedException {
        // of several metrics Flink tells none if one is missing, and a source has none of its input
        if (receives) {
            take(INPUT);
            takeWatermark();
        }
        if (sends) {
            take(OUT_POOL);
        }
    }

    /** The least of its tasks; each is the least of what their inputs have sent. */
    private void takeWatermark() throws IOException, InterruptedException {
        Answer told = rest.findIfTold(path + "/watermarks");
        Long least = null;
        for (Answer task : told == null ? List.<Answer>of() : told.elements()) {
            long watermark = watermark(task.at("value").text());
            least = least == null ? watermark : Long.valueOf(Math.min(least, watermark));
        }
        least = least == null || least == NO_WATERMARK ? null : least;
        looksAtWatermark++;
        looksWithoutChange = Objects.equals(least, watermark) ? looksWithoutChange + 1 : 1;
        watermark = least;
    }

    private static long watermark(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return NO_WATERMARK;
        }
    }

    private void take(String metrics) throws IOException, InterruptedException {
        Answer told = rest.findIfTold(path + "/subtasks/metrics?get=" + metrics + "&agg=max,sum");
        if (told == null) {
            return;
        }
        for (Answer metric : told.elements()) {
            String id = metric.at("id").text();
            if (id.equals(IN_POOL) || id.equals(OUT_POOL)) {
                fullest.merge(id, metric.at("max").real(), Double::sum);
                looks.merge(id, 1, Integer::sum);
            } else if (metric.at("sum").isThere()) {
                double now = metric.at("sum").real();
                Double before = last.put(id, now);
                if (before != null) { // less than before if tasks were started again
                    counted.merge(id, now >= before ? now - before : now, Double::sum);
                }
            }
        }
    }

    /** @param samples of its stacks */
    FlinkVertex seen(String name, @Nullable FlinkSamples samples) {
        return new FlinkVertex(
                name,
                mean(IN_POOL),
                mean(OUT_POOL),
                sum(LOCAL_BUFFERS, REMOTE_BUFFERS),
                sum(LOCAL_BYTES, REMOTE_BYTES),
                sum(REMOTE_BYTES),
                samples,
                watermark,
                watermark == null ? null : Double.valueOf((double) looksWithoutChange / looksAtWatermark));
    }

    private @Nullable Double mean(String id) {
        Double all = fullest.get(id);
        return all == null ? null : Double.valueOf(all / looks.getOrDefault(id, 1));
    }

    private @Nullable Long sum(String... ids) {
        double sum = 0;
        for (String id : ids) {
            Double one = counted.get(id);
            if (one == null) {
                return null;
            }
            sum += one;
        }
        return Math.round(sum);
    }
}
