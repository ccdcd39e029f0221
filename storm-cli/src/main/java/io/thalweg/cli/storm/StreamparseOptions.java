// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.UsageException;
import io.thalweg.run.PlainText;
import io.thalweg.run.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a topology of a streamparse project: streamparse itself writes it as Flux YAML, as {@code sparse run} does. */
final class StreamparseOptions {
    private static final String PROGRAM = "streamparse_flux.py";

    @Option(
            names = "--streamparse",
            paramLabel = "DIR",
            description =
                    "runs the topology of the streamparse project in this folder instead of a main; JAR is needed for components"
                            + " in Java alone")
    private @Nullable Path project;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "with --streamparse: the topology; default: the only one of the project")
    private @Nullable String name;

    @Option(
            names = "--environment",
            paramLabel = "NAME",
            description = "with --streamparse: the environment of config.json; default: the only one")
    private @Nullable String environment;

    @Option(
            names = "--python",
            paramLabel = "FILE",
            description = "with --streamparse: the Python that has streamparse; default: python3")
    private @Nullable String python;

    boolean given() {
        return project != null;
    }

    /** Refuses what does not go together. */
    void check() {
        if (project == null) {
            String first = name != null
                    ? "--name"
                    : environment != null ? "--environment" : python != null ? "--python" : null;
            if (first != null) {
                throw new UsageException(first + " is for a streamparse project; add --streamparse DIR");
            }
            return;
        }
        if (!Files.isDirectory(project)) {
            throw new UsageException("--streamparse takes the folder of a project, and " + project
                    + (Files.exists(project) ? " is none" : " is not there"));
        }
        for (String part : List.of("config.json", "src")) {
            if (!Files.exists(project.resolve(part))) {
                throw new UsageException(project + " is no project of streamparse: there is no " + part
                        + " in it; sparse quickstart NAME makes one");
            }
        }
    }

    /**
     * The topology, as Flux reads it.
     *
     * @throws UsageException with what Python said, if streamparse cannot be imported, or the topology cannot be made
     */
    FluxText topology() {
        Path folder = project().toAbsolutePath().normalize();
        try (TemporaryFolder scratch = TemporaryFolder.make("thalweg-streamparse-")) {
            Path program = scratch.path().resolve(PROGRAM);
            try (InputStream own = StreamparseOptions.class.getResourceAsStream(PROGRAM)) {
                if (own == null) {
                    throw new IllegalStateException(PROGRAM + " is missing");
                }
                Files.copy(own, program);
            }
            Path yaml = scratch.path().resolve("topology.yaml");
            String said = run(
                    folder,
                    List.of(
                            interpreter(),
                            "-W",
                            "ignore",
                            program.toString(),
                            yaml.toString(),
                            text(name),
                            text(environment)));
            if (!Files.exists(yaml)) {
                throw refused(said);
            }
            System.err.print(said);
            return FluxText.ofProgram("the topology of " + project(), Files.readAllBytes(yaml));
        } catch (IOException e) {
            throw new UsageException(
                    "streamparse cannot be asked for the topology of " + project() + ": " + e.getMessage());
        }
    }

    private static String text(@Nullable String option) {
        return option == null ? "" : option;
    }

    /** A path is relative to the folder of the command, as others, and not to that of the project. */
    private String interpreter() {
        if (python == null) {
            return "python3";
        }
        return python.indexOf('/') < 0
                ? python
                : Path.of(python).toAbsolutePath().toString();
    }

    /** What it said, on both streams, without colours. */
    private static String run(Path folder, List<String> command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new UsageException("there is no " + command.get(0) + " to run; name the Python that has streamparse,"
                    + " such as --python venv/bin/python");
        }
        try (OutputStream in = process.getOutputStream()) {
            in.flush();
        }
        try (InputStream out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8).replaceAll("\u001b\\[[0-9;]*m", "");
        }
    }

    /** Of a traceback, the last line says what is wrong; the others come before the message. */
    private UsageException refused(String said) {
        List<String> lines = said.strip().lines().toList();
        if (lines.size() > 1) {
            System.err.print(PlainText.lines(said));
        }
        return new UsageException("streamparse cannot make the topology of " + project() + ": "
                + (lines.isEmpty() ? "Python ended without a word" : lines.get(lines.size() - 1)));
    }

    /** Copies what components import to where they run, as streamparse puts it into its jar. */
    void copySources(Path resources) throws IOException {
        Path sources = project().resolve("src");
        List<Path> all = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(sources, FileVisitOption.FOLLOW_LINKS)) {
            walk.filter(Files::isRegularFile).forEach(all::add);
        } catch (UncheckedIOException e) {
            throw e.getCause(); // such as links that lead round
        }
        for (Path each : all) {
            Path to = resources.resolve(sources.relativize(each).toString());
            Files.createDirectories(to.getParent());
            Files.copy(each, to, StandardCopyOption.REPLACE_EXISTING); // a jar of the project has them, too
        }
    }

    private Path project() {
        if (project == null) {
            throw new IllegalStateException("given() comes before this");
        }
        return project;
    }
}
