// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import java.util.ArrayList;
import java.util.List;

/** The splits of one source task, by the numbers that the task gives them. */
public final class TaskSplits {
    private final String operator;
    private final List<String> names;

    private TaskSplits(String operator, List<String> names) {
        this.operator = operator;
        this.names = names;
    }

    /** The splits of a source that belong to one task. */
    public static TaskSplits share(String operator, List<String> all, int task, int parallelism) {
        List<String> own = new ArrayList<>();
        for (int i = task; i < all.size(); i += parallelism) {
            own.add(all.get(i));
        }
        return new TaskSplits(operator, own);
    }

    /** Name of the source. */
    String operator() {
        return operator;
    }

    int count() {
        return names.size();
    }

    String name(int split) {
        return names.get(split);
    }

    /** Adds a split that was discovered; returns its number. */
    int add(String split) {
        names.add(split);
        return names.size() - 1;
    }
}
