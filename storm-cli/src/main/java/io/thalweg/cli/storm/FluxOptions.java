// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.UsageException;
import io.thalweg.job.JobException;
import io.thalweg.job.Libraries;
import io.thalweg.run.CacheFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for a topology that is written in Flux YAML: those of Flux's own command line, under the same names. */
final class FluxOptions {
    /** The newest one that Maven can resolve: the parent of later ones is not in its repository. */
    static final String FLUX_CORE = "org.apache.storm:flux-core:2.4.0";

    private static final String STANDARD_INPUT = "-";

    @Option(
            names = "--flux",
            paramLabel = "FILE",
            description = "runs the topology in this Flux YAML instead of a main; - is standard input")
    private @Nullable String file;

    @Option(
            names = "--filter",
            paramLabel = "FILE",
            description = "with --flux: replaces $${NAME} in the YAML by what this properties file gives")
    private @Nullable String filter;

    @Option(
            names = "--env-filter",
            description = "with --flux: replaces $${ENV-NAME} in the YAML by the environment variable NAME")
    private boolean environment;

    @Option(
            names = "--resource",
            description = "with --flux: it and --filter name resources of JAR, such as /words.yaml")
    private boolean resource;

    @Mixin
    private StreamparseOptions streamparse = new StreamparseOptions();

    private @Nullable FluxText text;
    private @Nullable FluxText properties;

    boolean given() {
        return file != null || streamparse.given();
    }

    /** What is read and must not be written: those of it that are files. */
    List<String> files() {
        return Stream.of(file, filter)
                .filter(Objects::nonNull)
                .filter(each -> !resource && !each.equals(STANDARD_INPUT))
                .toList();
    }

    /** Refuses what does not go together. */
    void check(@Nullable String mainClass, List<String> arguments) {
        streamparse.check();
        if (file != null && streamparse.given()) {
            throw new UsageException("--streamparse takes the place of --flux; leave one out");
        }
        if (file == null) {
            String first = filter != null ? "--filter" : environment ? "--env-filter" : resource ? "--resource" : null;
            if (first != null) {
                throw new UsageException(first + " is for topologies in Flux YAML; add --flux FILE");
            }
        }
        if (!given()) {
            return;
        }
        if (mainClass != null || !arguments.isEmpty()) {
            throw new UsageException(
                    (file != null ? "--flux" : "--streamparse") + " takes the place of a main; leave out "
                            + (mainClass != null ? "--class " + mainClass : "the arguments behind --"));
        }
        if (STANDARD_INPUT.equals(file) && STANDARD_INPUT.equals(filter)) {
            throw new UsageException("standard input can be read once; name a file with --flux or with --filter");
        }
    }

    /** Reads the files, unless they are in the jar: what is wrong with them is said before anything is resolved. */
    void read() {
        if (streamparse.given()) {
            text = streamparse.topology();
        }
        if (file != null && !resource) {
            text = text("--flux", file);
            properties = filter == null ? null : text("--filter", filter);
        }
    }

    private static FluxText text(String option, String file) {
        return file.equals(STANDARD_INPUT) ? FluxText.ofStandardInput() : FluxText.ofFile(option, file);
    }

    /**
     * The jars with Flux itself; none if there is no need, or if the topology's jar has it.
     *
     * @throws JobException if Maven cannot resolve it
     */
    List<Path> libraries(@Nullable Path jar, Consumer<String> tell) {
        if (!given()) {
            return List.of();
        }
        if (jar != null && hasFlux(jar)) {
            return List.of();
        }
        return new Libraries("Flux", "comes from Maven's repository", List.of(FLUX_CORE), CacheFolder.jobs(), tell)
                .resolve();
    }

    private static boolean hasFlux(Path jar) {
        try (JarFile content = StormRunCommand.open(jar.toAbsolutePath())) {
            return content.getEntry(TopologyLoader.FLUX) != null;
        } catch (IOException e) {
            throw new UsageException(jar + " cannot be read: " + e.getMessage());
        }
    }

    /** Adds scripts that are in no jar to those of jars. */
    void addScripts(Path resources) throws IOException {
        if (streamparse.given()) {
            streamparse.copySources(resources);
        }
    }

    /** Builds and submits the topology. */
    StormRunCommand.Program program(ClassLoader loader, @Nullable Path jar) {
        FluxClasses flux = new FluxClasses(loader, jar);
        if (resource && file != null) {
            text = flux.resource("--flux", file);
            properties = filter == null ? null : flux.resource("--filter", filter);
        }
        if (text == null) {
            throw new IllegalStateException("read() comes before this");
        }
        Properties given = properties == null ? new Properties() : properties.properties();
        FluxTopology topology = new FluxTopology(flux, text, new FluxText.Values(given, properties, environment));
        return new StormRunCommand.Program("the topology of " + text.name(), topology::submit);
    }
}
