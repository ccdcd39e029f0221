// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.files.DeadLetterFile;
import io.thalweg.run.BadLimit;
import io.thalweg.run.BadRecordListener;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code thalweg run} that say what becomes of bad records. */
final class BadRecordOptions {
    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,4})?)%");
    private static final Pattern COUNT = Pattern.compile("[0-9]{1,18}");

    @Option(
            names = "--on-bad",
            paramLabel = "dead-letter|fail",
            description = "a bad record goes to the dead-letter file and the job continues (default), or the job fails")
    private String onBad = "dead-letter";

    @Option(
            names = "--max-bad",
            paramLabel = "50%|N|50%,N|none",
            description =
                    "the job fails if more records than this are bad, as a share or number, or if none is good; default: 50%%")
    private String maxBad = "50%";

    @Option(
            names = "--dead-letters",
            paramLabel = "FILE",
            description = "file for bad records; default: TOPOLOGY.dead-letters.jsonl in the working directory")
    private @Nullable String deadLetters;

    @Option(
            names = "--dead-letters-limit",
            paramLabel = "SIZE",
            description =
                    "maximum size of that file, such as 10MB; further bad records are only counted; default: 100MB")
    private @Nullable String deadLettersLimit;

    /** @throws UsageException if one of them cannot be understood */
    RunSettings apply(RunSettings settings) {
        limitBytes();
        if ("-".equals(deadLetters)) {
            throw new UsageException(
                    "--dead-letters takes a file, not -: standard output is for results; use a file or /dev/stderr");
        }
        if (deadLetters != null && FileOption.isMissingDirectory(deadLetters)) {
            throw new UsageException("--dead-letters: " + FileOption.missing(deadLetters));
        }
        return settings.withFailOnBad(fails()).withBadLimit(limit());
    }

    /** The file for bad records, if one was named. */
    @Nullable String file() {
        return deadLetters;
    }

    boolean fails() {
        return switch (onBad) {
            case "dead-letter" -> false;
            case "fail" -> true;
            default -> throw new UsageException("--on-bad is dead-letter or fail, not " + onBad);
        };
    }

    /**
     * Opens nothing.
     *
     * @param others files of the same command, which it must not append to; null for none
     * @throws UsageException if it is one of the others
     */
    DeadLetterFile open(String topology, List<@Nullable String> others, Consumer<String> warnings) {
        String named = deadLetters;
        String path = named == null ? topology.replaceAll("[^\\p{L}\\p{N} ._-]", "-") + ".dead-letters.jsonl" : named;
        if (!fails()) { // otherwise none are kept
            StatsOutput.checkIsNone("--dead-letters", path, others);
        }
        return new DeadLetterFile(Path.of(path), limitBytes(), warnings);
    }

    /** Looks whether what the user has named can be written. */
    void check(DeadLetterFile letters) {
        if (deadLetters != null) {
            letters.check();
        }
    }

    /** The same, of a job that does not run: a pipe would wait for its reader. */
    void checkUnopened(DeadLetterFile letters) {
        if (!letters.writes().isEmpty()) {
            check(letters);
        }
    }

    /** Hands bad records to the file, and forces it to the disk with each checkpoint. */
    static BadRecordListener kept(DeadLetterFile letters) {
        return new BadRecordListener() {
            @Override
            public void bad(String topology, String operator, BadRecord record) {
                letters.accept(topology, operator, record);
            }

            @Override
            public void force() throws IOException {
                letters.force();
            }

            @Override
            public List<WriteTarget> writes() {
                return letters.writes();
            }
        };
    }

    private BadLimit limit() {
        if (maxBad.equals("none")) {
            return BadLimit.none();
        }
        Double share = null;
        Long records = null;
        for (String part : maxBad.split(",", -1)) {
            Matcher percent = PERCENT.matcher(part);
            if (percent.matches() && share == null && Double.parseDouble(percent.group(1)) <= 100) {
                share = Double.parseDouble(percent.group(1)) / 100;
            } else if (COUNT.matcher(part).matches() && records == null) {
                records = Long.valueOf(part);
            } else {
                throw new UsageException("--max-bad is a share such as 5%, a number of records, both as in 5%,1000,"
                        + " or none; not " + maxBad);
            }
        }
        BadLimit limit = records == null ? BadLimit.half() : BadLimit.records(records);
        return share == null ? limit : limit.andShare(share);
    }

    private long limitBytes() {
        if (deadLettersLimit == null) {
            return DeadLetterFile.DEFAULT_LIMIT_BYTES;
        }
        if (deadLettersLimit.equals("none")) {
            return Long.MAX_VALUE;
        }
        OptionalLong bytes = ByteSize.parse(deadLettersLimit);
        if (bytes.isEmpty()) {
            throw new UsageException(
                    "--dead-letters-limit is a size such as 500kB, 10MB or 2GB, or none; not " + deadLettersLimit);
        }
        return bytes.getAsLong();
    }
}
