// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.tune;

import io.thalweg.api.connector.Suggestion;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What can be set for a job, or for one of its operators, without changing its code. */
public enum Setting {
    /** Worker threads. */
    THREADS("threads", false, "a number from 1 to 1024"),
    /** Tasks of every operator that does not set its own. */
    PARALLELISM("parallelism", false, "a number from 1 to 256"),
    /** What an idle worker does. */
    IDLE("idle", false, "spin, balanced or park"),
    /** Room of a queue, in batches. */
    QUEUE("queue", false, "a power of two from 2 to 65536"),
    /** Records of a full batch. */
    BATCH("batch", false, "a number from 1 to 65536"),
    /** Records of a source task that may be in flight, in a job that is acked. */
    MAX_PENDING("max-pending", false, "a number from 1 to 1000000000"),
    /** Time between checkpoints. */
    CHECKPOINT_INTERVAL("checkpoint-interval", false, "a time such as 10s"),
    /** The most memory of the JVM. */
    HEAP("heap", false, "a size such as 512m or 4g"),
    /** The garbage collector of the JVM. */
    COLLECTOR("collector", false, "g1, parallel, serial or z"),
    /** How long Flink waits for a buffer to be full before it sends it. */
    BUFFER_TIMEOUT("buffer-timeout", false, "a time such as 100ms", "execution.buffer-timeout.interval"),
    /** Bytes of a buffer of Flink. */
    BUFFER_SIZE("buffer-size", false, "4k, 8k, 16k, 32k, 64k, 128k, 256k or 512k", "taskmanager.memory.segment-size"),
    /** Buffers of Flink that the channels into a task share, beside those of their own. */
    FLOATING_BUFFERS(
            "floating-buffers",
            false,
            "a number from 1 to 1024",
            "taskmanager.network.memory.floating-buffers-per-gate"),
    /** Tuples that a task of Storm hands over together. */
    PRODUCER_BATCH("producer-batch", false, "a number from 1 to 65536", "topology.producer.batch.size"),
    /** Room of the queue of a task of Storm, in tuples. */
    RECEIVE_BUFFER(
            "receive-buffer", false, "a power of two from 2 to 1048576", "topology.executor.receive.buffer.size"),
    /** Tasks of Storm that track which tuples are done, in a job that is acked. */
    ACKERS("ackers", false, "a number from 1 to 256", "topology.acker.executors"),
    /** Tasks of an operator. */
    TASKS("parallelism", true, "a number from 1 to 256"),
    /** Whether an operator is kept from being fused with its neighbours. */
    ISOLATE("isolate", true, "true or false"),
    /** Whether records that come to an operator go to all of its tasks in turn. */
    SHUFFLE("shuffle", true, "true or false");

    private static final Pattern BUFFER = Pattern.compile("(4|8|16|32|64|128|256|512)k");
    private static final Pattern TIME = Pattern.compile("[1-9][0-9]{0,5}(ms|s|m|h)");
    private static final Pattern HEAP_SIZE = Pattern.compile("[1-9][0-9]{0,5}[mg]");
    private static final int MOST_DIGITS = 10;

    private final String word;
    private final boolean ofOperator;
    private final String takes;
    private final String key;

    Setting(String word, boolean ofOperator, String takes) {
        this(word, ofOperator, takes, "");
    }

    /** @param key of the option of an engine that it is */
    Setting(String word, boolean ofOperator, String takes, String key) {
        this.word = word;
        this.ofOperator = ofOperator;
        this.takes = takes;
        this.key = key;
    }

    /** As in a file of settings. */
    public String word() {
        return word;
    }

    /** Whether it is one of an operator, or of the whole job. */
    public boolean ofOperator() {
        return ofOperator;
    }

    /** The option of an engine that it is, by that engine's name; empty if it is one of Thalweg or of the JVM. */
    public String key() {
        return key;
    }

    /** Whether it is one of the process that runs the job, which somebody else has started if that is a cluster. */
    public boolean ofProcess() {
        return switch (this) {
            case HEAP, COLLECTOR, BUFFER_SIZE, FLOATING_BUFFERS -> true;
            default -> false;
        };
    }

    /** Whether it limits what the job may cost, rather than how it works: such a value is not left out where it was given. */
    boolean isLimit() {
        return this == HEAP || this == CHECKPOINT_INTERVAL;
    }

    /**
     * The setting of a name.
     *
     * @throws IllegalArgumentException if there is none; the message has the nearest name
     */
    public static Setting of(String word, boolean ofOperator) {
        List<Setting> all = Stream.of(values())
                .filter(each -> each.ofOperator == ofOperator)
                .toList();
        for (Setting setting : all) {
            if (setting.word.equals(word)) {
                return setting;
            }
        }
        List<String> words = all.stream().map(Setting::word).toList();
        String nearest = Suggestion.of(word, words);
        throw new IllegalArgumentException((ofOperator ? "an operator has no setting '" : "there is no setting '")
                + word + "'" + (nearest.isEmpty() ? "; there are " + String.join(", ", words) : nearest));
    }

    /** What is wrong with a value, in words; null if nothing is. */
    @Nullable String problem(String value) {
        return fits(value) ? null : "'" + word + "' takes " + takes + ", not '" + value + "'";
    }

    private boolean fits(String value) {
        return switch (this) {
            case THREADS -> between(value, 1024);
            case PARALLELISM, TASKS, ACKERS -> between(value, 256);
            case IDLE -> List.of("spin", "balanced", "park").contains(value);
            case QUEUE -> isPowerOfTwo(value, 65_536);
            case RECEIVE_BUFFER -> isPowerOfTwo(value, 1_048_576);
            case BATCH, PRODUCER_BATCH -> between(value, 65_536);
            case MAX_PENDING -> between(value, 1_000_000_000);
            case CHECKPOINT_INTERVAL -> TIME.matcher(value).matches();
            case HEAP -> HEAP_SIZE.matcher(value).matches();
            case COLLECTOR -> List.of("g1", "parallel", "serial", "z").contains(value);
            case BUFFER_TIMEOUT -> TIME.matcher(value).matches();
            case BUFFER_SIZE -> BUFFER.matcher(value).matches();
            case FLOATING_BUFFERS -> between(value, 1_024);
            case ISOLATE, SHUFFLE -> value.equals("true") || value.equals("false");
        };
    }

    private static boolean isPowerOfTwo(String value, long most) {
        return between(value, most) && Long.bitCount(Long.parseLong(value)) == 1 && !value.equals("1");
    }

    private static boolean between(String value, long most) {
        boolean digits = !value.isEmpty()
                && value.length() <= MOST_DIGITS
                && value.charAt(0) != '0'
                && value.chars().allMatch(each -> each >= '0' && each <= '9');
        return digits && Long.parseLong(value) <= most;
    }
}
