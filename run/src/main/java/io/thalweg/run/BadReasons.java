// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.stats.BadReason;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Counts bad records by reason: records of one operator whose reasons differ only in numbers and quoted values form one
 * group. Keeps at most 200 groups, however many reasons there are: a new one replaces the rarest and inherits its count
 * (Space-Saving; Metwally, Agrawal and El Abbadi, 2005), so a reason of more than one in 200 records is never missed;
 * inherited counts are not reported. Thread-safe.
 */
public final class BadReasons implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The number of reasons that are reported for a job. */
    public static final int MOST_TOLD = 10;

    private static final int MOST_GROUPS = 200;

    /** Of reasons that differ in a quoted name only; with more of them, it is no name but a value. */
    private static final int MOST_NAMES = 8;

    private static final int MOST_CHARACTERS = 200;

    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"?|(?<![\\p{L}\\p{N}])'[^']*'");
    private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"?");
    private static final Pattern NUMBER = Pattern.compile("[\\p{L}_]*\\p{Nd}[\\p{L}\\p{Nd}_]*");

    private final Map<String, Group> groups = new HashMap<>();

    private static final class Group implements Serializable {
        private static final long serialVersionUID = 1L;

        final String operator;
        final String reason;

        /** The key with all that is quoted left out: groups with the same one may be put together. */
        final String coarse;

        final BadReason first;
        long count;
        long inherited;

        Group(String coarse, BadReason first) {
            this.operator = first.operator();
            this.reason = first.reason();
            this.coarse = coarse;
            this.first = first;
        }

        BadReason told() {
            return new BadReason(
                    operator, reason, count - inherited, first.split(), first.line(), first.offset(), first.example());
        }
    }

    /** Counts a bad record. */
    public void add(String operator, BadRecord record) {
        String name = PlainText.line(operator, MOST_CHARACTERS);
        String example = PlainText.line(record.reason(), MOST_CHARACTERS);
        String split = PlainText.line(record.split(), MOST_CHARACTERS);
        String reason = number(TEXT.matcher(example).replaceAll("\"…\""));
        add(new BadReason(name, reason, 1, split, record.line(), record.offset(), example));
    }

    /** Adds the counts of another task or machine. */
    public synchronized void add(BadReason more) {
        String coarse =
                key(more.operator(), number(QUOTED.matcher(more.reason()).replaceAll("'…'")));
        String fine = key(more.operator(), more.reason());
        Group group = groups.get(coarse);
        group = group == null ? groups.get(fine) : group;
        if (group == null) {
            group = room(coarse, fine, more);
        }
        group.count += more.count();
    }

    private static String key(String operator, String reason) {
        return operator + '\n' + reason;
    }

    private static String number(String reason) {
        return NUMBER.matcher(reason).replaceAll("#");
    }

    private Group room(String coarse, String fine, BadReason first) {
        List<Group> alike = groups.values().stream()
                .filter(group -> group.coarse.equals(coarse))
                .toList();
        if (alike.size() >= MOST_NAMES) {
            return together(coarse, alike);
        }
        Group made = new Group(coarse, first);
        if (groups.size() >= MOST_GROUPS) {
            Map.Entry<String, Group> rarest = groups.entrySet().stream()
                    .min(Comparator.comparingLong(entry -> entry.getValue().count))
                    .orElseThrow();
            groups.remove(rarest.getKey());
            made.count = rarest.getValue().count;
            made.inherited = made.count;
        }
        groups.put(fine, made);
        return made;
    }

    private Group together(String coarse, List<Group> alike) {
        BadReason first = alike.stream()
                .map(Group::told)
                .max(Comparator.comparingLong(BadReason::count))
                .orElseThrow();
        String reason = coarse.substring(coarse.indexOf('\n') + 1);
        Group one = new Group(
                coarse,
                new BadReason(
                        first.operator(), reason, 0, first.split(), first.line(), first.offset(), first.example()));
        for (Group each : alike) {
            one.count += each.count;
            one.inherited += each.inherited;
        }
        groups.values().removeAll(alike);
        groups.put(coarse, one);
        return one;
    }

    private synchronized void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
    }

    /**
     * The most frequent reasons, the most frequent first.
     *
     * @param number how many at most
     */
    public synchronized List<BadReason> most(int number) {
        List<BadReason> all = new ArrayList<>();
        groups.values().forEach(group -> all.add(group.told()));
        all.sort(Comparator.comparingLong(BadReason::count)
                .reversed()
                .thenComparing(BadReason::operator)
                .thenComparing(BadReason::reason));
        return List.copyOf(all.subList(0, Math.min(number, all.size())));
    }
}
