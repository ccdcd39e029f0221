// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.SavedPosition;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How far a split was read.
 *
 * @param at the position, and the fingerprint that its reader gave
 * @param watermarks of the split, by name of the operator that reads event times
 */
public record SplitProgress(String split, boolean ended, SavedPosition at, Map<String, Long> watermarks) {
    /** The position of a split that has not been read yet and whose reader has not opened. */
    static final long NOT_BEGUN = Long.MIN_VALUE;

    private static final byte[] NOTHING = {};

    private static final String FORMAT = "split, ended, position with fingerprint, watermarks";

    /** A position without a fingerprint. */
    static SavedPosition unknown(long position) {
        return new SavedPosition(position, NOTHING);
    }

    long position() {
        return at.position();
    }

    private static StateName state(String operator) {
        return new StateName(operator, "splits");
    }

    static void save(String operator, List<SplitProgress> all, TaskState to) {
        ByteWriter out = to.whole(state(operator), FORMAT);
        for (SplitProgress each : all) {
            out.writeText(each.split);
            out.writeBoolean(each.ended);
            each.at.writeTo(out);
            out.writeVarLong(each.watermarks.size());
            each.watermarks.forEach((reader, watermark) -> {
                out.writeText(reader);
                out.writeLong(watermark);
            });
        }
    }

    /** The progress of all splits in a checkpoint, by name of the split. */
    static Map<String, SplitProgress> of(String operator, Restored restored) {
        return of(operator, restored.saved());
    }

    private static Map<String, SplitProgress> of(String operator, SavedState saved) {
        Map<String, SplitProgress> all = new HashMap<>();
        for (ByteReader in : saved.whole(state(operator), FORMAT)) {
            while (in.remaining() > 0) {
                SplitProgress each = read(in);
                all.put(each.split, each);
            }
        }
        return all;
    }

    /** True if the job that took the checkpoint had this source, even if without splits. */
    public static boolean isIn(SavedState saved, String operator) {
        return !saved.whole(state(operator), FORMAT).isEmpty();
    }

    /** True if all splits of a source had ended at the checkpoint; true also if the checkpoint has none of the source. */
    public static boolean allEnded(String operator, SavedState saved) {
        return of(operator, saved).values().stream().allMatch(SplitProgress::ended);
    }

    private static SplitProgress read(ByteReader in) {
        String split = in.readText();
        boolean ended = in.readBoolean();
        SavedPosition at = SavedPosition.read(in);
        Map<String, Long> watermarks = new HashMap<>();
        long count = in.readVarLong();
        for (long i = 0; i < count; i++) {
            watermarks.put(in.readText(), in.readLong());
        }
        return new SplitProgress(split, ended, at, watermarks);
    }

    /** The splits of a source in a checkpoint, sorted by name; empty if there are none. */
    public static List<String> splits(String operator, SavedState saved) {
        List<String> splits = new ArrayList<>(of(operator, saved).keySet());
        splits.sort(null);
        return splits;
    }
}
