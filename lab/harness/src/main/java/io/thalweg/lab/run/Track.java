// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.driver.Sample;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the meters of a run have written so far, read on as they write. */
final class Track {
    private static final int AT_ONCE = 1 << 20;

    private final RunFolder folder;
    private final boolean atSources;
    private final Map<Path, JvmTrack> jvms = new HashMap<>();

    /** How many records had been counted at one time. */
    record Point(long timeNs, long received) {}

    private static final class JvmTrack {
        private final List<Sample> samples = new ArrayList<>();
        private long offset;
    }

    Track(RunFolder folder) {
        this(folder, false);
    }

    /** @param atSources whether records are counted where they are read, and not where they come out */
    Track(RunFolder folder, boolean atSources) {
        this.folder = folder;
        this.atSources = atSources;
    }

    /** What of a sample the rate is made of. */
    long counted(Sample sample) {
        return atSources ? sample.sent() : sample.received();
    }

    void readOn() throws IOException {
        for (Path file : folder.files(RunFolder.SAMPLES)) {
            readOn(file, jvms.computeIfAbsent(file, path -> new JvmTrack()));
        }
    }

    private static void readOn(Path file, JvmTrack jvm) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            while (hasReadOn(in, jvm)) {
                // there may be more: a quarter of an hour writes as much as is read at once
            }
        }
    }

    /** Whether it has read a whole line or more. */
    private static boolean hasReadOn(RandomAccessFile in, JvmTrack jvm) throws IOException {
        byte[] more = new byte[(int) Math.min(AT_ONCE, in.length() - jvm.offset)];
        in.seek(jvm.offset);
        in.readFully(more);
        int begin = 0;
        for (int i = 0; i < more.length; i++) {
            if (more[i] == '\n') {
                jvm.samples.add(Sample.parse(new String(more, begin, i - begin, StandardCharsets.US_ASCII)));
                begin = i + 1;
            }
        }
        jvm.offset += begin;
        return begin > 0;
    }

    /** What each process counted, at its last sample. */
    Collection<Sample> totals() {
        Map<Long, Sample> processes = new TreeMap<>();
        jvms.forEach((file, jvm) -> {
            if (!jvm.samples.isEmpty()) {
                processes.merge(RunFolder.pid(file), jvm.samples.get(jvm.samples.size() - 1), Sample::plus);
            }
        });
        return processes.values();
    }

    /** All JVMs together, at their last samples. */
    Sample total() {
        return at(Long.MAX_VALUE);
    }

    /** All JVMs together, each at its last sample until then. */
    Sample at(long timeNs) {
        Sample total = Sample.NOTHING;
        for (JvmTrack jvm : jvms.values()) {
            Sample last = null;
            for (Sample each : jvm.samples) {
                if (each.timeNs() <= timeNs) {
                    last = each;
                }
            }
            total = last == null ? total : total.plus(last);
        }
        return total;
    }

    /** The moments at which something more had been counted, in order. */
    List<Point> points() {
        record Step(long timeNs, long more) {}
        List<Step> steps = new ArrayList<>();
        for (JvmTrack jvm : jvms.values()) {
            long before = 0;
            for (Sample each : jvm.samples) {
                if (counted(each) > before) {
                    steps.add(new Step(each.timeNs(), counted(each) - before));
                    before = counted(each);
                }
            }
        }
        steps.sort(Comparator.comparingLong(Step::timeNs));
        List<Point> points = new ArrayList<>();
        long received = 0;
        for (Step step : steps) {
            received += step.more();
            points.add(new Point(step.timeNs(), received));
        }
        return points;
    }

    /**
     * Records a second between two times, taken from the last moment until each at which something had come out: so that it holds
     * for what comes in bursts, such as windows, too. 0 if nothing came out in between.
     */
    static double rate(List<Point> points, long fromNs, long toNs) {
        Point from = last(points, fromNs);
        Point to = last(points, toNs);
        return to.timeNs() == from.timeNs()
                ? 0
                : (to.received() - from.received()) * 1e9 / (to.timeNs() - from.timeNs());
    }

    /** The last point until a time, or the first of all. */
    private static Point last(List<Point> points, long timeNs) {
        Point last = points.get(0);
        for (Point each : points) {
            if (each.timeNs() <= timeNs) {
                last = each;
            }
        }
        return last;
    }
}
