// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.doctor.tune.Choice;
import io.thalweg.doctor.tune.Choices;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.doctor.tune.TunedYaml;
import io.thalweg.doctor.tune.TunedYaml.Entry;
import io.thalweg.files.input.ByteInput;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunnerInfo;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of settings that {@code thalweg tune} wrote, or a user. What is wrong with it is an {@link IllegalArgumentException} with one
 * line, which begins with file and line.
 */
public final class TunedFile {
    private static final long MOST_BYTES = 1_000_000;

    private final String name;
    private final List<Entry> entries;

    private TunedFile(String name, List<Entry> entries) {
        this.name = name;
        this.entries = entries;
    }

    /** @throws IllegalArgumentException if it cannot be read, or a line is wrong */
    public static TunedFile read(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    Files.exists(file) ? file + " is no file of settings" : "there is no file " + file);
        }
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IllegalArgumentException(file + " is too large for a file of settings");
            }
            return new TunedFile(file.toString(), TunedYaml.read(Files.readString(file)));
        } catch (TunedYaml.MistakeException e) {
            throw new IllegalArgumentException(file + ":" + e.line() + ": " + e.getMessage(), e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + " is no text in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + ByteInput.reason(e), e);
        }
    }

    /** All settings. */
    public Choices choices() {
        return new Choices(entries.stream().map(Entry::choice).toList());
    }

    /**
     * Whether all of it applies to jobs of a road.
     *
     * @param elsewhere the job runs on a cluster that somebody else has started
     * @throws IllegalArgumentException if a setting does not
     */
    public void check(RunnerInfo road, boolean elsewhere) {
        for (Entry entry : entries) {
            Choice choice = entry.choice();
            if (!road.tunes().contains(choice.name())) {
                throw new IllegalArgumentException(
                        where(entry) + "'" + choice.name() + "' means nothing with --on " + road.name());
            }
            if (elsewhere && choice.setting().ofProcess()) {
                throw new IllegalArgumentException(where(entry) + "'" + choice.name()
                        + "' is of the process that runs the job, and that cluster has its own; leave it out, or run the job with"
                        + " --on " + road.name());
            }
        }
    }

    /** The settings of a run with those of the whole job. */
    public RunSettings settings(RunSettings settings) {
        return Tuned.settings(settings, choices());
    }

    /** The value of a setting of the whole job; null if it is not set. */
    public @Nullable String value(Setting setting) {
        return choices().value(setting);
    }

    /** The graph with the settings of its operators. */
    public TopologyGraph graph(TopologyGraph graph) {
        TopologyGraph next = graph;
        for (Entry entry : entries) {
            try {
                next = Tuned.graph(next, entry.choice());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(where(entry) + e.getMessage(), e);
            }
        }
        return next;
    }

    /**
     * A setting that does not apply to this run.
     *
     * @param why in words that follow a colon
     */
    public IllegalArgumentException mistake(Setting setting, String why) {
        for (Entry entry : entries) {
            if (entry.choice().setting() == setting) {
                return new IllegalArgumentException(where(entry) + why);
            }
        }
        return new IllegalArgumentException(name + ": " + why);
    }

    /** Settings that this JVM was not started with, a line each. */
    public List<String> missing() {
        List<String> given = ManagementFactory.getRuntimeMXBean().getInputArguments();
        List<String> missing = new ArrayList<>();
        for (Entry entry : entries) {
            Choice choice = entry.choice();
            List<String> options = Tuned.javaOptions(choice);
            if (!given.containsAll(options)) {
                missing.add(where(entry) + choice.words()
                        + " is not in use: this Java machine was started without it, or THALWEG_OPTS or --jvm says otherwise; it needs "
                        + String.join(" ", options));
            }
        }
        return missing;
    }

    private String where(Entry entry) {
        return name + ":" + entry.line() + ": ";
    }
}
