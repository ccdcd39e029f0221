// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.io.Serializable;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Which topics a source reads.
 *
 * @param names empty if there is a pattern
 * @param pattern empty if there are names
 * @param partitions of each topic; empty for all
 */
@SuppressWarnings("serial") // the collections are the JDK's
record Topics(List<String> names, String pattern, Set<Integer> partitions) implements Serializable {
    private static final long serialVersionUID = 1L;

    static Topics named(List<String> names) {
        if (names.isEmpty() || names.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("name at least one topic");
        }
        if (Set.copyOf(names).size() < names.size()) {
            throw new IllegalArgumentException("a topic is named twice: " + String.join(", ", names));
        }
        return new Topics(List.copyOf(names), "", Set.of());
    }

    static Topics matching(String pattern) {
        try {
            Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("'" + pattern + "' is no regular expression: " + e.getDescription(), e);
        }
        return new Topics(List.of(), pattern, Set.of());
    }

    Topics only(Set<Integer> some) {
        if (some.isEmpty() || some.stream().anyMatch(each -> each < 0)) {
            throw new IllegalArgumentException("name partitions from 0 on, not " + new TreeSet<>(some));
        }
        return new Topics(names, pattern, Set.copyOf(some));
    }

    /** False if a pattern tells which ones. */
    boolean areNamed() {
        return !names.isEmpty();
    }

    boolean has(String topic) {
        return names.isEmpty() ? Pattern.matches(pattern, topic) : names.contains(topic);
    }

    boolean has(int partition) {
        return partitions.isEmpty() || partitions.contains(partition);
    }

    /** {@code topic orders}, {@code topics matching eu-.*}. */
    @Override
    public String toString() {
        String some = partitions.isEmpty() ? "" : ", partitions " + new TreeSet<>(partitions);
        if (names.isEmpty()) {
            return "topics matching " + pattern + some;
        }
        return (names.size() == 1 ? "topic " : "topics ") + String.join(", ", names) + some;
    }
}
