// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.result.CellResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An engine that the lab can run: a folder of {@code lab/drivers} with {@code driver.yaml} and {@code lib.sha256}. */
public final class Engine {
    /**
     * What {@code driver.yaml} says.
     *
     * @param main its driver's class; null if it only runs jobs over files
     * @param refuses what the engine cannot run, as far as a cell's settings tell; the first that applies is the reason
     * @param files how it runs jobs over files; null if it does not
     * @param topology the variant that runs users' own topologies; null if the engine does not
     */
    public record Description(
            String engine,
            @Nullable String main,
            List<String> jvm,
            Map<String, Variant> variants,
            List<Refusal> refuses,
            @Nullable FileProgram files,
            @Nullable String topology) {
        public Description {
            jvm = jvm == null ? List.of() : jvm;
            refuses = refuses == null ? List.of() : refuses;
        }

        Description(
                String engine, String main, List<String> jvm, Map<String, Variant> variants, List<Refusal> refuses) {
            this(engine, main, jvm, variants, refuses, null, null);
        }
    }

    /**
     * A way to set the engine up, to be read in the report.
     *
     * @param stages {@code fused} where stages of equal parallelism run in one task, without a queue between them; {@code apart}, the
     *     default, where each is a task of its own
     */
    public record Variant(String says, String stages, Map<String, String> tuning) {
        public Variant {
            stages = stages == null ? CellResult.APART : stages;
            if (!stages.equals(CellResult.FUSED) && !stages.equals(CellResult.APART)) {
                throw new IllegalArgumentException("stages is fused or apart, not " + stages);
            }
            tuning = tuning == null ? Map.of() : tuning;
        }
    }

    /** {@code thalweg-flink-0.1.0.jar}, {@code thalweg-lab-driver-0.1.0.jar}. */
    private static final Pattern MODULE_JAR = Pattern.compile("thalweg-(?<lab>lab-)?(?<name>[a-z-]+)-\\d.*\\.jar");

