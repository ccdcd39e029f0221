// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Consecutive row groups of a file. How a file is split depends on the file alone: a job that is restored with another
 * parallelism
 * finds the same splits.
 */
record ParquetSplit(String name, String path, int firstGroup, int endGroup) {
    /** Each split that is open keeps a page of each column in memory, so there are not too many. */
    private static final int MOST = 8;

    private static final Pattern RANGE =
            Pattern.compile("(.+), row groups ([0-9]{1,9}) to ([0-9]{1,9})", Pattern.DOTALL);

    static List<String> names(ParquetFile file) {
        int groups = file.rowGroups();
        int splits = Math.min(groups, MOST);
        if (splits <= 1) {
            boolean likeARange = RANGE.matcher(file.path()).matches();
            return List.of(file.path() + (likeARange ? ", row groups 0 to 0" : ""));
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < splits; i++) {
            int first = (int) ((long) groups * i / splits);
            int end = (int) ((long) groups * (i + 1) / splits);
            names.add(file.path() + ", row groups " + first + " to " + (end - 1));
        }
        return names;
    }

    /** False if it is the whole file, however many row groups that has. */
    boolean isRange() {
        return !name.equals(path);
    }

    static String path(String name) {
        Matcher matcher = RANGE.matcher(name);
        return matcher.matches() ? matcher.group(1) : name;
    }

    static ParquetSplit of(String name, ParquetFile file) {
        Matcher matcher = RANGE.matcher(name);
        if (!matcher.matches()) {
            return new ParquetSplit(name, name, 0, file.rowGroups());
        }
        int end = Math.min(file.rowGroups(), Integer.parseInt(matcher.group(3)) + 1);
        return new ParquetSplit(name, matcher.group(1), Math.min(end, Integer.parseInt(matcher.group(2))), end);
    }
}
