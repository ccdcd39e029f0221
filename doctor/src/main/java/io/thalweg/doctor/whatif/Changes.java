// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.whatif;

import io.thalweg.api.connector.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is to be different: {@code parse=4,queue=256,fuse=off}. A name is that of an operator, and the value its number of
 * tasks, or that of a setting.
 */
public final class Changes {
    /** As many as the command line allows. */
    private static final long MOST_TASKS = 256;

    private static final long MOST = 1_000_000_000;

    /** The settings. An operator of the same name is meant only where there is no such setting. */
    enum Setting {
        PARALLELISM("parallelism", MOST_TASKS),
        THREADS("threads", MOST_TASKS),
        CORES("cores", 1024),
        QUEUE("queue", MOST),
        BATCH("batch", MOST),
        FUSE("fuse", 0),
        MAX_PENDING("max-pending", MOST),
        RATE("rate", MOST);

        private final String word;
        private final long most;

        Setting(String word, long most) {
            this.word = word;
            this.most = most;
        }
    }

    private final Map<String, String> given;

    private Changes(Map<String, String> given) {
        this.given = given;
    }

    /**
     * What was given.
     *
     * @throws IllegalArgumentException if it cannot be meant for any job; the message is one line
     */
    public static Changes parse(String text) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String each : text.split(",", -1)) {
            int equals = each.lastIndexOf('=');
            String name = equals < 0 ? "" : each.substring(0, equals).trim();
            String value = equals < 0 ? "" : each.substring(equals + 1).trim();
            if (name.isEmpty() || value.isEmpty()) {
                throw new IllegalArgumentException(
                        "it takes NAME=VALUE, several with commas, such as parse=4,queue=256, not '" + each + "'");
            }
            if (given.put(name, value) != null) {
                throw new IllegalArgumentException("'" + name + "' is given twice");
            }
            checkValue(name, value);
        }
        return new Changes(given);
    }

    private static void checkValue(String name, String value) {
        Setting setting = setting(name);
        if (setting == Setting.FUSE) {
            if (!value.equals("on") && !value.equals("off")) {
                throw new IllegalArgumentException(
                        "fuse is on or off, not '" + value + "'" + Suggestion.of(value, List.of("on", "off")));
            }
            return;
        }
        long most = setting == null ? MOST_TASKS : setting.most;
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException e) {
            number = 0;
        }
        if (number < 1 || number > most) {
            throw new IllegalArgumentException(
                    "'" + name + "' takes a number from 1 to " + most + ", not '" + value + "'");
        }
    }

    /** Whether a name stands for a setting, also where an operator has the same. */
    public static boolean isSetting(String name) {
        return setting(name) != null;
    }

    private static @Nullable Setting setting(String name) {
        for (Setting setting : Setting.values()) {
            if (setting.word.equals(name)) {
                return setting;
            }
        }
        return null;
    }

    /**
     * The same with the whole names of operators, of which the beginning is enough if no other begins so.
     *
     * @param operators of the job
     * @throws IllegalArgumentException if there is neither an operator nor a setting of a name; the message has the nearest name
     */
    public Changes of(List<String> operators) {
        List<String> names = new ArrayList<>(operators);
        for (Setting setting : Setting.values()) {
            names.add(setting.word);
        }
        Map<String, String> whole = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            String meant = names.contains(name) ? name : meant(name, operators, names);
            if (whole.put(meant, value) != null) {
                throw new IllegalArgumentException("'" + meant + "' is given twice");
            }
        });
        return new Changes(whole);
    }

    private static String meant(String name, List<String> operators, List<String> names) {
        List<String> begin =
                operators.stream().filter(each -> each.startsWith(name)).toList();
        if (begin.size() == 1) {
            return begin.get(0);
        }
        String nearest = Suggestion.of(name, names);
        throw new IllegalArgumentException("there is no operator and no setting '" + name + "'"
                + (nearest.isEmpty() ? "; there are " + String.join(", ", names) : nearest));
    }

    Network apply(Network network) {
        Network changed = network;
        for (Map.Entry<String, String> each : given.entrySet()) {
            changed = apply(changed, each.getKey(), each.getValue());
        }
        return changed;
    }

    private static Network apply(Network network, String name, String value) {
        Setting setting = setting(name);
        if (setting == Setting.FUSE) {
            return value.equals("on") ? network.fused() : network.apart();
        }
        int number = Integer.parseInt(value);
        if (setting == null) {
            return network.withTasks(name, number);
        }
        return switch (setting) {
            case PARALLELISM -> network.withAllTasks(number);
            case THREADS -> network.withThreads(number);
            case CORES -> network.withCores(number);
            case QUEUE -> network.withQueues(number);
            case BATCH -> network.withBatches(number);
            case MAX_PENDING -> network.withPending(number);
            case RATE -> network.withArrivals(number);
            case FUSE -> network;
        };
    }

    /** What a name stands for in a network. */
    static String value(Network network, String name) {
        Setting setting = setting(name);
        if (setting == null) {
            return tasks(network.stationOf(name).tasks());
        }
        return switch (setting) {
            case PARALLELISM ->
                network.stations().stream()
                        .mapToInt(Station::tasks)
                        .distinct()
                        .sorted()
                        .mapToObj(Integer::toString)
                        .reduce((a, b) -> a + ", " + b)
                        .orElse("");
            case THREADS -> Integer.toString(network.threads());
            case CORES -> Integer.toString(network.cores());
            case QUEUE -> network.queueBatches() + " batches";
            case BATCH -> network.batchRecords() + " records";
            case FUSE -> network.links().size() + (network.links().size() == 1 ? " queue" : " queues");
            case MAX_PENDING -> network.mostPending() == 0 ? "no limit" : network.mostPending() + " records";
            case RATE ->
                Double.isInfinite(network.arrivals())
                        ? "as fast as it goes"
                        : Math.round(network.arrivals()) + " records/s";
        };
    }

    private static String tasks(int number) {
        return number + (number == 1 ? " task" : " tasks");
    }

    List<String> names() {
        return List.copyOf(given.keySet());
    }

    boolean has(Setting setting) {
        return given.containsKey(setting.word);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Changes changes && given.equals(changes.given);
    }

    @Override
    public int hashCode() {
        return Objects.hash(given);
    }
}