    /** Where a list is expected, one value will do. */
    private static final ObjectMapper YAML =
            new YAMLMapper().enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY);

    private static final Duration LONGEST_BUILD = Duration.ofMinutes(20);

    private final @Nullable Path home;
    private final Path module;
    private final Description description;
    private final String classPath;

    /** Maven, or what fetches packages for Python. */
    private final ChildProcess building = new ChildProcess();

    private Engine(@Nullable Path home, Path module, Description description, String classPath) {
        this.home = home;
        this.module = module;
        this.description = description;
        this.classPath = classPath;
    }

    /** One that is built already. */
    static Engine built(Description description, String classPath) {
        return new Engine(null, Path.of(""), description, classPath);
    }

    /** All engines that have a driver, by name. */
    public static Map<String, Engine> all(Path home) {
        Map<String, Engine> engines = new TreeMap<>();
        try (Stream<Path> modules = Files.list(home.resolve("lab/drivers"))) {
            for (Path module : modules.sorted().toList()) {
                Path file = module.resolve("driver.yaml");
                if (Files.exists(file)) {
                    Description description = read(file);
                    engines.put(description.engine(), new Engine(home, module, description, lib(module) + "/*"));
                }
            }
        } catch (IOException e) {
            throw new LabException(
                    "no drivers under " + home + "; the lab runs from Thalweg's source tree, by ./thalweg lab", e);
        }
        return engines;
    }

    /** @throws LabException if the file is wrong; the message says where and why */
    static Description read(Path file) throws IOException {
        try {
            Description description = YAML.readValue(file.toFile(), Description.class);
            description
                    .refuses()
                    .forEach(each -> each.check(description.variants().keySet()));
            return description;
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    /** Why it cannot run such a cell, by its settings; null if nothing speaks against it. */
    public @Nullable String refusal(Cell cell) {
        boolean files = cell.workload() == Cell.Workload.FILES;
        if (files != cell.variant().equals(FileProgram.VARIANT)) {
            return files
                    ? "jobs over files are run by the variant " + FileProgram.VARIANT + ", not " + cell.variant()
                    : "the variant " + FileProgram.VARIANT + " runs jobs over files alone";
        }
        if (files && description.files() == null) {
            return "the lab has no jobs over files for " + description.engine();
        }
        if (cell.workload() == Cell.Workload.TOPOLOGY && description.topology() == null) {
            return "topologies of Thalweg do not run on " + description.engine();
        }
        return description.refuses().stream()
                .filter(each -> each.appliesTo(cell))
                .map(Refusal::why)
                .findFirst()
                .orElse(null);
    }

    public Description description() {
        return description;
    }

    public List<String> variants() {
        return List.copyOf(description.variants().keySet());
    }

    /** @throws IllegalArgumentException if it has no such variant; of an engine that declares none, the driver knows */
    void checkVariant(String variant) {
        if (!variants().isEmpty() && !variants().contains(variant) && !variant.equals(FileProgram.VARIANT)) {
            throw new IllegalArgumentException(
                    description.engine() + " has no variant '" + variant + "'; it has " + variants());
        }
    }

    /** Which variant runs a cell that names none. */
    public String usualVariant(Map<String, String> settings) {
        String topology = description.topology();
        return topology != null && "topology".equals(settings.get("workload"))
                ? topology
                : variants().get(0);
    }

    private static Path lib(Path module) {
        return module.resolve("target/fast/dist/lib");
    }

    /** Whether something is to be made before it can run, which replaces what another lab may run. */
    boolean mustBeBuilt() {
        try {
            PythonEnvironment python = python();
            return (python != null && !python.isMade())
                    || (home != null && description.main() != null && !isBuilt(home));
        } catch (IOException e) {
            return true; // building it tells why
        }
    }

    private @Nullable PythonEnvironment python() {
        FileProgram files = description.files();
        return files == null || files.python().isEmpty()
                ? null
                : new PythonEnvironment(module, description.engine(), files.python(), building);
    }

    private boolean isBuilt(Path home) throws IOException {
        Path built = built();
        return Files.exists(built)
                && Files.readString(built)
                        .equals(ModuleSources.of(home, modules(home)).text());
    }

    /** All that it is built of, as far as its jars tell. */
    private Set<Path> modules(Path home) throws IOException {
        Set<Path> modules = modulesIn(home, jars());
        modules.addAll(List.of(home, module));
        return modules;
    }

    private Path built() {
        return module.resolve("target/fast/dist/built");
    }

    /**
     * Makes the driver ready to start: builds it on first use and when its sources changed, which fetches the engine's libraries,
     * and holds every one of them against its checksum. Nobody else may run or build it meanwhile: see {@link DriversLock}.
     *
     * @param say told what takes long
     * @throws LabException if that cannot be done
     */
    public void prepare(Consumer<String> say) {
        PythonEnvironment python = python();
        if (python != null) {
            python.prepare(say);
        }
        if (home != null && description.main() != null) {
            prepare(home, say);
        }
    }

    /** The command of a job over files: placeholders are replaced, and those that only the engine knows by what it knows. */
    List<String> fileCommand(Map<String, String> values) {
        Map<String, String> all = new TreeMap<>(values);
        Path folder = module.toAbsolutePath().normalize(); // the program runs elsewhere
        all.put("home", home == null ? "" : home.toAbsolutePath().normalize().toString());
        all.put("module", folder.toString());
        all.put("classpath", classPath.isEmpty() ? "" : lib(folder) + "/*");
        all.put("java", java());
        all.put("python", PythonEnvironment.python(folder).toString());
        return Objects.requireNonNull(description.files()).command(all);
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private void prepare(Path home, Consumer<String> say) {
        Path built = built();
        try {
            if (isBuilt(home)) {
                return;
            }
            say.accept("building the driver of " + description.engine() + " ("
                    + (Files.exists(built) ? "sources changed" : "first use") + ") ...");
            ModuleSources begun = ModuleSources.ofAll(home); // what changes while it is built is built again
            begun.forgetClasses(home);
            // No jar of an earlier version stays beside the new one, and nothing is built until all of it is.
            Files.deleteIfExists(built);
            if (Files.isDirectory(lib(module))) {
                for (Path jar : jars()) {
                    Files.delete(jar);
                }
            }
            Path log = module.resolve("target/fast/build.log");
            Files.createDirectories(log.getParent());
            String path = home.relativize(module).toString();
            OptionalInt ended = building.run(
                    List.of("./mvnw", "-B", "-q", "-Pfast", "-pl", path, "-am", "package"), home, log, LONGEST_BUILD);
            if (ended.isEmpty()) {
                throw new LabException("building the driver of " + description.engine() + " took over "
                        + LONGEST_BUILD.toMinutes() + " minutes; see " + log);
            }
            if (ended.getAsInt() != 0) {
                throw new LabException("the driver of " + description.engine() + " cannot be built: " + firstError(log)
                        + " (all of it in " + log + ")");
            }
            verify();
            ModuleSources compiled = begun.only(home, modules(home));
            compiled.keep(home);
            Files.move(Files.writeString(built.resolveSibling("built.new"), compiled.text()), built);
        } catch (IOException e) {
            throw new LabException("the driver of " + description.engine() + " cannot be built: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while building the driver of " + description.engine(), e);
        }
    }

    /** Ends a build at once, which would go on beside that of another lab, and lets no other begin. Any thread may call. */
    void kill() {
        building.kill();
    }

    private static String firstError(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith("[ERROR]"))
                .map(line -> line.substring("[ERROR]".length()).strip())
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse("Maven failed");
    }

    /** The modules of this source tree whose jars a driver runs with. */
    static Set<Path> modulesIn(Path home, List<Path> jars) {
        Set<Path> modules = new TreeSet<>();
        for (Path jar : jars) {
            Matcher named = MODULE_JAR.matcher(String.valueOf(jar.getFileName()));
            if (named.matches()) {
                String name = named.group("name");
                Stream<String> folders = named.group("lab") == null
                        ? Stream.of(name, "lab/" + name)
                        : Stream.of("lab/" + name, "lab/drivers/" + name);
                folders.map(home::resolve)
                        .filter(module -> Files.exists(module.resolve("pom.xml")))
                        .findFirst()
                        .ifPresent(modules::add);
            }
        }
        return modules;
    }

    /** Every library must be the one that was pinned, and none may be missing or too many. */
    private void verify() throws IOException {
        Map<String, String> pinned = new TreeMap<>();
        for (String line : Files.readAllLines(module.resolve("lib.sha256"))) {
            int gap = line.indexOf("  ");
            if (gap > 0) {
                pinned.put(line.substring(gap + 2), line.substring(0, gap));
            }
        }
        Map<String, String> found = new TreeMap<>();
        for (Path jar : jars()) {
            String name = jar.getFileName().toString();
            if (!name.startsWith("thalweg-")) {
                found.put(name, sha256(jar));
            }
        }
        for (String name : Stream.concat(pinned.keySet().stream(), found.keySet().stream())
                .distinct()
                .toList()) {
            String is = found.getOrDefault(name, "missing");
            String must = pinned.getOrDefault(name, "not in the list");
            if (!is.equals(must)) {
                throw new LabException("library " + name + " of " + description.engine() + " is not the pinned one: "
                        + is + ", and " + module.resolve("lib.sha256") + " says " + must);
            }
        }
    }

    private List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(lib(module))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    static String sha256(Path file) throws IOException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The command that starts its driver.
     *
     * @param heap the size of its heap, such as {@code 1g}; null for what the driver is made for
     * @param jars beside those of the engine
     */
    List<String> command(@Nullable String heap, JobJars jars) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(java());
        for (String option : description.jvm()) {
            boolean sizesHeap = option.startsWith("-Xms") || option.startsWith("-Xmx");
            command.add(heap != null && sizesHeap ? option.substring(0, 4) + heap : option);
        }
        command.add("-cp");
        command.add(jars.around(classPath, home == null ? List.of() : jars()));
        command.add("io.thalweg.lab.driver.DriverMain");
        command.add(Objects.requireNonNull(description.main()));
        return command;
    }
}
